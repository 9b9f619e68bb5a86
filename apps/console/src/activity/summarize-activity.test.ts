import { expect, test } from 'vitest';
import { axisTop, countOutcomes, percentOf } from './summarize-activity.ts';

test('a success rate never rounds to 0% or 100%', () => {
  expect(percentOf(0, 0)).toBeNull();
  expect(percentOf(5, 5)).toBe('100%');
  expect(percentOf(99_999, 100_000)).toBe('99.9%');
  expect(percentOf(1, 100_000)).toBe('0.1%');
  expect(percentOf(0, 7)).toBe('0%');
  expect(percentOf(2, 3)).toBe('66.7%');
});

test('buckets are summed', () => {
  const buckets = [
    { delivered: 3, failed: 1 },
    { delivered: 0, failed: 0 },
    { delivered: 4, failed: 2 },
  ];
  expect(countOutcomes(buckets)).toEqual({ delivered: 7, failed: 3, successPercent: '70%' });
});

test('an axis ends on a round number above every value', () => {
  expect([0, 1, 2, 3, 7, 10, 11, 51, 200, 201, 5_000, 5_001].map(axisTop)).toEqual([
    1, 1, 2, 3, 8, 10, 12, 60, 200, 250, 5_000, 6_000,
  ]);
});
