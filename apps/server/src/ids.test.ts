import { expect, test } from 'vitest';
import { newId, timeOfId } from './ids.ts';

test('ids sort in the order of their creation, also within one millisecond', () => {
  const moments = ['2026-01-20T15:00:00.000Z', '2026-01-20T15:00:00.001Z'];
  const ids = moments.flatMap((at) =>
    Array.from({ length: 200 }, () => newId('evt', new Date(at))),
  );
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(400);
  expect(ids.every((id) => /^evt_[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toBe(true);
});

test('the ids of one request sort in the order of their creation while other requests create theirs', () => {
  const [first, second] = [
    new Date('2026-01-20T15:00:00.002Z'),
    new Date('2026-01-20T15:00:00.003Z'),
  ];
  const ids = Array.from({ length: 200 }, () => {
    newId('evt', second);
    return newId('evt', first);
  });
  expect([...ids].sort()).toEqual(ids);
});

test('an id contains the time of its creation', () => {
  const now = new Date('2026-01-20T15:00:00.123Z');
  expect(timeOfId(newId('aud', now))).toEqual(now);
  expect(() => timeOfId('aud_')).toThrow('aud_ is not an id.');
});
