import { expect, test } from 'vitest';
import { decodeBody, parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(decodeBody(Buffer.from(text)));

test('an empty body is no body, and a byte order mark is not content', () => {
  expect(parse('')).toBeUndefined();
  expect(parse('\ufeff{"a": 1}')).toEqual({ a: 1 });
});

test('brackets in strings are not nesting', () => {
  const text = JSON.stringify({ a: '['.repeat(100), b: '"[\\"{'.repeat(100) });
  expect(parse(text)).toEqual(JSON.parse(text));
});

test('64 levels fit and 65 do not', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(parse(nested(64))).toBeInstanceOf(Array);
  expect(() => parse(nested(65))).toThrow('nested deeper than 64');
});

test.each(['{"__proto__": 1}', '{"\\u005f\\u005fproto\\u005F_": 1}', '{"a": [{"__proto__" : 1}]}'])(
  '%s is refused',
  (text) => {
    expect(() => parse(text)).toThrow('__proto__');
  },
);

test('the name is accepted as a value', () => {
  const text = JSON.stringify({ note: 'about "__proto__": it is a key' });
  expect(parse(text)).toEqual(JSON.parse(text));
});
