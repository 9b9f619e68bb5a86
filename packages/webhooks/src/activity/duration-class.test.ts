import { expect, test } from 'vitest';
import { durationClass, quantile } from './duration-class.ts';

test('a quantile is right within an eighth', () => {
  for (const ms of [3, 17, 80, 250, 1_400, 14_900]) {
    const read = quantile([{ duration: durationClass(ms), count: 1 }], 0.5) ?? 0;
    expect(Math.abs(read - ms) / ms).toBeLessThanOrEqual(0.13);
  }
});

test('a quantile is the duration that this share stays within', () => {
  const counts = [
    { duration: durationClass(1_000), count: 6 },
    { duration: durationClass(10), count: 94 },
  ];
  expect(quantile(counts, 0.5)).toBeLessThan(15);
  expect(quantile(counts, 0.94)).toBeLessThan(15);
  expect(quantile(counts, 0.95)).toBeGreaterThan(800);
  expect(quantile([], 0.5)).toBeNull();
});
