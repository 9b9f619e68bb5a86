import { type Scenario, scenarios } from '@svc/contract';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { SvcClient } from '@svc/node';
import { expect, test } from 'vitest';
import { ada, useService } from '../harness.ts';
import { checkBooks, simulatorCalls } from '../payments/check-books.ts';
import { checkMoney, checkPartner } from './check-money.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { key } = partner;

const play = (externalId: string, body: object, more: object = {}) =>
  svc.call('POST', `/simulation/${externalId}/scenario`, { key, body, ...more });

async function publishedTo(externalId: string): Promise<{ id: string; type: string }[]> {
  return rowsOf(
    svc.db,
    sql`
    select id, type from webhook_messages
    where owner = ${partner.id} and subject = ${externalId} order by sequence`,
  );
}

const applied = 'application.submitted';
const approved = [applied, 'application.approved', 'tenant.eligibility_changed'];
const split = [
  ...approved,
  'plan.created',
  'plan.activated',
  'settlement.created',
  'installment.paid',
  'tenant.eligibility_changed',
];

interface Expected {
  readonly eligibility: string;
  readonly plan: string | null;
  readonly parts?: readonly string[];
  readonly settlement: string | null;
  /** The last events, in order. */
  readonly events: readonly string[];
  readonly date: string;
}

// Riley's rent is due on 2026-02-01, a Sunday, and so are the payments on banking days after it.
const expected: Record<Scenario, Expected> = {
  applied: {
    eligibility: 'can_apply',
    plan: null,
    settlement: null,
    events: [applied],
    date: '2026-02-01',
  },
  in_review: {
    eligibility: 'can_apply',
    plan: null,
    settlement: null,
    events: [applied],
    date: '2026-02-01',
  },
  approved: {
    eligibility: 'approved',
    plan: null,
    settlement: null,
    events: approved,
    date: '2026-02-01',
  },
  declined: {
    eligibility: 'declined',
    plan: null,
    settlement: null,
    events: [applied, 'application.declined', 'tenant.eligibility_changed'],
    date: '2026-02-01',
  },
  first_payment_failed: {
    eligibility: 'approved',
    plan: 'canceled',
    parts: ['canceled', 'canceled', 'canceled', 'canceled'],
    settlement: null,
    events: [...approved, 'plan.created', 'plan.canceled'],
    date: '2026-02-01',
  },
  split: {
    eligibility: 'has_plan',
    plan: 'active',
    parts: ['paid', 'scheduled', 'scheduled', 'scheduled'],
    settlement: 'unsettled',
    events: split,
    date: '2026-02-01',
  },
  settled: {
    eligibility: 'has_plan',
    plan: 'active',
    parts: ['paid', 'scheduled', 'scheduled', 'scheduled'],
    settlement: 'verified',
    events: [...split, 'settlement.updated', 'settlement.updated'],
    date: '2026-02-01',
  },
  installment_failed: {
    eligibility: 'has_plan',
    plan: 'active',
    parts: ['paid', 'failed', 'scheduled', 'scheduled'],
    settlement: 'unsettled',
    events: [...split, 'installment.upcoming', 'installment.failed'],
    date: '2026-02-09',
  },
  past_due: {
    eligibility: 'has_plan',
    plan: 'past_due',
    parts: ['paid', 'overdue', 'overdue', 'overdue'],
    settlement: 'unsettled',
    events: ['plan.past_due'],
    date: '2026-03-11',
  },
  paid_off: {
    eligibility: 'nothing_due',
    plan: 'completed',
    parts: ['paid', 'paid', 'paid', 'paid'],
    settlement: 'unsettled',
    events: ['installment.paid', 'plan.completed', 'tenant.eligibility_changed'],
    date: '2026-02-23',
  },
  refunded: {
    eligibility: 'nothing_due',
    plan: 'completed',
    settlement: 'verified',
    events: ['plan.updated', 'plan.completed', 'tenant.eligibility_changed'],
    date: '2026-02-01',
  },
  disputed: {
    eligibility: 'has_plan',
    plan: 'active',
    parts: ['overdue', 'scheduled', 'scheduled', 'scheduled'],
    settlement: 'unsettled',
    events: [...split, 'installment.failed', 'autopay.disabled'],
    date: '2026-02-04',
  },
  charged_off: {
    eligibility: 'nothing_due',
    plan: 'charged_off',
    settlement: 'unsettled',
    events: ['plan.past_due', 'plan.updated', 'tenant.eligibility_changed'],
    date: '2026-06-09',
  },
  moved_out: {
    eligibility: 'blocked',
    plan: null,
    settlement: null,
    events: ['tenant.updated', 'tenant.eligibility_changed'],
    date: '2026-02-01',
  },
};

