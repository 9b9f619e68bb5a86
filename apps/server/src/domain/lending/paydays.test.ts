import type { Paydays } from '@svc/contract';
import { expect, test } from 'vitest';
import { defaultTerms as terms } from '../partners/terms.ts';
import { listPaydays, moveToPaydays, paydayDueDates } from './paydays.ts';
import { splitIntoParts } from './split.ts';

test.each<[string, Paydays, string[]]>([
  ['every Friday', { frequency: 'weekly', weekday: 5 }, ['02-04', '02-11', '02-18', '02-25']],
  ['every other Friday', { frequency: 'biweekly', payday: '2028-02-11' }, ['02-11', '02-25']],
  ['the same, from last year', { frequency: 'biweekly', payday: '2027-12-03' }, ['02-11', '02-25']],
  ['the same, from next year', { frequency: 'biweekly', payday: '2029-02-09' }, ['02-11', '02-25']],
  [
    'the 15th and the 1st',
    { frequency: 'semimonthly', days: [15, 1] },
    ['02-01', '02-15', '03-01'],
  ],
  ['the 15th and the last day', { frequency: 'semimonthly', days: [15, 31] }, ['02-15', '02-29']],
  ['the 29th and the 30th', { frequency: 'semimonthly', days: [29, 30] }, ['02-29']],
  ['the 30th', { frequency: 'monthly', day: 30 }, ['02-29']],
])('the paydays of February 2028: %s', (_, paydays, days) => {
  expect(listPaydays(paydays, '2028-02-01', '2028-03-01')).toEqual(days.map((it) => `2028-${it}`));
});

test.each<[string, Paydays, (string[] | null)[]]>([
  [
    'every Friday',
    { frequency: 'weekly', weekday: 5 },
    [['02-13'], ['02-13', '02-20'], ['02-06', '02-13', '02-20']],
  ],
  // The Tuesday two days after the first payment would leave a gap later.
  [
    'every Tuesday',
    { frequency: 'weekly', weekday: 2 },
    [['02-17'], ['02-10', '02-17'], ['02-10', '02-17', '02-24']],
  ],
  [
    'every other Tuesday',
    { frequency: 'biweekly', payday: '2026-02-03' },
    [['02-17'], ['02-03', '02-17'], null],
  ],
  // The 15th is a Sunday, and the Monday after it a holiday.
  ['the 1st and the 15th', { frequency: 'semimonthly', days: [1, 15] }, [['02-17'], null, null]],
  // The 28th is a Saturday, and no banking day is left before the next rent, so it is the Friday before.
  ['the last day', { frequency: 'monthly', day: 31 }, [['02-27'], null, null]],
  ['the 1st', { frequency: 'monthly', day: 1 }, [null, null, null]],
])('a rent split on Sunday, February 1, 2026: %s', (_, paydays, expected) => {
  const on = { today: '2026-02-01', cycleDueDate: '2026-02-01', terms };
  const days = paydayDueDates(paydays, on);
  const placed = [2, 3, 4].map((count) => {
    const parts = splitIntoParts({ ...on, principalInCents: 152_012, count });
    const moved = parts && moveToPaydays(parts, days, on);
    return moved?.slice(1).map((it) => it.dueDate.slice(5)) ?? null;
  });
  expect(placed).toEqual(expected);
});
