import { expect, test } from 'vitest';
import { compactTime, describeAge, describeSpan, describeWait } from './format-time.ts';

const s = 1_000;
const min = 60 * s;
const h = 60 * min;
const day = 24 * h;

test.each([
  [5 * day - min, 'in 5 days'],
  [4 * day + 13 * h, 'in 5 days'],
  [4 * day + 11 * h, 'in 4 days'],
  [2 * day - 10 * min, 'in 2 days'],
  [47 * h + 20 * min, 'in 47 h'],
  [59 * min + 40 * s, 'in 1 h'],
  [59_700, 'in 1 min'],
  [4 * s, 'in 4 s'],
  [200, 'now'],
])('a wait of %d ms is rounded to the nearest: %s', (ms, words) => {
  expect(describeWait(ms)).toBe(words);
});

test.each([
  [4 * day + 23 * h, '4 days ago'],
  [59_900, '59 s ago'],
  [2 * s, 'just now'],
])('an age of %d ms counts what has passed: %s', (ms, words) => {
  expect(describeAge(ms)).toBe(words);
});

test('a duration is rounded down', () => {
  expect(describeSpan(2 * h)).toBe('2 h');
  expect(describeSpan(119 * s)).toBe('1 min');
});

test('the exact time includes its zone, and the date if it is not today', () => {
  const now = new Date(2026, 1, 10, 18, 0, 0).getTime();
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const today = compactTime(new Date(2026, 1, 10, 7, 8, 9).getTime(), now);
  expect(today).toMatch(/7:08:09/);
  expect(today).toContain(zone);
  expect(today).not.toMatch(/Feb/);
  const yesterday = compactTime(new Date(2026, 1, 9, 23, 8, 9).getTime(), now);
  expect(yesterday).toMatch(/Feb 9.*11:08/);
  expect(yesterday).toContain(zone);
  expect(compactTime(new Date(2025, 1, 9, 23, 8, 9).getTime(), now)).toContain('2025');
});
