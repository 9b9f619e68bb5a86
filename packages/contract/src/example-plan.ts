import { exampleIds } from './describe-schema.ts';

/**
 * The plan of all examples: $1,520.12 that is due on a Sunday in Austin, in four payments. The first adds the
 * fee, and February 16 is a bank holiday. `examples-follow-rules.test.ts` compares it with a quote.
 */
export const examplePlan = {
  rent_cycle_date: '2026-02-01',
  amount_financed_in_cents: 152012,
  fee_in_cents: 3000,
  total_of_payments_in_cents: 155012,
  apr_bps: 6403,
} as const;

export const examplePayments = [
  { number: 1, due_date: '2026-02-01', amount_in_cents: 41003 },
  { number: 2, due_date: '2026-02-09', amount_in_cents: 38003 },
  { number: 3, due_date: '2026-02-17', amount_in_cents: 38003 },
  { number: 4, due_date: '2026-02-23', amount_in_cents: 38003 },
] as const;

/** The installments after the first payment. */
export const exampleInstallments = examplePayments.map((it) => ({
  id: exampleIds.installment.replace(/6$/, String(it.number)),
  ...it,
  state: it.number === 1 ? ('paid' as const) : ('scheduled' as const),
}));
