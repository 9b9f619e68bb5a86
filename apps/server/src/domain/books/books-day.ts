import { type Sql, sql } from '@svc/db';
import { localDate } from '../tenants/calendar.ts';

/** The Federal Reserve settles in Eastern time, so a day of the books is a day there. */
export const booksTimeZone = 'America/New_York';

export function booksDay(at: Date): string {
  return localDate(at, booksTimeZone);
}

/** The day of an instant, as an expression of a statement. */
export function dayOf(instant: Sql): Sql {
  return sql`(${instant} at time zone ${booksTimeZone})::date`;
}
