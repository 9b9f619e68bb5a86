import { z } from 'zod';
import type { planTransitions } from '../plan-states.ts';
import {
  externalId,
  instant,
  isoDate,
  listOf,
  listQuery,
  positiveCents,
  productVariant,
  text,
} from '../primitives.ts';
import { eligibility } from './portal-info.ts';

const openPlanStates = [
  'created',
  'active',
  'past_due',
] as const satisfies readonly (keyof typeof planTransitions)[];

/** A tenant in the list of tenants. `GET /tenants/{external_id}` has the whole state. */
export const listedTenantOutput = z.object({
  external_id: externalId,
  product_variant: productVariant.nullable(),
  eligibility,
  balance: z
    .object({
      state: z.enum(['owed', 'paid']),
      amount_in_cents: positiveCents.describe('Open charges of the rent cycle.'),
      due_date: isoDate.nullable().describe('Of the rent cycle; null without an unpaid charge.'),
    })
    .describe('What the charges that you reported leave to pay.'),
  plan: z
    .object({
      id: z.string(),
      state: z.enum(openPlanStates),
      rent_cycle_date: isoDate,
    })
    .nullable()
    .describe('The open plan.'),
  simulated_time: instant.nullable().describe('The tenant’s clock; null in real time.'),
  created_at: instant,
  updated_at: instant,
});
export type ListedTenantOutput = z.infer<typeof listedTenantOutput>;

export const tenantsQuery = z.strictObject({
  ...listQuery,
  search: text(255).describe('The beginning of the external id.').optional(),
});
export const tenantsOutput = listOf(listedTenantOutput);
