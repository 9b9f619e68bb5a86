import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../steps/run-command.mjs';
import { publishedPackages } from './pack-sdk.mjs';
import {
  currentVersion,
  filesWithVersion,
  manifestPaths,
  manifestWithVersion,
  withVersion,
} from './set-version.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('every manifest, the lock file, the docs and the deployment name one version', () => {
  const files = filesWithVersion(currentVersion());
  const others = [...files].filter(([path, content]) => content !== read(path));
  // Fix them with `npm run set-version -- <version>`.
  expect(others.map(([path]) => path)).toEqual([]);
  for (const path of manifestPaths()) {
    const { version, name } = JSON.parse(read(path));
    if (name !== undefined)
      expect([path, version ?? currentVersion()]).toEqual([path, currentVersion()]);
  }
  // A release must not find the old version in what people copy.
  const next = filesWithVersion('99.0.0');
  const changed = [...next].filter(([path, content]) => content !== read(path));
  expect(changed.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      'package.json',
      'package-lock.json',
      'apps/server/package.json',
      'packages/node/src/http/attempt.ts',
      'deploy/container/compose.yaml',
      'docs/quickstart-nextjs.md',
      'docs/operate/deploy.md',
    ]),
  );
});

test.each([
  ['npm install http://localhost:4000/sdk/svc-core-0.1.0.tgz', '/sdk/svc-core-0.4.0.tgz'],
  ['npm install -D ./vendor/svc-sandbox-0.3.0.tgz', '/vendor/svc-sandbox-0.4.0.tgz'],
  ['tar -xzf svc-0.3.0.tar.gz', 'svc-0.4.0.tar.gz'],
  ['image: svc:0.3.0', 'svc:0.4.0'],
  ["'user-agent': 'svc-node/0.3.0'", 'svc-node/0.4.0'],
  ['--build-arg VERSION=0.3.0', 'VERSION=0.4.0'],
  ['VERSION: 0.3.0', 'VERSION: 0.4.0'],
  ['name: svc\nversion: 0.3.0\nappVersion: 0.3.0', 'version: 0.4.0\nappVersion: 0.4.0'],
])('"%s" gets the new version', (text, expected) => {
  expect(withVersion(text, '0.4.0')).toContain(expected);
});

test('a sentence about a version, another program and a range keep theirs', () => {
  for (const text of [
    'Services before 0.3.0',
    'node:20.19.0',
    'typescript-5.0.4',
    'v0.3.0',
    'minVersion: 1.2.3',
  ]) {
    expect(withVersion(text, '0.4.0')).toBe(text);
  }
  const manifest = { version: '0.1.0', dependencies: { '@svc/core': '0.1.0', fastify: '0.1.0' } };
  expect(manifestWithVersion(manifest, '0.4.0')).toEqual({
    version: '0.4.0',
    dependencies: { '@svc/core': '0.4.0', fastify: '0.1.0' },
  });
});

test('changesets gives all published packages one version', () => {
  const { fixed } = JSON.parse(read('.changeset/config.json'));
  const names = publishedPackages().map(
    (folder) => JSON.parse(read(`${folder}/package.json`)).name,
  );
  expect(fixed).toHaveLength(1);
  expect(new Set(fixed[0])).toEqual(new Set(names));
});
