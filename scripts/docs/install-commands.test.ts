import { expect, test } from 'vitest';
import { partnerPages, programs, registryInstalls } from './install-commands.ts';

test('no page installs a package of ours from a registry: the scope may not be ours', () => {
  expect(registryInstalls('Run `npm install @svc/react` and `npx @svc/cli login`.')).toEqual([
    'npm install @svc/react',
    'npx @svc/cli login',
  ]);
  expect(registryInstalls('`npx svc-sandbox --json`\nnpx svc login\nnpm i -D svc-sandbox')).toEqual(
    ['npx svc-sandbox --json', 'npx svc login', 'npm i -D svc-sandbox'],
  );
  const url = 'http://localhost:4000/sdk/svc-core-0.3.0.tgz';
  expect(registryInstalls(`npm install ${url}\nnpx ${url}\nnpx --package=${url} svc`)).toEqual([]);
  const found = [...partnerPages(), ...programs()].flatMap(({ path, text }) =>
    registryInstalls(text).map((command) => `${path}: ${command}`),
  );
  expect(found).toEqual([]);
});
