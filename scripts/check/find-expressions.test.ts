import { expect, test } from 'vitest';
import { analyze } from './analyze-expression.ts';
import { findExpressions, keyOf } from './find-expressions.ts';

function find(text: string, path = 'apps/server/src/a.ts'): string[] {
  return findExpressions([{ path, text }]).map(keyOf);
}

test('literals and expressions made of constants are found, once each', () => {
  const text = String.raw`
    const token = '[a-z]+';
    const digits = String.raw${'`'}\d+${'`'};
    const name = new RegExp(${'`'}^${'$'}{token}(?:-${'$'}{token})*${'$'}${'`'}, 'i');
    const count = new RegExp(digits + given);
    const end = (n: number) => new RegExp(${'`'}^.{${'$'}{n}}:${'`'});
    value.replace(/\/+/g, '/').split(/\/+/g);`;
  expect(find(text)).toEqual(['/^[a-z]+(?:-[a-z]+)*$/i', '/3/', '/^.{3}:/', String.raw`/\/+/g`]);
});

test('tests and the docs, which read our own pages, are left out', () => {
  expect(find('/a+$/', 'apps/server/src/a.test.ts')).toEqual([]);
  expect(find('/a+$/', 'apps/docs/src/a.ts')).toEqual([]);
  expect(find('/a+$/', 'packages/core/src/a.ts')).toEqual(['/a+$/']);
});

test.each([String.raw`\/+(?=$|\?)`, String.raw`<meta\b[^>]*>`, String.raw`\s+$`, '(a+)+b'])(
  '%s is refused',
  (pattern) => {
    expect(analyze({ pattern, flags: '' }).isLinear).toBe(false);
  },
);

test.each([
  String.raw`^\/+`,
  String.raw`<meta(?=[\s/])`,
  '^[a-z0-9][a-z0-9_-]{1,62}$',
  'a{1,300}@',
])('%s passes', (pattern) => {
  expect(analyze({ pattern, flags: '' })).toEqual({ isLinear: true, reason: '' });
});
