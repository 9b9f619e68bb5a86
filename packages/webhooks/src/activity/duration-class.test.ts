import { expect, test } from 'vitest';
import { durationClass, quantile } from './duration-class.ts';

const deadlineMs = 15_000;

test('a quantile is within an eighth of the duration', () => {
  for (const ms of [3, 17, 80, 250, 1_400, 14_900]) {
    const read = quantile([{ duration: durationClass(ms), count: 1 }], 0.5, deadlineMs) ?? 0;
    expect(Math.abs(read - ms) / ms).toBeLessThanOrEqual(0.13);
  }
});

test('a quantile is the duration within which this share of attempts ended', () => {
  const counts = [
    { duration: durationClass(1_000), count: 6 },
    { duration: durationClass(10), count: 94 },
  ];
  expect(quantile(counts, 0.5, deadlineMs)).toBeLessThan(15);
  expect(quantile(counts, 0.94, deadlineMs)).toBeLessThan(15);
  expect(quantile(counts, 0.95, deadlineMs)).toBeGreaterThan(800);
  expect(quantile([], 0.5, deadlineMs)).toBeNull();
});

test('a higher share never has a shorter duration, also within one class', () => {
  const counts = [{ duration: durationClass(200), count: 40 }];
  const shares = [0.05, 0.5, 0.95, 1].map((share) => quantile(counts, share, deadlineMs) ?? 0);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares[0]).toBeLessThan(shares[3] ?? 0);
});

test('no quantile exceeds the deadline', () => {
  // The class of 15 s ends at 18.4 s. A busy event loop can also notice the deadline late.
  for (const ms of [14_990, 15_000, 15_004, 19_000]) {
    const counts = [{ duration: durationClass(ms), count: 20 }];
    for (const share of [0.5, 0.95, 1]) {
      const read = quantile(counts, share, deadlineMs);
      expect(read).toBeLessThanOrEqual(deadlineMs);
      expect(read).toBeGreaterThan(14_600);
    }
  }
});
