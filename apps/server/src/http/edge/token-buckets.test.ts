import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

let time: number;
const clock = { now: () => new Date(time), after: () => () => {} };
beforeEach(() => {
  time = 0;
});

test('a bucket admits its capacity at once, and one more call for each token that comes back', () => {
  const buckets = new TokenBuckets(clock, 3, 3_000);
  const admitted = () => buckets.take('a').admitted;
  expect([admitted(), admitted(), admitted(), admitted()]).toEqual([true, true, true, false]);
  time = 999;
  expect(admitted()).toBe(false);
  time = 1_000;
  expect([admitted(), admitted()]).toEqual([true, false]);
});

test('take returns what is left and the waits', () => {
  const buckets = new TokenBuckets(clock, 4, 1_000);
  expect(buckets.take('a')).toEqual({ admitted: true, left: 3, nextMs: 0, fullMs: 250 });
  for (let call = 0; call < 3; call += 1) buckets.take('a');
  time = 100;
  expect(buckets.take('a')).toEqual({ admitted: false, left: 0, nextMs: 150, fullMs: 900 });
});

test('a bucket that other processes overdrew is paid back before it admits a call', () => {
  const buckets = new TokenBuckets(clock, 10, 1_000);
  buckets.take('a');
  expect(buckets.takeUsage(1)).toEqual([{ client: 'a', taken: 1 }]);
  buckets.adopt([{ client: 'a', tokens: -5 }], new Date(0));
  time = 599;
  expect(buckets.take('a').admitted).toBe(false);
  time = 600;
  expect(buckets.take('a').admitted).toBe(true);
});

test('calls made during an exchange stay counted', () => {
  const buckets = new TokenBuckets(clock, 10, 1_000);
  buckets.take('a');
  buckets.takeUsage(1);
  buckets.take('a');
  buckets.adopt([{ client: 'a', tokens: 4 }], new Date(0));
  expect(buckets.take('a').left).toBe(2);
  expect(buckets.takeUsage(1)).toEqual([{ client: 'a', taken: 2 }]);
});

test('a clock that is set back neither adds nor removes tokens', () => {
  const buckets = new TokenBuckets(clock, 2, 1_000);
  time = 10_000;
  buckets.take('a');
  buckets.take('a');
  time = 5_000;
  expect(buckets.take('a').admitted).toBe(false);
  time = 10_500;
  expect(buckets.take('a').admitted).toBe(true);
});

test('dropping full buckets changes no answer', () => {
  const calls = fc.array(
    fc.record({ client: fc.constantFrom('a', 'b', 'c'), afterMs: fc.nat(700), drop: fc.boolean() }),
    { maxLength: 60 },
  );
  fc.assert(
    // 1/256 of a token is refilled each millisecond, which a double represents exactly.
    fc.property(calls, (list) => {
      time = 0;
      const kept = new TokenBuckets(clock, 4, 1_024);
      const dropping = new TokenBuckets(clock, 4, 1_024);
      for (const { client, afterMs, drop } of list) {
        time += afterMs;
        if (drop) {
          dropping.takeUsage(10);
          dropping.dropFull();
        }
        expect(dropping.take(client)).toEqual(kept.take(client));
      }
    }),
  );
});
