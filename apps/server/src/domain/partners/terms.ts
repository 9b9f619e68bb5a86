/**
 * When a plan begins, and with it our debt to the portal: once the first payment succeeded, or while a
 * slow bank is still processing it. In the second case the tenant's rent is paid days earlier, and we
 * bear the loss if the bank refuses (docs/money.md).
 */
export type PlanStart = 'first_payment_succeeded' | 'first_payment_processing';

/** Programme configuration: the defaults of every partner and variant. */
export const terms = {
  opensDaysBefore: 7,
  closesDaysAfter: 9,
  minimumInCents: 50_00,
  maximumInCents: 5_000_00,
  installmentCounts: [2, 3, 4],
  feeInCents: 30_00,
  /** Regulation: every part is due within this many days of the first. */
  spanDays: 30,
  daysApart: 2,
  /** The least that a tenant may pay of an installment, and the least that may remain of it. */
  partPaymentMinimumInCents: 20_00,
  cutOffHour: 14,
  reapplyAfterDays: 90,
  remindDaysBefore: 3,
  /** Local time of reminders and collections. */
  workHour: 9,
  /** Twice at most; payments/return-codes.ts says which failures. For bank accounts that is Nacha's rule. */
  retryAfterDays: [1, 3],
  pastDueDays: 30,
  /** Banking days after `debit_by` until an open settlement is stale. */
  staleAfterDays: 3,
  /** The federal banking agencies' rule for closed-end credit. */
  chargeOffDays: 120,
  planStarts: 'first_payment_succeeded' as PlanStart,
} as const;

export type Terms = typeof terms;
