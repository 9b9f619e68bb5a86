import { z } from 'zod';
import { paidCharges } from '../charges.ts';
import { largestAmountInCents } from '../limits.ts';
import { settlementStatuses } from '../plan-states.ts';
import {
  cents,
  dateInput,
  externalId,
  instant,
  isoDate,
  listQuery,
  queryBoolean,
  text,
  visibleText,
} from '../primitives.ts';

export const settlementOutput = z.object({
  id: z.string(),
  external_id: externalId,
  plan_id: z.string(),
  status: z.enum(settlementStatuses),
  ...paidCharges,
  refunded_in_cents: cents.describe('The amount that you have refunded.'),
  rent_cycle_date: isoDate,
  debit_by: isoDate,
  processor_transaction_id: z.string().nullable(),
  failure_reason: z.string().nullable(),
  is_stale: z.boolean().describe('Still open three banking days after `debit_by`.'),
  created_at: instant,
  updated_at: instant,
  version: z.int(),
});
export type SettlementOutput = z.infer<typeof settlementOutput>;

export const settlementsQuery = z.strictObject({
  ...listQuery,
  status: z.enum(settlementStatuses).optional(),
  external_id: externalId.optional(),
  processor_transaction_id: text(200).optional(),
  is_stale: queryBoolean.optional(),
});

/** The status that the partner reports for its debit of our account. */
export const settlementInput = z.strictObject({
  status: z.enum(settlementStatuses).exclude(['returned']),
  processor_transaction_id: text(200).optional(),
  failure_reason: visibleText(500).optional(),
});
export type SettlementInput = z.infer<typeof settlementInput>;

/** Reports that a bank returned a debit that had arrived. */
export const settlementReturnInput = z.strictObject({ reason: visibleText(500).optional() });
export type SettlementReturnInput = z.infer<typeof settlementReturnInput>;

/** Money that the portal sends back to us, because the landlord credited the tenant. */
export const refundInput = z.strictObject({
  amount_in_cents: z.int().min(1).max(largestAmountInCents),
  charge_id: text(255).optional().describe('The charge that was credited.'),
  processor_transaction_id: text(200).optional(),
  reason: visibleText(500).optional(),
});
export type RefundInput = z.infer<typeof refundInput>;

export const refundOutput = z.object({
  id: z.string(),
  settlement_id: z.string(),
  plan_id: z.string(),
  amount_in_cents: cents,
  credited_in_cents: cents.describe(
    'The part that reduced the tenant’s debt, from the last payment on.',
  ),
  paid_back_in_cents: cents.describe(
    'The part that was refunded to the tenant, because nothing was owed.',
  ),
  charge_id: z.string().nullable(),
  processor_transaction_id: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: instant,
});
export type RefundOutput = z.infer<typeof refundOutput>;

export const settlementReportQuery = z.strictObject({
  date: dateInput.describe('The day in UTC on which the settlements were created.'),
});

/** One deposit of the tenants' payments to our account, compared with the amount we expected. */
export const depositOutput = z.object({
  id: z.string(),
  deposited_on: isoDate.describe('The banking day in the time zone of the home.'),
  processor_deposit_id: z.string(),
  expected_in_cents: z.int(),
  amount_in_cents: z.int(),
  mismatches: z.array(
    z.object({
      processor_transaction_id: z.string(),
      expected_in_cents: z.int(),
      amount_in_cents: z.int(),
    }),
  ),
});
export type DepositOutput = z.infer<typeof depositOutput>;

export const settlementMismatches = [
  'processor_transaction_id_missing',
  'processor_transaction_id_repeated',
  'deposit_differs',
] as const;

/** One day's settlements for the partner's books, as rows and as the same rows in CSV. */
export const settlementReport = z.object({
  date: isoDate,
  items: z.array(settlementOutput),
  totals: z.array(
    z.object({ status: z.enum(settlementStatuses), count: z.int(), amount_in_cents: z.int() }),
  ),
  deposits: z.array(depositOutput).describe('Deposits of the same day.'),
  mismatches: z
    .array(
      z.object({
        code: z.enum(settlementMismatches),
        id: z.string().describe('The id of the settlement or deposit.'),
        message: z.string(),
      }),
    )
    .describe('Settlements and deposits that do not match the processors’ ids. Investigate them.'),
  csv: z.string().describe('CSV as in RFC 4180: a header, then one line for each settlement.'),
});
export type SettlementReport = z.infer<typeof settlementReport>;
