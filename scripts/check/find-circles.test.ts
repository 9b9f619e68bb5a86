import { expect, test } from 'vitest';
import { findCircles } from './find-circles.ts';

const file = (path: string, ...imports: string[]) => ({
  path: `packages/a/src/${path}`,
  text: imports.map((from) => `import { x } from '${from}';`).join('\n'),
});

test('files that import each other are a circle, however long, found once', () => {
  const files = [
    file('one.ts', './two.ts', './four.ts'),
    file('two.ts', './deep/three.ts'),
    file('deep/three.ts', '../one.ts'),
    file('four.ts'),
  ];
  const [a, b, c] = ['one', 'two', 'deep/three'].map((name) => `packages/a/src/${name}.ts`);
  expect(findCircles(files)).toEqual([[a, b, c, a].join(' → ')]);
});

test('a type counts: its file cannot be read alone', () => {
  const typed = { path: 'packages/a/src/one.ts', text: `import type { X } from './two.ts';` };
  expect(findCircles([typed, file('two.ts', './one.ts')])).toHaveLength(1);
});

test('two ways to one file are no circle', () => {
  const files = [file('one.ts', './two.ts', './three.ts'), file('two.ts', './three.ts')];
  expect(findCircles([...files, file('three.ts')])).toEqual([]);
});

test('tests may tie themselves as they like', () => {
  expect(findCircles([file('testing/a.ts', './b.ts'), file('testing/b.ts', './a.ts')])).toEqual([]);
});
