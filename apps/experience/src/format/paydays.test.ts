import type { Paydays } from '@svc/contract';
import { expect, test } from 'vitest';
import { answersOf, dayValues, paydaysOf } from './paydays.ts';

const today = '2026-02-01';

test.each<Paydays>([
  { frequency: 'weekly', weekday: 7 },
  { frequency: 'biweekly', payday: '2026-02-14' },
  { frequency: 'semimonthly', days: [15, 31] },
  { frequency: 'monthly', day: 1 },
])('the answers for %j are values of the selects, and mean the same', (paydays) => {
  const answers = answersOf(paydays, today);
  for (const day of answers.days) expect(dayValues(paydays.frequency, today)).toContain(day);
  expect(paydaysOf(answers)).toEqual(paydays);
});

test.each([
  ['2025-12-20', '2026-02-14'],
  ['2026-02-01', '2026-02-01'],
  ['2026-03-13', '2026-02-13'],
])('of paydays every other week with %s, the next one is %s', (payday, next) => {
  expect(answersOf({ frequency: 'biweekly', payday }, today).days).toEqual([next]);
});

test('incomplete answers are no paydays', () => {
  expect(paydaysOf({ frequency: '', days: [] })).toBeNull();
  expect(paydaysOf({ frequency: 'weekly', days: [] })).toBeNull();
  expect(paydaysOf({ frequency: 'semimonthly', days: ['', '15'] })).toBeNull();
  expect(paydaysOf({ frequency: 'semimonthly', days: ['1', ''] })).toBeNull();
});
