import { bigint, nullable, type Queryable, type RowOf, row, type Sql, sql, text } from '@svc/db';
import { firstIdAt } from '../../ids.ts';
import { bankTimeZone } from '../bank-time-zone.ts';
import { requirePartner } from '../partners/find-partner.ts';
import { addDays, localDate, monthOf, startOfDay } from '../tenants/calendar.ts';
import { type ReturnCategory, returnCategories } from './return-codes.ts';

/** The share of debits that banks returned, of one portal or of all, in the whole time or one month. */
export interface ReturnRate {
  /** Null: all portals together. */
  readonly pms: string | null;
  /** `2026-02`; null: the whole time. */
  readonly month: string | null;
  readonly category: ReturnCategory;
  /** Debits of bank accounts that were sent in this time. */
  readonly debits: number;
  /** Debits that came back in this time, whenever they were sent. */
  readonly returned: number;
  /** From 0 to 1; null without debits. */
  readonly rate: number | null;
  /** Nacha's limit, from 0 to 1. */
  readonly limit: number;
  readonly is_over: boolean;
}

interface Period {
  /** The first and the last day, in the time zone of the banks. */
  readonly from: string;
  readonly to: string;
}

interface RateQuery extends Period {
  /** Each month, instead of the whole time. */
  readonly byMonth?: boolean;
  /** Only this portal. */
  readonly pms?: string | undefined;
  /** Only first payments of plans. */
  readonly firstOnly?: boolean;
}

/** Nacha counts 60 days or two calendar months. */
const nachaDays = 60;

/** Returns the 60 days that end today, or on another day. Nacha's limits apply to them. */
export function nachaPeriod(now: Date, to = localDate(now, bankTimeZone)): Period {
  return { from: addDays(to, 1 - nachaDays), to };
}

/**
 * Reads the return rates of all portals together, and then of each portal that had debits or returns. As Nacha
 * counts, a rate is the returns that arrived in the time divided by the debits that were sent in it.
 * @throws Refusal `not_found` for an unknown portal
 */
export async function readReturnRates(q: Queryable, query: RateQuery): Promise<ReturnRate[]> {
  const { pms: only } = query;
  const partner = only === undefined ? undefined : await requirePartner(q, only);
  const counts = await countDebits(q, { ...query, partnerId: partner?.id });
  const months = query.byMonth ? monthsOf(query) : [null];
  const found = [...new Set(counts.map((it) => it.pms))].sort();
  return (only === undefined ? [null, ...found] : [only]).flatMap((pms) =>
    months.flatMap((month) => {
      const some = counts.filter(
        (it) => (pms === null || it.pms === pms) && (month === null || it.month === month),
      );
      return some.length === 0 && pms !== null && only === undefined
        ? []
        : ratesOf(some, { pms, month });
    }),
  );
}

const countRow = row('debits and returns', {
  pms: text,
  month: text,
  /** Null for debits that were sent. */
  code: nullable(text),
  count: bigint,
});
type Count = RowOf<typeof countRow>;

function ratesOf(
  counts: readonly Count[],
  of: Pick<ReturnRate, 'pms' | 'month'>,
): readonly ReturnRate[] {
  const sum = (some: readonly Count[]) => some.reduce((total, { count }) => total + count, 0);
  const debits = sum(counts.filter(({ code }) => code === null));
  return returnCategories.map(({ category, codes, limitPerThousand }) => {
    const known: readonly string[] | null = codes;
    const returned = sum(
      counts.filter(({ code }) => code !== null && (known === null || known.includes(code))),
    );
    return {
      ...of,
      category,
      debits,
      returned,
      rate: debits === 0 ? null : returned / debits,
      limit: limitPerThousand / 1_000,
      is_over: returned * 1_000 > debits * limitPerThousand,
    };
  });
}

function monthsOf({ from, to }: Period): string[] {
  const months = [monthOf(from)];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (months.at(-1) !== monthOf(day)) months.push(monthOf(day));
  }
  return months;
}

