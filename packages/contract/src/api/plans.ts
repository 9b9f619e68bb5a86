import { z } from 'zod';
import { installmentSummary, settlementStatuses } from '../events.ts';
import {
  cents,
  externalId,
  instant,
  isoDate,
  listQuery,
  productVariant,
  text,
} from '../primitives.ts';
import { eligibility, rentCycle } from './portal-info.ts';

export const planStates = [
  'created',
  'active',
  'past_due',
  'completed',
  'canceled',
  'charged_off',
] as const;

export const planOutput = z.object({
  id: z.string(),
  external_id: externalId,
  state: z.enum(planStates),
  product_variant: productVariant,
  rent_cycle_date: isoDate,
  amount_financed_in_cents: cents,
  fee_in_cents: cents,
  total_of_payments_in_cents: cents,
  apr_bps: z.int(),
  installments: z.array(installmentSummary),
  settlement_id: z.string().nullable(),
  created_at: instant,
  version: z.int(),
});
export type PlanOutput = z.infer<typeof planOutput>;

export const settlementOutput = z.object({
  id: z.string(),
  external_id: externalId,
  plan_id: z.string(),
  status: z.enum(settlementStatuses),
  amount_in_cents: cents,
  charges_paid: z.array(z.string()),
  charges_and_amounts_paid: z.array(z.object({ charge_id: z.string(), amount_in_cents: cents })),
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
  processor_transaction_id: z.string().min(1).max(200).optional(),
  is_stale: z.enum(['true', 'false']).optional(),
});

/** What the partner tells of the payment it debits from us. */
export const settlementInput = z.strictObject({
  status: z.enum(settlementStatuses).exclude(['returned']),
  processor_transaction_id: text(200).optional(),
  failure_reason: text(500).optional(),
});
export type SettlementInput = z.infer<typeof settlementInput>;

export const settlementReportQuery = z.strictObject({
  date: isoDate.describe('The day in UTC on which the settlements were made.'),
});

/** One day's settlements for the partner's books, as rows and as the same rows in CSV. */
export const settlementReport = z.object({
  date: isoDate,
  items: z.array(settlementOutput),
  totals: z.array(
    z.object({ status: z.enum(settlementStatuses), count: z.int(), amount_in_cents: z.int() }),
  ),
  csv: z.string().describe('RFC 4180, one line a settlement, with a header.'),
});
export type SettlementReport = z.infer<typeof settlementReport>;

export const tenantOutput = z.object({
  external_id: externalId,
  product_variant: productVariant.nullable(),
  rent_cycle: rentCycle.nullable(),
  eligibility,
  plan: planOutput.nullable(),
  simulated_time: instant.nullable(),
});
export type TenantOutput = z.infer<typeof tenantOutput>;

export const eventsQuery = z.strictObject({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
