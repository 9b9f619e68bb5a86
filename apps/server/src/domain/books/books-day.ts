import { date, nullable, type Queryable, row, sql } from '@svc/db';
import { bankTimeZone } from '../bank-time-zone.ts';
import { localDate } from '../tenants/calendar.ts';

/** Days of the books begin and end as banking days do. */
export const booksTimeZone = bankTimeZone;

export function booksDay(at: Date): string {
  return localDate(at, booksTimeZone);
}

const newestRow = row('newest day of the books', { day: nullable(date) });

/**
 * The day from which ages are counted. The clocks of simulated tenants run ahead of ours, so in the sandbox it is
 * the newest day that the ledger or a statement has reached.
 */
export async function booksToday(
  q: Queryable,
  { today, isSandbox }: { readonly today: string; readonly isSandbox: boolean },
): Promise<string> {
  if (!isSandbox) return today;
  const { day } = await q.one(
    newestRow,
    sql`
    /* many rows: a day of the books */
    /* all partners */
    select greatest((select max(day) from book_item), (select max(to_day) from bank_statement)) as day`,
  );
  return day !== null && day > today ? day : today;
}
