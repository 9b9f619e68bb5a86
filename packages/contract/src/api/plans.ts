import { z } from 'zod';
import { installmentSummary } from '../events.ts';
import { planStates } from '../plan-states.ts';
import { cents, externalId, instant, isoDate, productVariant } from '../primitives.ts';
import { eligibility, rentCycle } from './portal-info.ts';

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
