import { expect, test } from 'vitest';
import { deliveryId, firstId, newId } from './ids.ts';

const now = new Date('2026-01-15T12:00:00.123Z');
const later = new Date(now.getTime() + 1);

test('an id is its prefix and 26 characters of Crockford base 32', () => {
  expect(newId('evt', now)).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('ids sort by time, and in the order they were made within a millisecond', () => {
  const made = Array.from({ length: 5_000 }, (_, index) =>
    newId('att', index < 2_500 ? now : later),
  );
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('the first id of a moment lies between the ids before and after it', () => {
  expect(newId('evt', now) < firstId('evt', later)).toBe(true);
  expect(newId('evt', later) > firstId('evt', later)).toBe(true);
});

test('the id of a delivery is derived from its message and endpoint', () => {
  const [message, endpoint] = [newId('evt', now), newId('ep', now)];
  const id = deliveryId(message, endpoint);
  expect(id).toMatch(/^dlv_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(deliveryId(message, endpoint)).toBe(id);
  expect(deliveryId(message, newId('ep', now))).not.toBe(id);
  expect(id.slice(4, 14)).toBe(message.slice(4, 14));
});
