import type { EventData, EventType } from './events.ts';
import { examplePayments, examplePlan } from './example-plan.ts';

const occurred = { object_version: 1, occurred_at: '2026-02-01T18:00:00.000Z' };
const installments = examplePayments.map((it) => ({
  id: `ins_example${it.number}`,
  ...it,
  state: it.number === 1 ? ('paid' as const) : ('scheduled' as const),
}));
const paidInstallments = installments.map((it) => ({ ...it, state: 'paid' as const }));
const application = {
  ...occurred,
  application_id: 'app_example',
  rent_cycle_date: '2026-02-01',
  product_variant: 'rent' as const,
};
const plan = {
  ...occurred,
  plan_id: 'pln_example',
  rent_cycle_date: examplePlan.rent_cycle_date,
  product_variant: 'rent' as const,
  amount_financed_in_cents: examplePlan.amount_financed_in_cents,
  fee_in_cents: examplePlan.fee_in_cents,
  apr_bps: examplePlan.apr_bps,
  installments,
};
const settlement = {
  ...occurred,
  settlement_id: 'stl_example',
  plan_id: 'pln_example',
  amount_in_cents: 152012,
  charges_paid: ['C-1'],
  charges_and_amounts_paid: [{ charge_id: 'C-1', amount_in_cents: 152012 }],
  rent_cycle_date: '2026-02-01',
  debit_by: '2026-02-02',
};
const payout = {
  ...occurred,
  payout_id: 'pyt_example',
  method: 'credit' as const,
  status: 'pending' as const,
  day: '2026-02-02',
  amount_in_cents: 152012,
  line_count: 1,
  reference: null,
};
const installment = {
  ...occurred,
  plan_id: 'pln_example',
  installment_id: 'ins_example2',
  ...examplePayments[1],
};
const delivery = {
  ...occurred,
  endpoint_id: 'ep_example',
  message_id: 'evt_example',
  event_type: 'plan.activated',
};

/** A realistic `data` for each event type, used by the catalog, test sends and the docs. */
export const eventExamples: { [T in EventType]: EventData<T> } = {
  'tenant.updated': { ...occurred, changed: ['charges', 'email'] },
  'tenant.eligibility_changed': { ...occurred, state: 'can_apply', reason: null },
  'application.submitted': application,
  'application.approved': {
    ...application,
    approved_amount_in_cents: 152012,
    expires_at: '2026-02-11T06:00:00.000Z',
  },
  'application.declined': { ...application, reapply_after: '2026-05-02' },
  'application.expired': application,
  'plan.created': plan,
  'plan.activated': plan,
  'plan.canceled': { ...plan, reason: 'first_payment_failed' },
  'plan.updated': { ...plan, change: 'installment_rescheduled' },
  'plan.completed': { ...plan, installments: paidInstallments },
  'plan.past_due': { ...plan, reason: 'unpaid_for_30_days' },
  'settlement.created': settlement,
  'settlement.updated': { ...settlement, old_status: 'unsettled', new_status: 'unverified' },
  'settlement.failed': { ...settlement, failure_reason: 'account_closed' },
  'payout.created': payout,
  'payout.sent': { ...payout, status: 'sent', reference: 'pyt_example' },
  'payout.paid': { ...payout, status: 'paid', reference: 'pyt_example' },
  'payout.failed': {
    ...payout,
    status: 'failed',
    reference: 'pyt_example',
    failure_reason: 'R03: no account',
  },
  'payout.returned': {
    ...payout,
    status: 'returned',
    reference: 'pyt_example',
    failure_reason: 'R02: account closed',
  },
  'installment.upcoming': { ...installment, method: 'bank_account' },
  'installment.paid': { ...installment, method: 'bank_account' },
  'installment.failed': {
    ...installment,
    method: 'bank_account',
    return_code: 'R01',
    next_attempt_at: '2026-02-10T15:00:00.000Z',
    taken_back: false,
  },
  'installment.rescheduled': {
    ...installment,
    due_date: '2026-02-13',
    from: '2026-02-09',
    to: '2026-02-13',
  },
  'repayment.created': { ...installment, repayment_id: 'pay_example' },
  'autopay.enabled': { ...occurred, plan_id: 'pln_example' },
  'autopay.disabled': { ...occurred, plan_id: 'pln_example' },
  'charge.drift_detected': {
    ...occurred,
    plan_id: 'pln_example',
    charge_id: 'C-1',
    known_amount_in_cents: 152012,
    new_amount_in_cents: 140000,
    outcome: 'plan_unchanged',
  },
  'endpoint.created': {
    ...occurred,
    endpoint_id: 'ep_example',
    url: 'https://portal.example/api/svc/webhooks',
  },
  'endpoint.updated': { ...occurred, endpoint_id: 'ep_example', changed: ['url'] },
  'endpoint.deleted': {
    ...occurred,
    endpoint_id: 'ep_example',
    url: 'https://portal.example/api/svc/webhooks',
  },
  'endpoint.failing': {
    ...occurred,
    endpoint_id: 'ep_example',
    failing_since: '2026-01-31T18:00:00.000Z',
    disables_at: '2026-02-05T18:00:00.000Z',
  },
  'endpoint.disabled': { ...occurred, endpoint_id: 'ep_example', reason: 'manual' },
  'message.attempt_exhausted': delivery,
  'message.recovered': delivery,
};