test.each(scenarios)('a new tenant is taken to "%s" with real objects, once', async (scenario) => {
  const externalId = `new-${scenario}`;
  const first = await play(externalId, { scenario });
  expect(first.error).toBeNull();
  const { data } = first;
  const want = expected[scenario];
  expect(data.tenant.eligibility.state).toBe(want.eligibility);
  expect(data.plan?.state ?? null).toBe(want.plan);
  if (want.parts) {
    expect(data.plan.installments.map((it: { state: string }) => it.state)).toEqual(want.parts);
  }
  expect(data.settlement?.status ?? null).toBe(want.settlement);
  expect(data.clock.simulated_time.slice(0, 10)).toBe(want.date);

  const types: string[] = data.events.map((it: { type: string }) => it.type);
  expect(types.slice(-want.events.length)).toEqual(want.events);
  expect(await publishedTo(externalId)).toEqual(data.events);
  // The API returns the same objects as the response did.
  for (const link of Object.values<string | null>(data.links)) {
    if (link === null) continue;
    const { data: read, error } = await svc.call('GET', new URL(link).pathname.slice(3), { key });
    expect(error).toBeNull();
    if (link === data.links.plan) expect(read).toEqual(data.plan);
    if (link === data.links.settlement) expect(read).toEqual(data.settlement);
  }

  const again = await play(externalId, { scenario });
  expect(again.data).toEqual({ ...data, clock: again.data.clock, events: [] });
  expect(await publishedTo(externalId)).toHaveLength(data.events.length);
  if (data.plan) await checkMoney(svc.db, data.plan);
  await checkBooks(svc.db, await simulatorCalls(svc.db));
  await checkPartner(svc.db, partner.id);
});

test('a new tenant can be an owner, who pays dues, and stays one', async () => {
  const asOwner = { scenario: 'split', product_variant: 'hoa' };
  const { data } = await play('sc-owner', asOwner);
  expect(data.tenant).toMatchObject({ product_variant: 'hoa' });
  expect(data.plan).toMatchObject({ product_variant: 'hoa', amount_financed_in_cents: 62_500 });
  expect((await play('sc-owner', { ...asOwner, scenario: 'past_due' })).status).toBe(200);
  const refused = await play('sc-owner', { scenario: 'paid_off', product_variant: 'rent' });
  expect([refused.status, refused.error?.code]).toEqual([409, 'scenario_not_reachable']);
  expect(refused.error?.message).toContain('has the product_variant hoa. Use another external id');
});

test('one tenant walks through its life, each call from where the last one ended', async () => {
  const states = [];
  for (const scenario of [
    'applied',
    'in_review',
    'approved',
    'first_payment_failed',
    'split',
    'installment_failed',
    'settled',
    'past_due',
    'paid_off',
    'refunded',
    'moved_out',
  ]) {
    const { data, error } = await play('t-life', { scenario });
    expect(error).toBeNull();
    states.push([data.application.state, data.plan?.state, data.settlement?.status]);
  }
  // The application expires when its rent cycle closes.
  expect(states).toEqual([
    ['submitted', undefined, undefined],
    ['in_review', undefined, undefined],
    ['approved', undefined, undefined],
    ['approved', 'canceled', undefined],
    ['approved', 'active', 'unsettled'],
    ['approved', 'active', 'unsettled'],
    ['approved', 'active', 'verified'],
    ['expired', 'past_due', 'verified'],
    ['expired', 'completed', 'verified'],
    ['expired', 'completed', 'verified'],
    ['expired', 'completed', 'verified'],
  ]);
  await checkBooks(svc.db, await simulatorCalls(svc.db));
  await checkPartner(svc.db, partner.id);
});

