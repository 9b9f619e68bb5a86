import { z } from 'zod';
import { paidCharges } from './charges.ts';
import { installmentStates, settlementStatuses } from './plan-states.ts';
import {
  cents,
  environment,
  externalId,
  instant,
  isoDate,
  pms,
  productVariant,
} from './primitives.ts';
import { eligibilityStates, planChanges } from './vocabulary.ts';

const common = { object_version: z.int().min(1), occurred_at: instant };

export const installmentSummary = z.object({
  id: z.string(),
  number: z.int().min(1),
  due_date: isoDate,
  amount_in_cents: cents,
  state: z.enum(installmentStates),
});

const application = {
  application_id: z.string(),
  rent_cycle_date: isoDate,
  product_variant: productVariant,
};
const plan = {
  plan_id: z.string(),
  rent_cycle_date: isoDate,
  product_variant: productVariant,
  amount_financed_in_cents: cents,
  fee_in_cents: cents,
  apr_bps: z.int().min(0),
  installments: z.array(installmentSummary),
};
const settlement = {
  settlement_id: z.string(),
  plan_id: z.string(),
  ...paidCharges,
  rent_cycle_date: isoDate,
  debit_by: isoDate,
};
const installment = {
  plan_id: z.string(),
  installment_id: z.string(),
  number: z.int().min(1),
  due_date: isoDate,
  amount_in_cents: cents,
};
const method = z.string().describe('`bank_account` or `card`.');
const autopay = { plan_id: z.string() };
const endpoint = { endpoint_id: z.string() };

