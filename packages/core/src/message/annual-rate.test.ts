import { expect, test } from 'vitest';
import { annualRate } from './annual-rate.ts';

test.for([
  [37_500, 3, 3000, 7, '70.9'],
  [37_500, 3, 4000, 7, '95.3'],
  [75_000, 1, 3000, 15, '101.4'],
  [37_500, 3, 0, 7, '0.0'],
] as const)(
  '%i cents × %i more, fee %i, every %i days: %s %%',
  ([rest, count, fee, days, rate]) => {
    expect((annualRate(rest, count, fee, days) * 100).toFixed(1)).toBe(rate);
  },
);

test('a fee as high as the amount lent has no rate', () => {
  expect(annualRate(1000, 1, 1000, 7)).toBe(Number.POSITIVE_INFINITY);
});
