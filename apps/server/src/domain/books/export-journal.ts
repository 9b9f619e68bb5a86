import { bigint, date, instant, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { csvLine } from '../csv-line.ts';
import type { AccountKind } from '../ledger/post.ts';
import { booksTimeZone } from './books-day.ts';
import { chartOf } from './chart.ts';

export interface Journal {
  readonly from: string;
  readonly to: string;
  readonly entries: number;
  readonly csv: string;
}

interface Days {
  readonly from: string;
  /** Inclusive. */
  readonly to: string;
}

const entryRow = row('entry of the journal', {
  day: date,
  posted_at: instant,
  transfer_id: text,
  kind: text,
  source_id: text,
  pms: text,
  account_kind: text,
  amount_in_cents: bigint,
});

const columns = [
  'date',
  'posted_at',
  'transfer',
  'kind',
  'source',
  'partner',
  'account',
  'account_name',
  'debit',
  'credit',
];

/** Exports every entry of the days as CSV for an accountant: one row each, with its debit or credit in dollars. */
export async function exportJournal(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { from, to }: Days,
): Promise<Journal> {
  const chart = chartOf(service.processorRecords);
  const entries = await tx.many(
    entryRow,
    sql`
    /* many rows: a day of the books */
    /* all partners */
    select (l.occurred_at at time zone ${booksTimeZone})::date as day, l.created_at as posted_at,
      l.id as transfer_id, l.kind, l.source_id, p.pms, a.kind as account_kind, e.amount_in_cents
    from ledger_transfer l
      join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
      join partner p on p.id = l.partner_id
    where (l.occurred_at at time zone ${booksTimeZone})::date between ${from}::date and ${to}::date
    order by 1, l.id, e.amount_in_cents desc, a.kind, e.account_id`,
  );
  const rows = entries.map((it) => {
    const { number, name } = chart[it.account_kind as AccountKind];
    const cents = it.amount_in_cents;
    return csvLine([
      it.day,
      it.posted_at.toISOString(),
      it.transfer_id,
      it.kind,
      it.source_id,
      it.pms,
      number,
      name,
      cents > 0 ? dollars(cents) : '',
      cents < 0 ? dollars(-cents) : '',
    ]);
  });
  return { from, to, entries: rows.length, csv: [csvLine(columns), ...rows].join('') };
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
