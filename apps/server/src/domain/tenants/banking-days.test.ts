import { expect, test } from 'vitest';
import type { TenantTime } from '../../tenant-time.ts';
import { addBankingDays, debitBy, isBankingDay, nextBankingDay } from './banking-days.ts';

test.each([
  ['2026-02-16', false, 'Presidents’ Day'],
  ['2026-07-03', true, 'a Saturday holiday is not moved to the Friday'],
  ['2027-07-05', false, 'a Sunday holiday is observed on the Monday'],
  ['2026-02-14', false, 'a Saturday'],
  ['2026-02-17', true, 'an ordinary Tuesday'],
])('%s is a banking day: %s (%s)', (date, expected) => {
  expect(isBankingDay(date)).toBe(expected);
});

test('the next banking day of a banking day is that day', () => {
  expect(nextBankingDay('2026-02-17')).toBe('2026-02-17');
  expect(nextBankingDay('2026-02-14')).toBe('2026-02-17');
});

test('three banking days later skips weekends and holidays', () => {
  expect(addBankingDays('2026-02-12', 3)).toBe('2026-02-18');
  expect(addBankingDays('2026-02-17', 3)).toBe('2026-02-20');
});

test.each([
  ['2026-02-17T19:59:00Z', '2026-02-17', 'before 14:00 in Chicago'],
  ['2026-02-17T20:00:00Z', '2026-02-18', 'from 14:00 on'],
  ['2026-02-14T23:00:00Z', '2026-02-17', 'a weekend has no separate cut-off'],
])('accepted at %s, the portal debits by %s: %s', (at, expected) => {
  expect(debitBy(new Date(at) as TenantTime, 'America/Chicago')).toBe(expected);
});
