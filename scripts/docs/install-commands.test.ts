import { expect, test } from 'vitest';
import { partnerPages, registryInstalls, withCurrentVersions } from './install-commands.ts';

const pages = partnerPages();

test('no page installs a package of ours from a registry: the scope may not be ours', () => {
  expect(registryInstalls('Run `npm install @svc/react` and `npx @svc/cli login`.')).toEqual([
    'npm install @svc/react',
    'npx @svc/cli login',
  ]);
  expect(registryInstalls('npm install http://localhost:4000/sdk/svc-core-0.1.0.tgz')).toEqual([]);
  const found = pages.flatMap(({ path, text }) =>
    registryInstalls(text).map((command) => `${path}: ${command}`),
  );
  expect(found).toEqual([]);
});

test('pages name the tarballs of this version; `npm run install-commands` writes them', () => {
  const stale = pages.filter(({ text }) => withCurrentVersions(text) !== text);
  expect(stale.map(({ path }) => path)).toEqual([]);
  expect(pages.filter(({ text }) => text.includes('/sdk/svc-core-')).length).toBeGreaterThan(3);
});
