import { type Sql, sql } from '@svc/db';
import { bankTimeZone } from '../partners/operating-hours.ts';
import { localDate } from '../tenants/calendar.ts';

/** A day of the books is a banking day's. */
export const booksTimeZone = bankTimeZone;

export function booksDay(at: Date): string {
  return localDate(at, booksTimeZone);
}

/** The day of an instant, as an expression of a statement. */
export function dayOf(instant: Sql): Sql {
  return sql`(${instant} at time zone ${booksTimeZone})::date`;
}
