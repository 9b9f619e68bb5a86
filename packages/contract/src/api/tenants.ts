import { z } from 'zod';
import { exampleIds, field, named } from '../describe-schema.ts';
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
import { chargedOffPlanId } from './plans.ts';
import { eligibility } from './portal-info.ts';

const openPlanStates = [
  'created',
  'active',
  'past_due',
] as const satisfies readonly (keyof typeof planTransitions)[];

/** A tenant in the list of tenants. `GET /tenants/{external_id}` has the whole state. */
export const listedTenantOutput = named(
  'ListedTenant',
  'A tenant with balance, plan and clock.',
  z.object({
    external_id: field(externalId, 'Your id of the tenant.', 't-100'),
    product_variant: field(productVariant.nullable(), 'What the tenant pays.', 'rent'),
    eligibility,
    balance: named(
      'TenantBalance',
      'What the charges that you reported leave to pay.',
      z.object({
        state: field(z.enum(['owed', 'paid']), '`owed` while something is left to pay.', 'owed'),
        amount_in_cents: field(positiveCents, 'Open charges of the rent cycle.', 152_012),
        due_date: field(
          isoDate.nullable(),
          'Of the rent cycle; null without an unpaid charge.',
          '2026-02-01',
        ),
      }),
    ),
    plan: field(
      named(
        'OpenPlan',
        'The open plan of a tenant.',
        z.object({
          id: field(z.string(), 'Id of the plan.', exampleIds.plan),
          state: field(z.enum(openPlanStates), 'The state of the plan.', 'active'),
          rent_cycle_date: field(isoDate, 'The due date of what it pays.', '2026-02-01'),
        }),
      ).nullable(),
      'The open plan. Null if there is none.',
      null,
    ),
    charged_off_plan_id: chargedOffPlanId,
    simulated_time: field(
      instant.nullable(),
      'The tenant’s clock in the sandbox; null in real time.',
      '2026-02-01T18:00:00.000Z',
    ),
    created_at: field(instant, 'When you first reported the tenant.', '2026-01-20T15:00:00.000Z'),
    updated_at: field(instant, 'When the tenant last changed.', '2026-02-01T18:00:00.000Z'),
  }),
);
export type ListedTenantOutput = z.infer<typeof listedTenantOutput>;

export const tenantsQuery = z.strictObject({
  ...listQuery,
  // A search continues after an external id, whose 255 characters can have 1,020 bytes.
  cursor: field(listQuery.cursor.unwrap().max(1400).optional(), listQuery.cursor.description ?? ''),
  search: field(
    text(255)
      .transform((search) => search.trim())
      .optional(),
    'The beginning of the external id. Case, and white space around it, make no difference.',
    't-1',
  ),
});
export const tenantsOutput = listOf(listedTenantOutput);
