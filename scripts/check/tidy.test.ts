import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUntidy, fullFolders } from './tidy.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-tidy-'));
  write(
    'README.md',
    'See [the guide](docs/guide.md#start), [a site](https://example.com) or [above](#top).',
  );
  write('docs/guide.md', 'Back to [the start](../README.md).');
  write('packages/a/src/split-rent.ts', 'export const split = 1;');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test('a tidy repository has no findings', () => {
  expect(findUntidy(root)).toEqual([]);
});

const OPEN_END = ['TO', 'DO'].join('');

test.each([
  ['docs/b.md', 'Read [this](gone.md).', 'links to gone.md'],
  ['packages/a/src/b.ts', `// ${OPEN_END}: later`, `finish the ${OPEN_END}`],
  ['packages/a/migrations/0001_a.sql', `-- ${OPEN_END}`, 'finish the'],
  ['packages/a/src/dateUtils.ts', '', 'kebab-case'],
  ['packages/a/src/utils.ts', '', 'kebab-case'],
  ['packages/a/src/helpers/split.ts', '', 'kebab-case'],
  ['packages/a/src/b.ts', 'const invoiceId = 1;', '"invoiceId" is not our word'],
  ['package-lock.json', '{ "resolved": "https://host/a.tgz" }', 'URLs of a registry'],
])('%s with %s', (path, text, expected) => {
  write(path, text);
  expect(findUntidy(root)).toEqual([expect.stringContaining(expected)]);
});

test('a path of this machine is found', () => {
  write('packages/a/src/b.ts', `const here = '${root}/x';`);
  expect(findUntidy(root)).toEqual([expect.stringContaining('a path of this machine, ')]);
});

test('a folder of more than 25 files is a warning, and tests do not count', () => {
  for (let number = 0; number < 24; number += 1) {
    write(`packages/a/src/file-${number}.ts`, '');
    write(`packages/a/src/file-${number}.test.ts`, '');
  }
  expect(fullFolders(root)).toEqual([]);
  write('packages/a/src/one-more.ts', '');
  expect(fullFolders(root)).toEqual(['packages/a/src: 26 files; consider splitting it by meaning']);
  expect(findUntidy(root)).toEqual([]);
});

test('no files are an error, not a success', () => {
  expect(() => findUntidy(join(root, 'packages/a/src/..'))).not.toThrow();
  mkdirSync(join(root, 'empty'));
  expect(() => findUntidy(join(root, 'empty'))).toThrow('No file was checked');
});
