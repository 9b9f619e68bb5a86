import type { EventData, EventType } from './events.ts';

const occurred = { object_version: 1, occurred_at: '2026-02-01T18:00:00.000Z' };
const installments = ['2026-02-01', '2026-02-09', '2026-02-17', '2026-02-25'].map(
  (due_date, index) => ({
    id: `ins_example${index + 1}`,
    number: index + 1,
    due_date,
    amount_in_cents: 38003,
    state: index === 0 ? ('paid' as const) : ('scheduled' as const),
  }),
);
const application = {
  ...occurred,
  application_id: 'app_example',
  rent_cycle_date: '2026-02-01',
  product_variant: 'rent' as const,
};
const plan = {
  ...occurred,
  plan_id: 'pln_example',
  rent_cycle_date: '2026-02-01',
  product_variant: 'rent' as const,
  amount_financed_in_cents: 152012,
  fee_in_cents: 3000,
  apr_bps: 6990,
  installments,
};
const delivery = {
  ...occurred,
  endpoint_id: 'ep_example',
  message_id: 'evt_example',
  event_type: 'plan.activated',
};

/** One believable `data` for each type: for the catalogue, test sends and docs. */
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
  'settlement.created': {
    ...occurred,
    settlement_id: 'stl_example',
    plan_id: 'pln_example',
    amount_in_cents: 152012,
    charges_paid: ['C-1'],
    charges_and_amounts_paid: [{ charge_id: 'C-1', amount_in_cents: 152012 }],
    rent_cycle_date: '2026-02-01',
    debit_by: '2026-02-02',
  },
  'installment.paid': {
    ...occurred,
    plan_id: 'pln_example',
    installment_id: 'ins_example1',
    number: 1,
    due_date: '2026-02-01',
    amount_in_cents: 38003,
    method: 'bank_account',
  },
  'endpoint.disabled': { ...occurred, endpoint_id: 'ep_example', reason: 'manual' },
  'message.attempt_exhausted': delivery,
  'message.recovered': delivery,
};
