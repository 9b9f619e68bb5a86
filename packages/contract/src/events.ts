import { z } from 'zod';
import { paidCharges } from './charges.ts';
import { exampleIds, extensible, field, named } from './describe-schema.ts';
import { installmentStates, payoutStatuses, settlementStatuses } from './plan-states.ts';
import {
  cents,
  environment,
  externalId,
  instant,
  isoDate,
  pms,
  productVariant,
} from './primitives.ts';
import { eligibilityStates, payoutMethods, planChanges } from './vocabulary.ts';

const common = {
  object_version: field(
    z.int().min(1),
    'The version of the object that it is about. An event with a lower version than one you have handled is out of date.',
    1,
  ),
  occurred_at: field(
    instant,
    'When it happened, by the tenant’s clock: in the sandbox that can be simulated time.',
    '2026-02-01T18:00:00.000Z',
  ),
};

export const installmentState = named(
  'InstallmentState',
  '`processing`: the payment is on its way. `overdue`: its day is over, and it was not paid. `failed`: the payment failed, or was reversed later.',
  z.enum(installmentStates),
  'scheduled',
);

export const installmentSummary = named(
  'Installment',
  'One payment of a plan.',
  z.object({
    id: field(z.string(), 'Id of the installment.', exampleIds.installment),
    number: field(z.int().min(1), 'Its place in the plan, from 1.', 1),
    due_date: field(isoDate, 'The day on which it is collected.', '2026-02-01'),
    amount_in_cents: field(cents, 'Its amount, in cents. The first one adds the fee.', 41003),
    state: installmentState,
  }),
);

const planId = field(z.string(), 'Id of the plan.', exampleIds.plan);
const rentCycleDate = field(isoDate, 'The due date of the rent that is split.', '2026-02-01');

const application = {
  application_id: field(z.string(), 'Id of the application.', exampleIds.application),
  rent_cycle_date: rentCycleDate,
  product_variant: productVariant,
};
const plan = {
  plan_id: planId,
  rent_cycle_date: rentCycleDate,
  product_variant: productVariant,
  amount_financed_in_cents: field(cents, 'The balance that the plan pays, in cents.', 152012),
  fee_in_cents: field(cents, 'Our fee, which the tenant pays, in cents.', 3000),
  apr_bps: field(
    z.int().min(0),
    'The annual percentage rate in basis points: 6403 is 64.03%.',
    6403,
  ),
  installments: field(z.array(installmentSummary), 'The payments, in the order of their numbers.'),
};
const settlement = {
  settlement_id: field(z.string(), 'Id of the settlement.', exampleIds.settlement),
  plan_id: planId,
  ...paidCharges,
  rent_cycle_date: rentCycleDate,
  debit_by: field(isoDate, 'The last day on which to debit our account.', '2026-02-02'),
};
const payout = {
  payout_id: field(z.string(), 'Id of the payout.', exampleIds.payout),
  method: field(
    z.enum(payoutMethods),
    '`debit`: you debit our account. `credit`: we send the money to yours.',
    'credit',
  ),
  status: field(z.enum(payoutStatuses), 'The status now.', 'sent'),
  day: field(isoDate, 'The banking day of its cut-off.', '2026-02-02'),
  amount_in_cents: field(cents, 'The sum of its lines, in cents.', 152012),
  line_count: field(z.int().min(1), 'How many lines its statement has.', 1),
  reference: field(
    z.string().nullable(),
    'What the bank shows with it: your id of the debit, or the bank’s of our credit. Null until one is known.',
    'pyt_01k5z3w7c8d9e0f1g2h3j4k5m6',
  ),
};
const payoutFailure = {
  ...payout,
  failure_reason: field(z.string(), 'Why, as the bank or you said.', 'R03: no account'),
};
const installment = {
  plan_id: planId,
  installment_id: field(z.string(), 'Id of the installment.', exampleIds.installment),
  number: field(z.int().min(1), 'Its place in the plan, from 1.', 2),
  due_date: field(isoDate, 'The day on which it is collected.', '2026-02-09'),
  amount_in_cents: field(cents, 'Its amount, in cents.', 38003),
};
const method = field(z.string(), '`bank_account` or `card`.', 'bank_account');
const autopay = { plan_id: planId };
const endpoint = {
  endpoint_id: field(z.string(), 'Id of the endpoint.', exampleIds.endpoint),
};
const endpointUrl = field(
  z.string(),
  'The URL of the endpoint.',
  'https://portal.example/api/svc/webhooks',
);
const messageOf = {
  message_id: field(z.string(), 'Id of the message: its `webhook-id`.', exampleIds.message),
  event_type: field(z.string(), 'The event type of the message.', 'plan.activated'),
};