test('a tenant that the portal has reported keeps its charges, account and plan', async () => {
  await svc.call('POST', '/tenant/portal_info/t-known', { key, body: ada });
  const chosen = await play('t-known', { scenario: 'split', installment_count: 2 });
  expect(chosen.data.settlement).toMatchObject({ amount_in_cents: 152_012, charges_paid: ['C-1'] });
  expect(chosen.data.plan.installments).toHaveLength(2);
  const own = await withPlan(svc, partner, 't-own');
  const late = await play('t-own', { scenario: 'past_due', failure_code: 'R07' });
  expect(late.data.plan.id).toBe(own.plan.id);
  // The tenant's own click works from there.
  const ids = late.data.plan.installments.slice(1).map((it: { id: string }) => it.id);
  expect((await own.change('pay', { installment_ids: ids })).data.failure).toBeNull();
  expect((await own.read()).state).toBe('completed');
});

test.each([
  ['installment_failed', 'bank_account', 'R08', 'R08', 'overdue'],
  ['installment_failed', 'card', 'R01', 'insufficient_funds', 'failed'],
  ['installment_failed', 'card', 'lost_or_stolen', 'lost_or_stolen', 'overdue'],
  ['disputed', 'bank_account', 'R11', 'R11', 'overdue'],
  ['disputed', 'card', 'R10', 'charged_back', 'overdue'],
])('%s by %s with %s reports %s', async (scenario, payment_method, failure_code, code, state) => {
  const externalId = `t-${scenario}-${payment_method}-${failure_code}`;
  const { data } = await play(externalId, { scenario, payment_method, failure_code });
  expect(data.plan.installments.map((it: { state: string }) => it.state)).toContain(state);
  const { id } = data.events.find((it: { type: string }) => it.type === 'installment.failed');
  const { data: message } = await svc.call('GET', `/webhooks/messages/${id}`, { key });
  expect(JSON.parse(message.body).data).toMatchObject({
    return_code: code,
    method: payment_method,
    taken_back: scenario === 'disputed',
  });
});

test('a partner’s CI rehearses a settlement, its return and a refund with the SDK', async () => {
  const client = new SvcClient({ apiKey: key, baseUrl: svc.url });
  const { settlement } = await client.simulation.scenario('t-ci', { scenario: 'split' });
  const id = settlement?.id ?? '';
  await client.settlements.update(id, { status: 'verified', processor_transaction_id: 'db-1' });
  const { amount_in_cents } = await client.settlements.refund(id, { amount_in_cents: 1_000 });
  expect(amount_in_cents).toBe(1_000);
  const other = await client.simulation.scenario('t-ci-2', { scenario: 'settled' });
  const returned = await client.settlements.reportReturn(other.settlement?.id ?? '');
  expect(returned.status).toBe('returned');
  await checkPartner(svc.db, partner.id);
});

test('two calls at once, and a repeated Idempotency-Key, make one plan', async () => {
  const body = { scenario: 'paid_off' };
  const headers = { 'idempotency-key': 'paid-off-1' };
  // Several pairs, because each takes its own turns at the first payment.
  const tenants = ['t-twice', 't-twice-2', 't-twice-3', 't-twice-4'];
  const calls = [...tenants, ...tenants].map((tenant) => play(tenant, body));
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const first = await play('t-twice', body, { headers });
  const second = await play('t-twice', body, { headers });
  expect(second.data).toEqual(first.data);
  const events = await publishedTo('t-twice');
  expect(events.filter(({ type }) => type === 'plan.created')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'installment.paid')).toHaveLength(4);
});

