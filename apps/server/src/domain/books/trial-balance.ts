import { bigint, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { booksTimeZone } from './books-day.ts';
import { accountKinds, type ChartLine, chartOf } from './chart.ts';

interface TrialLine extends ChartLine {
  readonly debit_in_cents: number;
  readonly credit_in_cents: number;
}

export interface TrialBalance {
  readonly as_of: string;
  readonly lines: readonly TrialLine[];
  /** Equal: the entries of each transfer sum to zero. */
  readonly debit_in_cents: number;
  readonly credit_in_cents: number;
}

const sumRow = row('sum of an account', { kind: text, total: bigint });

/**
 * The balance of each kind of account at the end of a day, of all partners together, over sealed
 * transfers. What waits for its seal may still be in an open transaction's shadow and belongs to the
 * next run.
 */
export async function trialBalance(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  asOf: string,
): Promise<TrialBalance> {
  const chart = chartOf(service.processorRecords);
  const sums = await tx.many(
    sumRow,
    sql`
    /* many rows: a sum of the whole ledger */
    /* all partners */
    select a.kind, sum(e.amount_in_cents)::int8 as total
    from ledger_transfer l
      join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where (l.occurred_at at time zone ${booksTimeZone})::date <= ${asOf}::date
      and not exists (select from ledger_unsealed u
        where u.partner_id = l.partner_id and u.transfer_id = l.id)
    group by a.kind`,
  );
  const totals = new Map(sums.map((it) => [it.kind, it.total]));
  const lines = accountKinds(chart).map((kind): TrialLine => {
    const total = totals.get(kind) ?? 0;
    return {
      kind,
      ...chart[kind],
      debit_in_cents: Math.max(total, 0),
      credit_in_cents: Math.max(-total, 0),
    };
  });
  return {
    as_of: asOf,
    lines,
    debit_in_cents: lines.reduce((sum, it) => sum + it.debit_in_cents, 0),
    credit_in_cents: lines.reduce((sum, it) => sum + it.credit_in_cents, 0),
  };
}
