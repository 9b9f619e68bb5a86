import type { ProcessorKind } from '../../processor-kinds.ts';
import type { AccountKind } from '../ledger/post.ts';
import type { ChartAccount, ProcessorRecords } from '../payments/processor-records.ts';

export interface ChartLine extends ChartAccount {
  readonly kind: AccountKind;
}

/** A number and a name for each kind of account. Each partner has its own accounts. */
type Chart = Readonly<Record<AccountKind, ChartAccount>>;

const ownAccounts: Omit<Chart, ProcessorKind<'account'>> = {
  cash: { number: 1000, name: 'Cash at bank', type: 'asset' },
  processor_clearing: { number: 1100, name: 'Balance at the processor', type: 'asset' },
  tenant_receivable: { number: 1200, name: 'Receivable from tenants', type: 'asset' },
  partner_payable: { number: 2000, name: 'Payable to portals', type: 'liability' },
  settlement_clearing: { number: 2100, name: 'Settlements on their way', type: 'liability' },
  fee_income: { number: 4000, name: 'Fees from tenants', type: 'income' },
  credit_loss: { number: 5000, name: 'Credit losses', type: 'expense' },
  processing_cost: { number: 5100, name: 'Fees of processors and banks', type: 'expense' },
  books_difference: { number: 5900, name: 'Written-off differences', type: 'expense' },
};

/** Returns the chart of accounts, in the order of their numbers. */
export function chartOf(processors: readonly Pick<ProcessorRecords, 'accounts'>[]): Chart {
  const accounts = Object.assign({}, ownAccounts, ...processors.map((it) => it.accounts)) as Chart;
  const lines = Object.entries(accounts).sort(([, one], [, other]) => one.number - other.number);
  return Object.fromEntries(lines) as unknown as Chart;
}

/** Returns the kinds of accounts in the order of their numbers. */
export function accountKinds(chart: Chart): AccountKind[] {
  return Object.keys(chart) as AccountKind[];
}