test('eight calls for a refund at once answer alike, and refund once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => play('t-refund-race', { scenario: 'refunded' })),
  );
  expect(answers.map(({ status, error }) => error?.message ?? status)).toEqual(Array(8).fill(200));
  const { settlement, refund } = answers[0]?.data ?? {};
  expect(settlement.refunded_in_cents).toBe(settlement.amount_in_cents);
  for (const { data } of answers) expect(data.refund.id).toBe(refund.id);
});

test('a point that can’t be reached is refused with the reason and the way out, and changes nothing', async () => {
  await play('t-behind', { scenario: 'past_due' });
  const before = await publishedTo('t-behind');
  const refused = await play('t-behind', { scenario: 'approved' });
  expect(refused).toMatchObject({ status: 409, error: { code: 'scenario_not_reachable' } });
  expect(refused.error?.message).toBe(
    '"approved" can’t be reached: the tenant has a plan that is past due (1 of 4 payments paid, 3 late; settlement unsettled). Call POST /v1/simulation/t-behind/reset and repeat this call, or use another external id.',
  );
  const fewer = await play('t-behind', { scenario: 'past_due', installment_count: 3 });
  expect(fewer.error?.message).toContain('has a plan of 4 payments, not of 3');
  expect(await publishedTo('t-behind')).toEqual(before);
  // The way out that the message names works.
  await svc.call('POST', '/simulation/t-behind/reset', { key });
  expect((await play('t-behind', { scenario: 'approved' })).status).toBe(200);
  const waits = await play('t-behind', { scenario: 'applied' });
  expect(waits.error?.message).toContain('the tenant is approved and has no plan');

  const paid = [{ ...ada.charges[0], amount_paid_in_cents: 152_012 }];
  const body = { ...ada, charges: paid };
  await svc.call('POST', '/tenant/portal_info/t-free', { key, body });
  const free = await play('t-free', { scenario: 'split' });
  expect(free.error?.message).toBe(
    '"split" can’t be reached: the tenant owes nothing: no charge is unpaid. Report it in portal_info and repeat the call, or use another external id.',
  );
});

test.each(['1900-01-01', '1999-01-01', '2199-12-31'])(
  'a tenant whose rent is due on %s is an adult on that day',
  async (due_date) => {
    const body = { ...ada, charges: [{ ...ada.charges[0], due_date }] };
    await svc.call('POST', `/tenant/portal_info/t-${due_date}`, { key, body });
    const reached = await play(`t-${due_date}`, { scenario: 'split' });
    expect(reached).toMatchObject({ status: 200, data: { plan: { state: 'active' } } });
  },
);

test('an unknown scenario, an option that it ignores and a wrong code are 422', async () => {
  const refusals = [
    [{ scenario: 'paid' }, 'scenario', /must be "applied", .* or "moved_out"/],
    [{}, 'scenario', /is required/],
    [{ scenario: 'approved', installment_count: 2 }, 'installment_count', /scenarios with a plan/],
    [{ scenario: 'split', installment_count: 5 }, 'installment_count', /at most 4/],
    [{ scenario: 'split', failure_code: 'R01' }, 'failure_code', /in which a payment fails/],
    [{ scenario: 'past_due', failure_code: 'R99' }, 'failure_code', /must be "R01"/],
    [{ scenario: 'past_due', failure_code: 'charged_back' }, 'failure_code', /only "disputed"/],
    [{ scenario: 'disputed', failure_code: 'card_declined' }, 'failure_code', /or charged_back/],
  ] as const;
  for (const [body, param, message] of refusals) {
    const answer = await play('t-wrong', body);
    expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed', param } });
    expect(answer.error?.errors?.[0]?.message).toMatch(message);
  }
  expect((await svc.call('GET', '/tenants/t-wrong', { key })).status).toBe(404);
});
