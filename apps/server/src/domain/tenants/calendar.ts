import { Temporal } from 'temporal-polyfill';

/** The calendar day of an instant in a time zone. */
export function localDate(at: Date, timeZone: string): string {
  return zoned(at, timeZone).toPlainDate().toString();
}

export function localHour(at: Date, timeZone: string): number {
  return zoned(at, timeZone).hour;
}

/** When a day begins there: 00:00, or the first minute that exists when clocks change then. */
export function startOfDay(date: string, timeZone: string): Date {
  const moment = Temporal.PlainDate.from(date).toZonedDateTime(timeZone);
  return new Date(moment.epochMilliseconds);
}

export function noonOf(date: string, timeZone: string): Date {
  return hourOf(date, 12, timeZone);
}

/** A full hour of that day there. */
export function hourOf(date: string, hour: number, timeZone: string): Date {
  const plainTime = Temporal.PlainTime.from({ hour });
  const moment = Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime });
  return new Date(moment.epochMilliseconds);
}

/** An ISO 8601 duration later, by the calendar there: a month is a month. */
export function addDuration(at: Date, duration: string, timeZone: string): Date {
  return new Date(zoned(at, timeZone).add(duration).epochMilliseconds);
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** The same day of the next month, or its last. */
export function addMonth(date: string): string {
  return Temporal.PlainDate.from(date).add({ months: 1 }).toString();
}

export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to).days;
}

export function yearsBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'years' }).years;
}

/** 1 (Monday) to 7 (Sunday). */
export function dayOfWeek(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek;
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

function zoned(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
}
