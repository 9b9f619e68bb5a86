import { expect, test } from 'vitest';
import { partnerPages, registryInstalls } from './install-commands.ts';

test('no page installs a package of ours from a registry: the scope may not be ours', () => {
  expect(registryInstalls('Run `npm install @svc/react` and `npx @svc/cli login`.')).toEqual([
    'npm install @svc/react',
    'npx @svc/cli login',
  ]);
  expect(registryInstalls('npm install http://localhost:4000/sdk/svc-core-0.3.0.tgz')).toEqual([]);
  const found = partnerPages().flatMap(({ path, text }) =>
    registryInstalls(text).map((command) => `${path}: ${command}`),
  );
  expect(found).toEqual([]);
});
