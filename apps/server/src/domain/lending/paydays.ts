import type { Paydays } from '@svc/contract';
import { addDays, dayOfWeek, daysBetween, monthOf } from '../tenants/calendar.ts';
import { bankingDay, type Part, type SplitDays, windowOf } from './split.ts';

/** Lists the paydays from one day to another, both included. */
export function listPaydays(paydays: Paydays, from: string, to: string): string[] {
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) =>
    addDays(from, index),
  );
  return days.filter((day) => isPayday(paydays, day));
}

function isPayday(paydays: Paydays, date: string): boolean {
  switch (paydays.frequency) {
    case 'weekly':
      return dayOfWeek(date) === paydays.weekday;
    case 'biweekly':
      return daysBetween(paydays.payday, date) % 14 === 0;
    case 'semimonthly':
      return paydays.days.some((day) => isDayOfMonth(date, day));
    case 'monthly':
      return isDayOfMonth(date, paydays.day);
  }
}

/** Returns whether the date is this day of its month. A day that the month doesn't have falls on its last day. */
function isDayOfMonth(date: string, day: number): boolean {
  const dayOfMonth = Number(date.slice(8));
  const isLast = monthOf(addDays(date, 1)) !== monthOf(date);
  return dayOfMonth === day || (isLast && dayOfMonth < day);
}

/**
 * Returns the due dates that the paydays after today allow: banking days that are at least as far apart as the terms
 * ask, and within the same limits as the standard dates.
 */
export function paydayDueDates(paydays: Paydays, on: SplitDays): string[] {
  const { today, terms } = on;
  const { last } = windowOf(on);
  const days: string[] = [];
  for (const payday of listPaydays(paydays, addDays(today, 1), last)) {
    const day = bankingDay(payday, last);
    if (daysBetween(days.at(-1) ?? today, day) >= terms.daysApart) days.push(day);
  }
  return days;
}

/**
 * Moves each part after the first to one of these days: to the one that spreads the parts most evenly and
 * leaves a day for each part after it. Null if there are too few days.
 */
export function moveToPaydays(
  parts: readonly Part[],
  days: readonly string[],
  on: SplitDays,
): Part[] | null {
  const [first, ...later] = parts;
  if (!first || days.length < later.length) return null;
  const step = Math.floor(windowOf(on).span / parts.length);
  let used = 0;
  const moved = later.map((part, index) => {
    const candidates = days.slice(used, days.length - (later.length - 1 - index));
    const dueDate = closest(candidates, addDays(on.today, step * (index + 1)));
    used = days.indexOf(dueDate) + 1;
    return { ...part, dueDate };
  });
  return [first, ...moved];
}

/** Returns the day that is closest to the date: the earlier one of two that are equally close. */
function closest(days: readonly string[], date: string): string {
  const distance = (day: string) => Math.abs(daysBetween(date, day));
  return days.reduce((best, day) => (distance(day) < distance(best) ? day : best));
}
