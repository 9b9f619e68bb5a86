import { expect, test } from 'vitest';
import { dateInWords, dayOfMidnight, fullDate, monthName, parseDate } from './dates.ts';

test('a date has weekday, day and month, and its year if it is not the current one', () => {
  expect(dateInWords('2026-03-01', 'en-US', '2026-02-01')).toBe('Sun\u00a01\u00a0Mar');
  expect(dateInWords('2027-01-04', 'en-US', '2026-12-28')).toBe('Mon\u00a04\u00a0Jan\u00a02027');
  expect(monthName('2026-02-01', 'en-US')).toBe('February');
});

test('Spanish dates have Spanish names in Spanish order', () => {
  expect(dateInWords('2026-03-01', 'es-US', '2026-02-01')).toBe('dom\u00a01\u00a0mar');
  expect(fullDate('2026-03-01', 'es-US')).toBe('1 de marzo de 2026');
  expect(fullDate('2026-03-01', 'es-MX')).toBe('1 de marzo de 2026');
  expect(fullDate('2026-03-01', 'en-US')).toBe('1 March 2026');
  expect(monthName('2026-02-01', 'es-US')).toBe('febrero');
});

test('a midnight at the property is converted to the right date from Honolulu to Sydney', () => {
  for (const hours of [-10, -6, 0, 5, 11]) {
    const opens = new Date(Date.UTC(2026, 0, 25, -hours)).toISOString();
    const closes = new Date(Date.UTC(2026, 1, 11, -hours)).toISOString();
    expect(dayOfMidnight(opens, 'leading')).toBe('2026-01-25');
    expect(dayOfMidnight(closes, 'trailing')).toBe('2026-02-10');
  }
});

test.each([
  ['2/29/2000', '2000-02-29'],
  ['04/7/1990', '1990-04-07'],
  ['04271990', '1990-04-27'],
  ['4 27 1990', '1990-04-27'],
  ['4-27-1990', '1990-04-27'],
  ['4. 27. 1990', '1990-04-27'],
  [' 04/27/1990 ', '1990-04-27'],
  ['1990-04-27', '1990-04-27'],
  ['2/29/1999', null],
  ['13/1/1990', null],
  ['27/4/1990', null],
  ['1/1/90', null],
  ['4/27', null],
  ['1990', null],
  ['', null],
])('the typed day %s is %s', (typed, day) => {
  expect(parseDate(typed)).toBe(day);
});
