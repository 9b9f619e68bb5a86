import { expect, test } from 'vitest';
import { type JsonNode, parseJson } from './parse-json.ts';

function rebuild(node: JsonNode | null): string {
  if (node === null) return '';
  if (!('children' in node)) return node.source;
  const inside = node.children.map(({ key, node: child }) =>
    key === null ? rebuild(child) : `${JSON.stringify(key)}:${rebuild(child)}`,
  );
  return node.kind === 'array' ? `[${inside.join(',')}]` : `{${inside.join(',')}}`;
}

test.each([
  '{}',
  '[]',
  '"a"',
  'null',
  '-1.5e+10',
  '[1,[2,[]],{"a":{"b":[true,false,null]}}]',
  '{"id":12345678901234567890,"x":1.10}',
  '{"a":1,"a":2}',
  '{"quote \\" brace } \\\\":"[,]:{}"}',
])('%s keeps every digit, key and order', (text) => {
  expect(rebuild(parseJson(text))).toBe(text);
});

test('whitespace is dropped from the tree but kept in the source', () => {
  const tree = parseJson(' { "a" : [ 1 , 2 ] } ');
  expect(rebuild(tree)).toBe('{"a":[1,2]}');
  expect(tree?.source).toBe('{ "a" : [ 1 , 2 ] }');
});

test.each(['', '{', 'hello', '{"a":}', '<html>'])('%j is not JSON', (text) => {
  expect(parseJson(text)).toBeNull();
});

test('JSON nested too deeply returns null instead of breaking the page', () => {
  expect(parseJson(`${'['.repeat(100)}${']'.repeat(100)}`)).not.toBeNull();
  expect(parseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeNull();
});
