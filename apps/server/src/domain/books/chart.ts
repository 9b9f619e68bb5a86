import type { AccountKind } from '../ledger/post.ts';

type Type = 'asset' | 'liability' | 'income' | 'expense';

interface ChartAccount {
  /** For an accountant's software: 1 assets, 2 liabilities, 4 income, 5 expenses. */
  readonly number: number;
  readonly name: string;
  readonly type: Type;
}

export interface ChartLine extends ChartAccount {
  readonly kind: AccountKind;
}

/** The chart of accounts: a number and a name for each kind of account. Each partner has its own. */
export const chart: Readonly<Record<AccountKind, ChartAccount>> = {
  cash: { number: 1000, name: 'Cash at bank', type: 'asset' },
  processor_clearing: { number: 1100, name: 'Balance at the processor', type: 'asset' },
  tenant_receivable: { number: 1200, name: 'Receivable from tenants', type: 'asset' },
  partner_payable: { number: 2000, name: 'Payable to portals', type: 'liability' },
  ach_clearing: { number: 2050, name: 'ACH entries without an outcome', type: 'liability' },
  settlement_clearing: { number: 2100, name: 'Settlements on their way', type: 'liability' },
  fee_income: { number: 4000, name: 'Fees from tenants', type: 'income' },
  credit_loss: { number: 5000, name: 'Credit losses', type: 'expense' },
  processing_cost: { number: 5100, name: 'Fees of processors and banks', type: 'expense' },
  books_difference: { number: 5900, name: 'Written-off differences', type: 'expense' },
};

/** The kinds of accounts in the order of their numbers. */
export const accountKinds = (Object.keys(chart) as AccountKind[]).sort(
  (one, other) => chart[one].number - chart[other].number,
);
