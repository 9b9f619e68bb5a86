import { isTimeZone } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDuration,
  addMonth,
  daysBetween,
  hourOf,
  localDate,
  startOfDay,
  yearsBetween,
} from './calendar.ts';

const zones = [
  'UTC',
  'America/Chicago',
  'America/Phoenix',
  'Pacific/Honolulu',
  'America/St_Johns',
  'Africa/Cairo',
  'Pacific/Apia',
];
const zone = fc.constantFrom(...zones);
const localHour = (at: Date, timeZone: string) =>
  Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(at));
const date = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })
  .map((it) => it.toISOString().slice(0, 10));

test('a day begins on that day, and nothing before it belongs to it', () => {
  fc.assert(
    fc.property(date, zone, (day, timeZone) => {
      const begins = startOfDay(day, timeZone);
      expect(localDate(begins, timeZone)).toBe(day);
      expect(localDate(new Date(begins.getTime() - 1), timeZone) < day).toBe(true);
    }),
    { numRuns: 300 },
  );
}, 30_000);

test('an hour of a day is on that day, and is that hour unless the clocks skip it', () => {
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 23 }), zone, (day, hour, timeZone) => {
      const at = hourOf(day, hour, timeZone);
      expect(localDate(at, timeZone)).toBe(day);
      const skipped = localHour(at, timeZone) === hour + 1;
      expect(skipped || localHour(at, timeZone) === hour).toBe(true);
    }),
    { numRuns: 300 },
  );
}, 30_000);

test.each([
  ['2026-01-31', '2026-02-28'],
  ['2028-01-31', '2028-02-29'],
  ['2028-02-29', '2028-03-29'],
  ['2026-03-31', '2026-04-30'],
  ['2026-12-31', '2027-01-31'],
])('a month after %s is %s', (from, to) => {
  expect(addMonth(from)).toBe(to);
});

test('a month later is the same local hour, also across a clock change', () => {
  const before = new Date('2026-02-10T18:00:00Z');
  const later = addDuration(before, 'P1M', 'America/Chicago');
  expect(later.toISOString()).toBe('2026-03-10T17:00:00.000Z');
  expect(localHour(later, 'America/Chicago')).toBe(12);
});

test('days between are calendar days, whatever the length of each', () => {
  expect(daysBetween('2026-03-07', '2026-03-09')).toBe(2);
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
});

test('a person born on 29 February comes of age on 1 March in other years', () => {
  expect(yearsBetween('2008-02-29', '2026-02-28')).toBe(17);
  expect(yearsBetween('2008-02-29', '2026-03-01')).toBe(18);
});

test('the calendar computes with each time zone that the contract accepts', () => {
  const accepted = zoneNames().filter(isTimeZone);
  for (const timeZone of accepted) {
    expect(localDate(new Date('2026-02-01T12:00:00Z'), timeZone), timeZone).toMatch(/^2026-0[12]-/);
    expect(startOfDay('2026-02-01', timeZone).getTime(), timeZone).not.toBeNaN();
  }
  expect(accepted).toEqual(expect.arrayContaining(['America/Chicago', 'EST', 'UTC', 'gmt']));
});

/** All zones of this Node.js, and each abbreviation of three letters, which end in T. */
function zoneNames(): string[] {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const abbreviations = letters.flatMap((first) => letters.map((second) => `${first}${second}t`));
  const others = ['UTC', 'gmt', 'EST', 'EST5EDT', 'US/Central', 'Asia/Kolkata', 'Etc/GMT+12'];
  return Intl.supportedValuesOf('timeZone').concat(abbreviations, others);
}
