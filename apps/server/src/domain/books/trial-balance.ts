import type { Ctx } from '../../context.ts';
import { totalsThrough } from '../ledger/day-totals.ts';
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

/**
 * Returns the balance of each kind of account at the end of a day, of all partners together, over sealed
 * transfers. What waits for its seal may still be in an open transaction's shadow and belongs to the
 * next run.
 */
export async function trialBalance(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  asOf: string,
): Promise<TrialBalance> {
  const chart = chartOf(service.processorRecords);
  const totals = await totalsThrough(tx, asOf);
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
