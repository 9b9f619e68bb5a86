import { expect, test } from 'vitest';
import { dateInWords, dayOfMidnight, fullDate, longDate, monthName, shortDate } from './dates.ts';

const today = '2027-03-01';

test.each(['en-US', 'en'])('in %s each context has its format, month first', (locale) => {
  expect(dateInWords('2027-03-08', locale, today)).toBe('Mon,\u00a0Mar\u00a08');
  expect(shortDate('2027-03-08', locale)).toBe('Mar\u00a08');
  expect(longDate('2027-03-08', locale, today)).toBe('Monday, March 8');
  expect(fullDate('2027-03-08', locale)).toBe('March 8, 2027');
  expect(monthName('2027-03-08', locale)).toBe('March');
});

test.each(['es-US', 'es'])('in %s each context has its format, day first', (locale) => {
  expect(dateInWords('2027-03-08', locale, today)).toBe('lun,\u00a08\u00a0mar');
  expect(longDate('2027-03-08', locale, today)).toBe('lunes 8 de marzo');
  expect(fullDate('2027-03-08', locale)).toBe('8 de marzo de 2027');
  expect(monthName('2027-03-08', locale)).toBe('marzo');
});

test('a date of another year has its year', () => {
  expect(dateInWords('2028-01-04', 'en-US', '2027-12-28')).toBe('Jan\u00a04,\u00a02028');
  expect(dateInWords('2028-01-04', 'es-US', '2027-12-28')).toBe('4\u00a0ene\u00a02028');
  expect(longDate('2028-01-04', 'en-US', '2027-12-28')).toBe('January 4, 2028');
  expect(longDate('2028-01-04', 'es-US', '2027-12-28')).toBe('4 de enero de 2028');
});

test('a midnight at the property is converted to the right date from Honolulu to Sydney', () => {
  for (const hours of [-10, -6, 0, 5, 11]) {
    const opens = new Date(Date.UTC(2026, 0, 25, -hours)).toISOString();
    const closes = new Date(Date.UTC(2026, 1, 11, -hours)).toISOString();
    expect(dayOfMidnight(opens, 'leading')).toBe('2026-01-25');
    expect(dayOfMidnight(closes, 'trailing')).toBe('2026-02-10');
  }
});
