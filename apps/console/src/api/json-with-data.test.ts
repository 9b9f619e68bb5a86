import { expect, test } from 'vitest';
import { jsonWithData } from './json-with-data.ts';

test('data is inserted exactly as typed', () => {
  const typed = '{ "n": 12345678901234567890, "m": 1.0,\n "b": 1, "10": 2 }';
  expect(jsonWithData({ event_type: 'plan.created' }, typed)).toBe(
    `{"event_type":"plan.created","data":${typed}}`,
  );
});

test('undefined fields are omitted, and fields may be empty', () => {
  expect(jsonWithData({ a: undefined }, '{}')).toBe('{"data":{}}');
});
