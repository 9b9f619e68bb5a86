import { expect, test } from 'vitest';
import { findCycles } from './find-cycles.ts';

const file = (path: string, ...imports: string[]) => ({
  path: `packages/a/src/${path}`,
  text: imports.map((from) => `import { x } from '${from}';`).join('\n'),
});

test('a cycle of any length is found once', () => {
  const files = [
    file('one.ts', './two.ts', './four.ts'),
    file('two.ts', './deep/three.ts'),
    file('deep/three.ts', '../one.ts'),
    file('four.ts'),
  ];
  const [a, b, c] = ['one', 'two', 'deep/three'].map((name) => `packages/a/src/${name}.ts`);
  expect(findCycles(files)).toEqual([[a, b, c, a].join(' → ')]);
});

test('a type import counts, because the file cannot be understood without it', () => {
  const typed = { path: 'packages/a/src/one.ts', text: `import type { X } from './two.ts';` };
  expect(findCycles([typed, file('two.ts', './one.ts')])).toHaveLength(1);
});

test('two paths to one file are not a cycle', () => {
  const files = [file('one.ts', './two.ts', './three.ts'), file('two.ts', './three.ts')];
  expect(findCycles([...files, file('three.ts')])).toEqual([]);
});

test('tests may import each other', () => {
  expect(findCycles([file('testing/a.ts', './b.ts'), file('testing/b.ts', './a.ts')])).toEqual([]);
});
