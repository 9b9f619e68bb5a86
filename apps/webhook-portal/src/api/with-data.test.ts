import { expect, test } from 'vitest';
import { withData } from './with-data.ts';

test('data is inserted as it was typed', () => {
  const typed = '{ "n": 12345678901234567890, "m": 1.0,\n "b": 1, "10": 2 }';
  expect(withData({ event_type: 'plan.created' }, typed)).toBe(
    `{"event_type":"plan.created","data":${typed}}`,
  );
});

test('what is undefined is left out, and no field is needed', () => {
  expect(withData({ a: undefined }, '{}')).toBe('{"data":{}}');
});
