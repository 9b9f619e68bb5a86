import { Temporal } from 'temporal-polyfill';

/** Caches the last day computed in each time zone, which is usually the next one needed. */
const lastDays = new Map<string, { date: string; from: number; until: number }>();

/** The calendar day of an instant in a time zone. */
export function localDate(at: Date, timeZone: string): string {
  const known = lastDays.get(timeZone);
  const ms = at.getTime();
  if (known && ms >= known.from && ms < known.until) return known.date;
  const date = zoned(at, timeZone).toPlainDate().toString();
  const until = startOfDay(addDays(date, 1), timeZone).getTime();
  lastDays.set(timeZone, { date, from: startOfDay(date, timeZone).getTime(), until });
  return date;
}

/** When a day begins in a time zone: 00:00, or the first minute that exists if clocks change then. */
export function startOfDay(date: string, timeZone: string): Date {
  return momentOf(date, null, timeZone);
}

export function noonOf(date: string, timeZone: string): Date {
  return hourOf(date, 12, timeZone);
}

/** A full hour of a day in a time zone. */
export function hourOf(date: string, hour: number, timeZone: string): Date {
  return momentOf(date, hour, timeZone);
}

// Many tenants share few days, and time zone arithmetic costs 30 µs.
const moments = new Map<string, number>();
const mostMoments = 5_000;

function momentOf(date: string, hour: number | null, timeZone: string): Date {
  const key = `${date} ${hour} ${timeZone}`;
  const known = moments.get(key);
  if (known !== undefined) return new Date(known);
  const plainTime = hour === null ? undefined : Temporal.PlainTime.from({ hour });
  const day = Temporal.PlainDate.from(date);
  const { epochMilliseconds } = plainTime
    ? day.toZonedDateTime({ timeZone, plainTime })
    : day.toZonedDateTime(timeZone);
  if (moments.size >= mostMoments) moments.clear();
  moments.set(key, epochMilliseconds);
  return new Date(epochMilliseconds);
}

/** Adds an ISO 8601 duration by the calendar of a time zone, so that a month is a calendar month. */
export function addDuration(at: Date, duration: string, timeZone: string): Date {
  return new Date(zoned(at, timeZone).add(duration).epochMilliseconds);
}

export function addDays(date: string, days: number): string {
  return new Date(midnight(date) + days * dayMs).toISOString().slice(0, 10);
}

/** The day one month later; the last day of that month if it is shorter. */
export function addMonth(date: string): string {
  const same = `${nextMonth(date)}${date.slice(7)}`;
  const last = addDays(`${nextMonth(same)}-01`, -1);
  return same < last ? same : last;
}

export function daysBetween(from: string, to: string): number {
  return (midnight(to) - midnight(from)) / dayMs;
}

export function yearsBetween(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}

/** 1 (Monday) to 7 (Sunday). */
export function dayOfWeek(date: string): number {
  return new Date(midnight(date)).getUTCDay() || 7;
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

function nextMonth(date: string): string {
  return monthOf(addDays(`${monthOf(date)}-01`, 31));
}

const dayMs = 86_400_000;

/** Milliseconds of the date in UTC, where each day has 24 hours. */
function midnight(date: string): number {
  return Date.parse(date);
}

function zoned(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
}