/** Every event type that a partner can subscribe to, with the schema of its `data`. */
export const eventCatalog = {
  'tenant.updated': type('Tenant', 'The stored data of a tenant changed.', {
    changed: z.array(z.string()),
  }),
  'tenant.eligibility_changed': type('Tenant', 'Whether the tenant can split changed.', {
    state: z.enum(eligibilityStates),
    reason: z.string().nullable(),
  }),
  'application.submitted': type('Application', 'The tenant applied.', application),
  'application.approved': type('Application', 'Underwriting approved the tenant for this cycle.', {
    ...application,
    approved_amount_in_cents: cents,
    expires_at: instant,
  }),
  'application.declined': type('Application', 'Underwriting declined; the reasons stay private.', {
    ...application,
    reapply_after: isoDate.nullable(),
  }),
  'application.expired': type(
    'Application',
    'The cycle closed before the tenant accepted a plan.',
    {
      ...application,
    },
  ),
  'plan.created': type('Plan', 'The tenant accepted a plan.', plan),
  'plan.activated': type('Plan', 'The first payment went through; the plan is active.', plan),
  'plan.updated': type(
    'Plan',
    'Something about the plan changed; `change` names it. After `part_paid`, the installment’s `amount_in_cents` is what is still owed.',
    { ...plan, change: z.enum(planChanges) },
  ),
  'plan.completed': type(
    'Plan',
    'Every payment of the plan was collected. If a bank reverses one later, `plan.updated` reports `reopened`.',
    plan,
  ),
  'plan.canceled': type('Plan', 'The plan ended without being paid.', {
    ...plan,
    reason: z.string(),
  }),
  'plan.past_due': type('Plan', 'A payment has been open for 30 days.', {
    ...plan,
    reason: z.string(),
  }),
  'settlement.created': type(
    'Settlement',
    'We owe the portal this payment for the tenant: debit our account by `debit_by`.',
    settlement,
  ),
  'settlement.updated': type('Settlement', 'A settlement moved to another status.', {
    ...settlement,
    old_status: z.enum(settlementStatuses),
    new_status: z.enum(settlementStatuses),
  }),
  'settlement.failed': type('Settlement', 'A settlement did not arrive, or was returned later.', {
    ...settlement,
    failure_reason: z.string().nullable(),
  }),
  'installment.upcoming': type('Installment', 'A payment is due in three days.', {
    ...installment,
    method,
  }),
  'installment.paid': type(
    'Installment',
    'A payment of the plan was collected; `amount_in_cents` is the rest if the tenant had paid a part of it.',
    { ...installment, method },
  ),
  'installment.failed': type(
    'Installment',
    'A payment failed, or the bank reversed it or a part of it later. Without `next_attempt_at` we do not try again.',
    {
      ...installment,
      method,
      return_code: z
        .string()
        .describe(
          'For a bank account, the return code, such as `R01`. For a card, the decline code, such as `insufficient_funds`.',
        ),
      next_attempt_at: instant.nullable(),
      taken_back: z
        .boolean()
        .describe(
          'True if the payment had succeeded and the bank reversed it afterwards: a late return, or a chargeback (`charged_back`). The settlement does not change.',
        ),
    },
  ),
  'installment.rescheduled': type('Installment', 'The tenant moved a payment to another day.', {
    ...installment,
    from: isoDate,
    to: isoDate,
  }),
  'repayment.created': type(
    'Repayment',
    'The tenant made a payment, or paid `amount_in_cents` of it, before it was collected.',
    { repayment_id: z.string(), ...installment },
  ),
  'autopay.enabled': type(
    'Repayment',
    'Payments are collected automatically again, on their due dates.',
    autopay,
  ),
  'autopay.disabled': type(
    'Repayment',
    'Payments are no longer collected automatically; the tenant makes each one.',
    autopay,
  ),
  'charge.drift_detected': type(
    'Charge',
    'A charge that a plan pays was changed after the tenant accepted the plan.',
    {
      plan_id: z.string(),
      charge_id: z.string(),
      known_amount_in_cents: cents,
      new_amount_in_cents: cents.describe('0 if the charge was removed.'),
      outcome: z
        .enum(['plan_canceled', 'plan_unchanged'])
        .describe(
          'A plan whose first payment has succeeded stays as agreed: return an excess as a refund of its settlement, and collect a shortfall in the portal. A plan without a payment is canceled, and the tenant is offered a new one.',
        ),
    },
  ),
  'endpoint.created': type('Operational', 'Another endpoint was added.', {
    ...endpoint,
    url: z.string(),
  }),
  'endpoint.updated': type('Operational', 'Another endpoint was changed.', {
    ...endpoint,
    changed: z.array(z.string()).describe('The names of the settings.'),
  }),
  'endpoint.deleted': type('Operational', 'Another endpoint was deleted.', {
    ...endpoint,
    url: z.string(),
  }),
  'endpoint.failing': type(
    'Operational',
    'Every attempt to an endpoint has failed for one, three or four days.',
    { ...endpoint, failing_since: instant, disables_at: instant },
  ),
  'endpoint.disabled': type('Operational', 'An endpoint was disabled.', {
    ...endpoint,
    reason: z.string(),
  }),
  'message.attempt_exhausted': type(
    'Operational',
    'All eight attempts to one endpoint failed; replay it once the endpoint works.',
    { ...endpoint, message_id: z.string(), event_type: z.string() },
  ),
  'message.recovered': type('Operational', 'A message that had failed was delivered.', {
    ...endpoint,
    message_id: z.string(),
    event_type: z.string(),
  }),
} as const satisfies Record<string, CatalogType>;

export type EventType = keyof typeof eventCatalog;
export type EventData<T extends EventType> = z.infer<(typeof eventCatalog)[T]['data']>;

export interface CatalogType {
  group: string;
  description: string;
  data: z.ZodObject;
}

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(eventCatalog, name);
}

/** The envelope of every webhook body. The type decides the fields of `data`. */
export const webhookEnvelope = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: instant,
  api_version: z.literal('v1'),
  environment,
  pms,
  external_id: externalId.nullable(),
  simulated: z.literal(true).optional(),
  test: z.literal(true).optional(),
  custom: z.literal(true).optional(),
  data: z.record(z.string(), z.unknown()),
});

type Envelope = Omit<z.infer<typeof webhookEnvelope>, 'type' | 'data'>;

/** A verified webhook. Narrow `data` by `type`, and ignore types you do not know. */
export type WebhookEvent = {
  [T in EventType]: Envelope & { type: T; data: EventData<T> };
}[EventType];

function type<S extends z.ZodRawShape>(group: string, description: string, shape: S) {
  return { group, description, data: z.object({ ...common, ...shape }) };
}