/** Every event type that a partner can subscribe to, with the schema of its `data`. */
export const eventCatalog = {
  'tenant.updated': type('Tenant', 'The stored data of a tenant changed.', {
    changed: field(z.array(z.string()), 'The names of the fields that changed.', [
      'charges',
      'email',
    ]),
  }),
  'tenant.eligibility_changed': type('Tenant', 'Whether the tenant can split changed.', {
    state: field(z.enum(eligibilityStates), 'Whether the tenant can split now.', 'can_apply'),
    reason: field(
      z.string().nullable(),
      'Why the tenant cannot split. Null if there is nothing to say.',
      null,
    ),
  }),
  'application.submitted': type('Application', 'The tenant applied.', application),
  'application.approved': type('Application', 'Underwriting approved the tenant for this cycle.', {
    ...application,
    approved_amount_in_cents: field(
      cents,
      'The largest balance that can be split, in cents.',
      152012,
    ),
    expires_at: field(
      instant,
      'Until then the tenant can accept a plan.',
      '2026-02-11T06:00:00.000Z',
    ),
  }),
  'application.declined': type('Application', 'Underwriting declined; the reasons stay private.', {
    ...application,
    reapply_after: field(
      isoDate.nullable(),
      'From this day on the tenant can apply again.',
      '2026-05-02',
    ),
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
    {
      ...plan,
      change: field(
        extensible(z.enum(planChanges)),
        'What changed. More values may be added.',
        'installment_rescheduled',
      ),
    },
  ),
  'plan.completed': type(
    'Plan',
    'Every payment of the plan was collected. If a bank reverses one later, `plan.updated` reports `reopened`.',
    plan,
  ),
  'plan.canceled': type('Plan', 'The plan ended without being paid.', {
    ...plan,
    reason: field(
      z.string(),
      'Why it ended, such as `first_payment_failed`, `canceled_by_tenant`, or `canceled_by_operator`.',
      'first_payment_failed',
    ),
  }),
  'plan.past_due': type('Plan', 'A payment has been open for 30 days.', {
    ...plan,
    reason: field(z.string(), 'Always `unpaid_for_30_days`.', 'unpaid_for_30_days'),
  }),
  'settlement.created': type(
    'Settlement',
    'We owe the portal this payment for the tenant: debit our account by `debit_by`.',
    settlement,
  ),
  'settlement.updated': type('Settlement', 'A settlement moved to another status.', {
    ...settlement,
    old_status: field(z.enum(settlementStatuses), 'The status before.', 'unsettled'),
    new_status: field(z.enum(settlementStatuses), 'The status now.', 'unverified'),
  }),
  'settlement.failed': type('Settlement', 'A settlement did not arrive, or was returned later.', {
    ...settlement,
    failure_reason: field(z.string().nullable(), 'Why, as you reported it.', 'account_closed'),
  }),
  'payout.created': type('Payout', 'What we owed at the cut-off was put into one payout.', payout),
  'payout.sent': type(
    'Payout',
    'The payout is on its way; its settlements are `unverified`.',
    payout,
  ),
  'payout.paid': type('Payout', 'The payout arrived; its settlements are `verified`.', payout),
  'payout.failed': type(
    'Payout',
    'The payout did not arrive. The next payout carries its lines forward.',
    payoutFailure,
  ),
  'payout.returned': type(
    'Payout',
    'A bank returned a payout that had arrived. The next payout carries its lines forward.',
    payoutFailure,
  ),
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
      return_code: field(
        z.string(),
        'For a bank account, the return code, such as `R01`. For a card, the decline code, such as `insufficient_funds`.',
        'R01',
      ),
      next_attempt_at: field(
        instant.nullable(),
        'When we try again. Null if we do not.',
        '2026-02-10T15:00:00.000Z',
      ),
      taken_back: field(
        z.boolean(),
        'True if the payment had succeeded and the bank reversed it afterwards: a late return, or a chargeback (`charged_back`). The settlement does not change.',
        false,
      ),
    },
  ),
  'installment.rescheduled': type('Installment', 'The tenant moved a payment to another day.', {
    ...installment,
    from: field(isoDate, 'The day before.', '2026-02-09'),
    to: field(isoDate, 'The day now.', '2026-02-13'),
  }),
  'repayment.created': type(
    'Repayment',
    'The tenant made a payment, or paid `amount_in_cents` of it, before it was collected.',
    {
      repayment_id: field(z.string(), 'Id of the payment.', 'pay_01k5z3w7c8d9e0f1g2h3j4k5m6'),
      ...installment,
    },
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
    'A charge that a plan pays was changed after the tenant accepted the plan. Not sent when you drop a charge, or report it as paid, while our settlement for it stands.',
    {
      plan_id: planId,
      charge_id: field(z.string(), 'Your id of the charge.', 'C-1'),
      known_amount_in_cents: field(cents, 'The amount that the plan pays, in cents.', 152012),
      new_amount_in_cents: field(
        cents,
        'The amount now, in cents; 0 if the charge was removed while its settlement had failed or was returned, or before the plan began.',
        140000,
      ),
      outcome: field(
        z.enum(['plan_canceled', 'plan_unchanged']),
        'A plan whose first payment has succeeded stays as agreed: return an excess as a refund of its settlement, and collect a shortfall in the portal. A plan without a payment is canceled, and the tenant is offered a new one.',
        'plan_unchanged',
      ),
    },
  ),
  'endpoint.created': type('Operational', 'Another endpoint was added.', {
    ...endpoint,
    url: endpointUrl,
  }),
  'endpoint.updated': type('Operational', 'Another endpoint was changed.', {
    ...endpoint,
    changed: field(z.array(z.string()), 'The names of the settings that changed.', ['url']),
  }),
  'endpoint.deleted': type('Operational', 'Another endpoint was deleted.', {
    ...endpoint,
    url: endpointUrl,
  }),
  'endpoint.failing': type(
    'Operational',
    'Every attempt to an endpoint has failed for one, three or four days.',
    {
      ...endpoint,
      failing_since: field(
        instant,
        'End of the first failed attempt since the last success.',
        '2026-01-31T18:00:00.000Z',
      ),
      disables_at: field(
        instant,
        'The first failed attempt after this time disables the endpoint.',
        '2026-02-05T18:00:00.000Z',
      ),
    },
  ),
  'endpoint.disabled': type('Operational', 'An endpoint was disabled.', {
    ...endpoint,
    reason: field(z.string(), 'Why: `by_owner`, `failing` or `gone`.', 'failing'),
  }),
  'message.attempt_exhausted': type(
    'Operational',
    'All eight attempts to one endpoint failed; replay it once the endpoint works.',
    { ...endpoint, ...messageOf },
  ),
  'message.recovered': type('Operational', 'A message that had failed was delivered.', {
    ...endpoint,
    ...messageOf,
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

const envelopeFields = {
  id: field(
    z.string(),
    'Id of the message, the same as in the header `webhook-id`. Handle each id once.',
    exampleIds.message,
  ),
  type: field(z.string(), 'The event type.', 'plan.activated'),
  timestamp: field(instant, 'When it was created, in real time.', '2026-02-01T18:00:01.000Z'),
  api_version: field(z.literal('v1'), 'The version of the API that shaped it.', 'v1'),
  environment,
  pms: field(pms, 'Your portal’s name.', 'my-portal'),
  external_id: field(
    externalId.nullable(),
    'The tenant it is about. Null if it is about none.',
    't-100',
  ),
  simulated: field(
    z.literal(true).optional(),
    'Present if the tenant’s clock was simulated.',
    true,
  ),
  test: field(z.literal(true).optional(), 'Present in a test send.', true),
  custom: field(z.literal(true).optional(), 'Present if you published it.', true),
};

/** The envelope of every webhook body. The type decides the fields of `data`. */
export const webhookEnvelope = named(
  'Event',
  'The body of a webhook. The type decides the fields of `data`; ignore types that you do not know.',
  z.object({
    ...envelopeFields,
    data: field(z.record(z.string(), z.unknown()), 'Fields that depend on the type.', {
      object_version: 1,
      occurred_at: '2026-02-01T18:00:00.000Z',
    }),
  }),
);

type Envelope = Omit<z.infer<typeof webhookEnvelope>, 'type' | 'data'>;

/** A verified webhook. Narrow `data` by `type`, and ignore types you do not know. */
export type WebhookEvent = {
  [T in EventType]: Envelope & { type: T; data: EventData<T> };
}[EventType];

function type<S extends z.ZodRawShape>(group: string, description: string, shape: S) {
  return { group, description, data: z.object({ ...common, ...shape }) };
}
