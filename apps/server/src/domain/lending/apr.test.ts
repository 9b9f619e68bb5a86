import { expect, test } from 'vitest';
import { addDays } from '../tenants/calendar.ts';
import { aprInBps } from './apr.ts';

const today = '2026-03-02';

function weekly(count: number, each: number, fee: number, days: number) {
  const payments = Array.from({ length: count }, (_, index) => ({
    dueDate: addDays(today, index * days),
    amountInCents: each + (index === 0 ? fee : 0),
  }));
  return aprInBps({ principalInCents: count * each, payments, today });
}

test.each([
  ['4 × 375.00 weekly, fee 30.00', weekly(4, 375_00, 30_00, 7), 709],
  ['4 × 375.00 weekly, fee 40.00', weekly(4, 375_00, 40_00, 7), 953],
  ['2 × 750.00, 15 days apart, fee 30.00', weekly(2, 750_00, 30_00, 15), 1014],
  ['no fee', weekly(4, 375_00, 0, 7), 0],
])('the rate of %s', (_, bps, expected) => {
  expect(Math.round(bps / 10)).toBe(expected);
});

test('a later payment makes the same fee a lower rate', () => {
  expect(weekly(4, 375_00, 30_00, 8)).toBeLessThan(weekly(4, 375_00, 30_00, 7));
});
