import { allForYear } from '@18f/us-federal-holidays';
import { cutOffHour } from '../partners/operating-hours.ts';
import { addDays, dayOfWeek, hourOf, localDate } from './calendar.ts';
import type { TenantTime } from './time.ts';

/** A weekday on which the Federal Reserve settles. Its Saturday holidays are not moved. */
export function isBankingDay(date: string): boolean {
  return dayOfWeek(date) <= 5 && !holidaysOf(Number(date.slice(0, 4))).has(date);
}

export function nextBankingDay(date: string): string {
  return isBankingDay(date) ? date : nextBankingDay(addDays(date, 1));
}

export function previousBankingDay(date: string): string {
  return isBankingDay(date) ? date : previousBankingDay(addDays(date, -1));
}

/** The day that is this many banking days after `date`. */
export function addBankingDays(date: string, days: number): string {
  return days === 0 ? date : addBankingDays(nextBankingDay(addDays(date, 1)), days - 1);
}

/** The banking day on which the portal may debit us: today if it is before 14:00 there, otherwise the next one. */
export function debitBy(at: TenantTime, timeZone: string): string {
  const today = localDate(at, timeZone);
  const isAfterCutOff = at >= hourOf(today, cutOffHour, timeZone);
  const first = nextBankingDay(today);
  return isAfterCutOff && first === today ? nextBankingDay(addDays(today, 1)) : first;
}

const holidaysByYear = new Map<number, Set<string>>();

/** Cached, because the library computes a whole year at each call (0.3 ms). */
function holidaysOf(year: number): Set<string> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const holidays = allForYear(year, {
    shiftSaturdayHolidays: false,
    shiftSundayHolidays: true,
  });
  const dates = new Set(holidays.map((it) => it.dateString));
  holidaysByYear.set(year, dates);
  return dates;
}
