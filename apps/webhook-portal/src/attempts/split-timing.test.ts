import { expect, test } from 'vitest';
import { describeMs, splitTiming } from './split-timing.ts';

test('the wait is what the first byte took beyond opening the connection', () => {
  const parts = splitTiming({ dns: 10, connect: 20, tls: 30, first_byte: 160, total: 200 });
  expect(parts.map(({ className, ms }) => [className, ms])).toEqual([
    ['dns', 10],
    ['connect', 20],
    ['tls', 30],
    ['wait', 100],
    ['read', 40],
  ]);
});

test('a connection used before has no opening; without an answer all of the time is waiting', () => {
  const parts = splitTiming({
    dns: null,
    connect: null,
    tls: null,
    first_byte: null,
    total: 15_000,
  });
  expect(parts.map(({ className, ms }) => [className, ms])).toEqual([['wait', 15_000]]);
});

test.each([
  [0.84, '0.8 ms'],
  [213.4, '213 ms'],
  [15_003, '15.0 s'],
])('%d is %s', (ms, words) => expect(describeMs(ms)).toBe(words));
