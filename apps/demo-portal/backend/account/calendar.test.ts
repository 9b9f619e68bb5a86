import { expect, test } from 'vitest';
import { dayAt, firstOfMonth, lateFeeFrom, nextFirst } from './calendar.ts';

test.each([
  ['2026-03-01', '2026-04-01'],
  ['2026-03-05', '2026-04-01'],
  ['2026-03-15', '2026-04-01'],
  ['2026-01-31', '2026-02-01'],
  ['2026-12-31', '2027-01-01'],
  ['2028-02-29', '2028-03-01'],
  ['2027-02-28', '2027-03-01'],
])('after %s the next first is %s', (day, first) => {
  expect(nextFirst(day)).toBe(first);
});

test('crosses the year boundary in both directions', () => {
  expect(firstOfMonth('2026-01-31', -1)).toBe('2025-12-01');
  expect(firstOfMonth('2026-01-31', -13)).toBe('2024-12-01');
  expect(firstOfMonth('2026-11-30', 3)).toBe('2027-02-01');
});

test('uses the property’s time zone, not the machine’s', () => {
  const evening = new Date('2026-02-01T03:30:00Z');
  expect(dayAt(evening, 'America/Chicago')).toBe('2026-01-31');
  expect(dayAt(evening, 'UTC')).toBe('2026-02-01');
  expect(dayAt(new Date('2028-02-29T12:00:00Z'), 'America/Chicago')).toBe('2028-02-29');
});

test('starts late fees after five days', () => {
  expect(lateFeeFrom('2026-12-01')).toBe('2026-12-06');
});