/** A condition for a bank's return code. Other codes belong to debits that never reached a bank. */
const isReturnCode = (code: Sql) => sql`${code} ~ '^R[0-9][0-9]$'`;

// A debit that has not succeeded yet comes back within days. Later returns are events.
const longestOpenDays = 90;

/** Counts debits and returns. Ids begin with their wall time, so the primary keys find the rows of a period. */
async function countDebits(
  q: Queryable,
  {
    from,
    to,
    byMonth,
    partnerId,
    firstOnly,
  }: RateQuery & { readonly partnerId: string | undefined },
): Promise<Count[]> {
  const start = startOfDay(from, bankTimeZone);
  const end = startOfDay(addDays(to, 1), bankTimeZone);
  const opened = startOfDay(addDays(from, -longestOpenDays), bankTimeZone);
  const month = (at: Sql) =>
    byMonth ? sql`to_char(${at} at time zone ${bankTimeZone}, 'YYYY-MM')` : sql`''`;
  const ofPortal = partnerId === undefined ? sql`true` : sql`c.partner_id = ${partnerId}`;
  const isSelected = firstOnly ? sql`${ofPortal} and c.occasion = 'first'` : ofPortal;
  // The portals are joined to the counts. Joined to the calls, each portal could read all calls of the period.
  const counted = (counts: Sql) => sql`
    select p.pms, n.month, n.code, n.count from (${counts}) n join partner p on p.id = n.partner_id`;
  const debits = (since: Date) => sql`
    processor_call c
    join payment_method m on m.partner_id = c.partner_id and m.id = c.payment_method_id
      and m.type = 'bank_account'
    where c.kind = 'charge' and c.key >= ${firstIdAt('pay', since)}
      and c.key < ${firstIdAt('pay', end)}`;
  const sent = await q.many(
    countRow,
    sql`
    /* many rows: every debit of the time */
    /* all partners, unless one is named */
    ${counted(sql`
      select c.partner_id, ${month(sql`c.created_at`)} as month, null::text as code, count(*) as count
      from ${debits(start)} and ${isSelected} and (c.state in ('processing', 'succeeded')
        or (c.state = 'failed' and ${isReturnCode(sql`c.return_code`)}))
      group by 1, 2`)}`,
  );
  const failed = await q.many(
    countRow,
    sql`
    /* many rows: every debit of the time */
    /* all partners, unless one is named */
    ${counted(sql`
      select c.partner_id, ${month(sql`c.updated_at`)} as month, c.return_code as code,
        count(*) as count
      from ${debits(opened)} and ${isSelected} and c.state = 'failed'
        and ${isReturnCode(sql`c.return_code`)}
        and c.updated_at >= ${start} and c.updated_at < ${end}
      group by 1, 2, 3`)}`,
  );
  const takenBack = await q.many(
    countRow,
    sql`
    /* many rows: every return of the time */
    /* all partners, unless one is named */
    ${counted(sql`
      select v.partner_id, ${month(sql`v.created_at`)} as month, v.return_code as code,
        count(*) as count
      from processor_event v
        join processor_call c on c.partner_id = v.partner_id and c.key = v.payment_id
          and c.state <> 'failed'
        join payment_method m on m.partner_id = c.partner_id and m.id = c.payment_method_id
          and m.type = 'bank_account'
      where v.kind = 'taken_back' and v.id >= ${firstIdAt('pev', start)}
        and v.id < ${firstIdAt('pev', end)} and ${isSelected} and ${isReturnCode(sql`v.return_code`)}
        -- A debit counts as returned once, even if its money was won and taken again.
        and not exists (select from processor_event e where e.partner_id = v.partner_id
          and e.payment_id = v.payment_id and e.kind = 'taken_back' and e.id < v.id
          and ${isReturnCode(sql`e.return_code`)})
      group by 1, 2, 3`)}`,
  );
  return [...sent, ...failed, ...takenBack];
}
