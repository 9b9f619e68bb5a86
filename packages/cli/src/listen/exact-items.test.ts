import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactItems } from './exact-items.ts';

test('returns each item as the service wrote it', () => {
  const items = [
    '{"id":"evt_1","data":{"n":1.0,"big":12345678901234567890,"10":1,"2":2,"s":"a\\"]}\\\\"}}',
    '{ "id" : "evt_2", "data":{"u":"\\u00e9\\/"} }',
    '{}',
  ];
  const json = `{"error": null, "data": {"next_cursor":"items", "items" : [ ${items.join(' ,\n')} ]}}`;
  expect(exactItems(json)).toEqual(items);
  expect(JSON.stringify(JSON.parse(json).data.items[0])).not.toBe(items[0]);
});

test('finds as many items as JSON.parse, equal in value, in any response', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.nat(3), (items, other, space) => {
      const json = JSON.stringify({ error: null, data: { other, items } }, null, space);
      expect(exactItems(json).map((text) => JSON.parse(text))).toEqual(JSON.parse(json).data.items);
    }),
  );
});

test('a response without items has none', () => {
  expect(exactItems('{"error":null,"data":{}}')).toEqual([]);
  expect(exactItems('{"error":null,"data":null}')).toEqual([]);
});
