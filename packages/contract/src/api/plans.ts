import { z } from 'zod';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import { installmentSummary } from '../events.ts';
import { exampleInstallments } from '../example-plan.ts';
import { planStates } from '../plan-states.ts';
import { cents, externalId, instant, isoDate, pageLimit, productVariant } from '../primitives.ts';
import { eligibility, rentCycle } from './portal-info.ts';

export const planState = named(
  'PlanState',
  '`created`: the tenant accepted it, and the first payment has not succeeded yet. `past_due`: a payment has been open for 30 days. `charged_off`: for 120 days. `completed` becomes `active` again if a bank reverses a payment.',
  z.enum(planStates),
  'active',
);

export const planOutput = named(
  'Plan',
  'A tenant’s agreement to pay one month’s balance in installments.',
  z.object({
    id: field(z.string(), 'Id of the plan.', exampleIds.plan),
    external_id: externalId,
    state: planState,
    product_variant: productVariant,
    rent_cycle_date: field(isoDate, 'The due date of the rent that it pays.', '2026-02-01'),
    amount_financed_in_cents: field(cents, 'The balance that the plan pays, in cents.', 152012),
    fee_in_cents: field(cents, 'Our fee, which the tenant pays, in cents.', 3000),
    total_of_payments_in_cents: field(
      cents,
      'Everything that the tenant pays: balance and fee, in cents.',
      155012,
    ),
    apr_bps: field(z.int(), 'The annual percentage rate in basis points: 6403 is 64.03%.', 6403),
    installments: field(
      z.array(installmentSummary),
      'The payments, in the order of their numbers.',
      exampleInstallments,
    ),
    settlement_id: field(
      z.string().nullable(),
      'Our payment to you for it. Null until the first payment has succeeded.',
      exampleIds.settlement,
    ),
    created_at: field(instant, 'When the tenant accepted it.', '2026-02-01T18:00:00.000Z'),
    version: field(z.int(), 'Grows by one with each change.', 2),
  }),
);
export type PlanOutput = z.infer<typeof planOutput>;

export const chargedOffPlanId = field(
  z.string().nullable(),
  'The newest plan that was charged off and is still owed. Null without one.',
  null,
);

export const tenantOutput = named(
  'Tenant',
  'What a tenant can do now. Names and contact data are never returned.',
  z.object({
    external_id: externalId,
    product_variant: field(
      productVariant.nullable(),
      'The kind of charge that the tenant splits. Null before the first `portal_info`.',
    ),
    rent_cycle: field(rentCycle.nullable(), 'The month that is due. Null if nothing is due.'),
    eligibility,
    plan: field(planOutput.nullable(), 'The tenant’s open plan. Null if there is none.', null),
    charged_off_plan_id: chargedOffPlanId,
    simulated_time: field(
      instant.nullable(),
      'The tenant’s clock, if you have moved it. Null in production.',
      null,
    ),
  }),
);
export type TenantOutput = z.infer<typeof tenantOutput>;

export const eventsQuery = z.strictObject({
  after: loggedField(
    z.string().max(100).optional(),
    'The id of the last event that you have read. Leave it out to begin with the oldest one.',
    exampleIds.message,
  ),
  limit: loggedField(pageLimit.default(20), 'The largest number of events to return.', 20),
});
