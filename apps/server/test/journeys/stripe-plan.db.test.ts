import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dispute } from '../../src/domain/disputes/list-disputes.ts';
import type { OpenPayments } from '../../src/domain/payments/list-calls.ts';
import { checkSetups } from '../../src/jobs/check-setups.ts';
import { deleteExpired } from '../../src/jobs/delete-expired.ts';
import { sweepProcessor } from '../../src/jobs/sweep-processor.ts';
import { tick } from '../../src/jobs/tick.ts';
import { ada, type Running, startRunning } from '../harness.ts';
import {
  type SignedWebhook,
  type StripeDouble,
  signWebhook,
  startStripeDouble,
} from '../support/stripe-double/start-stripe-double.ts';
import type { TestInstrument } from '../support/stripe-double/state.ts';
import { visitedPage } from '../visited-page.ts';
import { checkDebt, checkMoney } from './check-money.ts';
import { playTenant } from './play-tenant.ts';

// The life of a plan that is paid through Stripe: the official client against the double, webhooks
// over HTTP, and no simulated clock.

const dayMs = 86_400_000;
const noon = '2026-02-01T18:00:00Z';
const quiet = { info() {}, warn() {}, error() {} };

let double: StripeDouble;
let svc: Running;
let partner: Awaited<ReturnType<Running['newPartner']>>;
beforeAll(async () => {
  double = await startStripeDouble(new Date(noon));
  const { secretKey, webhookSecret, origin } = double;
  const processorSettings = { secretKey, webhookSecrets: [webhookSecret], apiBase: origin };
  // Without the worker, so that the test decides when the lanes run.
  svc = await startRunning({ roles: ['api'], processor: 'stripe', processorSettings }, noon);
  partner = await svc.newPartner();
});
afterAll(async () => {
  await svc.close();
  await double.close();
});

/** Delivers what Stripe has to report, and runs every lane. */
async function deliverAndRunLanes(
  arrange = (webhooks: SignedWebhook[]) => webhooks,
): Promise<void> {
  for (const { body, headers } of arrange(double.webhooks())) {
    const url = `${svc.url}/webhooks/processor`;
    const { status } = await fetch(url, { method: 'POST', body, headers });
    expect(status).toBe(200);
  }
  const deps = { ...svc.commands, log: quiet };
  const { processor } = svc.service;
  if (!processor) throw new Error('no processor');
  await tick(deps);
  await checkSetups(deps, processor);
  await tick(deps);
}

/** Lets days pass at Stripe and here, one after another. */
async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) await pass(dayMs);
}

async function pass(ms: number): Promise<void> {
  svc.clock.advance(ms);
  double.account.advanceTo(svc.clock.now());
  await deliverAndRunLanes();
}

async function newTenant(externalId: string) {
  const { key, pms } = partner;
  // Rent of today's month, whatever the clock of the other tests has come to.
  const due_date = svc.clock.now().toISOString().slice(0, 10);
  const body = { ...ada, charges: [{ ...ada.charges[0], due_date }] };
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  await tenant.apply();
  /** Opens a payment setup. The `url` of the response is Stripe's own address. */
  const setup = async (type: string) => {
    const opened = await svc.call('POST', '/experience/payment_setup', { headers, body: { type } });
    if (opened.data?.url) opened.data.url = await visitedPage(svc, opened.data.url);
    return opened;
  };
  const check = async (id: string) => {
    const path = `/experience/payment_setup/${id}/check`;
    return (await svc.call('POST', path, { headers })).data;
  };
  return { ...tenant, setup, check, headers };
}

/** A tenant who enters the account on Stripe's page, comes back, and accepts a plan of four payments. */
async function withPlan(externalId: string, entered: TestInstrument) {
  const tenant = await newTenant(externalId);
  const opened = await tenant.setup(entered.type === 'card' ? 'card' : 'bank_account');
  expect(opened.data).toMatchObject({ state: 'open', url: expect.stringContaining('/c/pay/') });
  double.account.completeSession(opened.data.url.split('/').at(-1), entered);
  expect(await tenant.check(opened.data.id)).toMatchObject({ state: 'ready' });
  const quotes = (await tenant.quotes()).data.items;
  const accepted = await tenant.accept(quotes.at(-1));
  expect(accepted.error).toBeNull();
  const { plan } = accepted.data.state;
  const { key } = partner;
  const read = async () => (await svc.call('GET', `/plans/${plan.id}`, { key })).data;
  return { ...tenant, accepted, plan, read };
}

async function eventsOf(externalId: string): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    svc.db,
    sql`
    select type from webhook_messages where subject = ${externalId} order by id`,
  );
  return rows.map(({ type }) => type);
}

/** The amount that the processor owes us by our books. It must equal the processor's own. */
async function expectBooksToMatch(): Promise<void> {
  const { booked } = await oneRowOf<{ booked: number }>(
    svc.db,
    sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as booked from processor_entry e`,
  );
  const { paymentIntents, refunds, disputes } = double.account;
  const received = [...paymentIntents.values()].reduce((sum, it) => sum + it.amount_received, 0);
  const refunded = [...refunds.values()]
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);
  const disputed = [...disputes.values()]
    .flatMap((it) => it.balance_transactions)
    .reduce((sum, { amount }) => sum + amount, 0);
  expect(booked).toBe(received - refunded + disputed);
}

const states = (plan: { installments: { state: string }[] }) =>
  plan.installments.map(({ state }) => state);

test('a plan on a bank account: four days to the first payment, and a return on day 59', async () => {
  const plan = await withPlan('t-bank', { type: 'us_bank_account', disputedAfterDays: 59 });
  // The first debit is under way.
  expect(plan.accepted.data).toMatchObject({ settlement: null, failure: null });
  expect((await plan.read()).state).toBe('created');
  await passDays(3);
  expect((await plan.read()).state).toBe('created');
  await passDays(1);
  expect(await plan.read()).toMatchObject({ state: 'active' });
  expect(states(await plan.read())[0]).toBe('paid');
  expect(await eventsOf('t-bank')).toEqual(
    expect.arrayContaining(['plan.activated', 'settlement.created', 'installment.paid']),
  );
  await expectBooksToMatch();

  // The other three are collected on their days, each four days before it is paid.
  await passDays(36);
  expect(await plan.read()).toMatchObject({ state: 'completed' });
  expect(states(await plan.read())).toEqual(['paid', 'paid', 'paid', 'paid']);
  await expectBooksToMatch();

  // On day 58 nothing is known, on day 59 the bank has taken the first payment back.
  await passDays(18);
  expect(await plan.read()).toMatchObject({ state: 'completed' });
  await passDays(1);
  expect(await plan.read()).toMatchObject({ state: 'past_due' });
  expect(states(await plan.read())[0]).toBe('overdue');
  const failed = (await eventsOf('t-bank')).filter((it) => it === 'installment.failed');
  expect(failed).toHaveLength(1);
  await expectBooksToMatch();
});

test('a debit that comes back with R01 before the plan begins cancels it, and no money moved', async () => {
  const plan = await withPlan('t-returned', { type: 'us_bank_account', failsWith: 'R01' });
  await passDays(4);
  expect((await plan.read()).state).toBe('canceled');
  await expectBooksToMatch();
});

test('a debit card pays at once, and webhooks that come twice and backwards change nothing', async () => {
  const plan = await withPlan('t-card', { type: 'card' });
  expect(plan.accepted.data.settlement).not.toBeNull();
  await deliverAndRunLanes((webhooks) => [...webhooks, ...webhooks].reverse());
  expect(await plan.read()).toMatchObject({ state: 'active' });
  expect(states(await plan.read())[0]).toBe('paid');
  const paid = (await eventsOf('t-card')).filter((it) => it === 'installment.paid');
  expect(paid).toHaveLength(1);
  await expectBooksToMatch();
});

test('an answer that is lost after Stripe has charged is found, and the tenant pays once', async () => {
  const reset = { kind: 'reset', when: 'after' } as const;
  double.failNext('POST /v1/payment_intents', reset);
  double.failNext('POST /v1/payment_intents', reset);
  const charged = double.account.paymentIntents.size;
  const plan = await withPlan('t-lost', { type: 'card' });
  await passDays(1);
  expect(await plan.read()).toMatchObject({ state: 'active' });
  expect(double.account.paymentIntents.size).toBe(charged + 1);
  await expectBooksToMatch();
});

test('a card that its bank declines starts no plan, and the tenant sees the reason', async () => {
  const plan = await withPlan('t-declined', { type: 'card', failsWith: 'insufficient_funds' });
  expect(plan.accepted.data.failure).toMatchObject({
    code: 'first_payment_failed:insufficient_funds',
  });
});

describe('a card whose bank asks for a confirmation', () => {
  const asking = { type: 'card', failsWith: 'authentication_required' } as const;
  type Tenant = Awaited<ReturnType<typeof withPlan>>;

  async function checkPayment({ headers }: Pick<Tenant, 'headers'>, id: string) {
    const path = `/experience/payment/${id}/check`;
    return (await svc.call('POST', path, { headers })).data;
  }

  /** The tenant opens the bank's page. Returns Stripe's id of the payment. */
  async function openPage(tenant: Tenant, id: string): Promise<string> {
    const checked = await checkPayment(tenant, id);
    expect(checked).toMatchObject({ state: 'waiting' });
    const page = new URL(await visitedPage(svc, checked.url));
    expect(page.pathname).toContain('/confirm/');
    return page.pathname.split('/').at(-1) ?? '';
  }

  test('the tenant confirms the first payment, then pays the others by hand', async () => {
    const tenant = await withPlan('t-confirms', asking);
    expect(tenant.accepted.data).toMatchObject({ settlement: null, failure: null });
    const first = tenant.accepted.data.state.confirmation;
    expect(first).toEqual({
      payment_id: expect.stringMatching(/^pay_/),
      amount_in_cents: tenant.plan.installments[0].amount_in_cents,
    });
    // Nothing is due to the landlord before the bank has paid, and no one else can see the page.
    expect((await tenant.read()).state).toBe('created');
    const other = await newTenant('t-confirms-not');
    expect(await checkPayment(other, first.payment_id)).toEqual({ state: 'ended', url: null });
    double.account.confirmAtBank(await openPage(tenant, first.payment_id), true);
    // Without any webhook: the tenant's page asks.
    expect(await checkPayment(tenant, first.payment_id)).toEqual({ state: 'ended', url: null });
    expect(await tenant.read()).toMatchObject({ state: 'active' });
    expect((await tenant.state()).data.confirmation).toBeNull();
    await deliverAndRunLanes();
    await expectBooksToMatch();

    // The next one is due without the tenant, so Stripe declines it, and it is not tried again.
    await passDays(15);
    const back = await newTenant('t-confirms');
    const { plan, management } = (await back.state()).data;
    expect(plan.installments[1].state).toBe('overdue');
    expect(management.installments[1]).toMatchObject({
      failure: { return_code: 'authentication_required' },
      next_attempt_on: null,
      may_pay: true,
    });
    const paying = { ...tenant, headers: back.headers };
    const path = `/experience/plan/${plan.id}/pay`;
    const body = { installment_ids: [plan.installments[1].id] };
    const paid = (await svc.call('POST', path, { headers: back.headers, body })).data;
    expect(paid).toMatchObject({ repayment: null, failure: null });
    const { payment_id } = paid.state.confirmation;
    double.account.confirmAtBank(await openPage(paying, payment_id), true);
    await deliverAndRunLanes();
    expect(states(await tenant.read())[1]).toBe('paid');
    await expectBooksToMatch();
  });

  test('a payment that is not confirmed within an hour moves no money', async () => {
    const tenant = await withPlan('t-leaves', asking);
    const { payment_id } = tenant.accepted.data.state.confirmation;
    const intent = await openPage(tenant, payment_id);
    await pass(3_599_000);
    expect((await tenant.read()).state).toBe('created');
    await pass(301_000);
    expect((await tenant.read()).state).toBe('canceled');
    expect(double.account.paymentIntents.get(intent)?.status).toBe('canceled');
    await expectBooksToMatch();
  });

  test('a payment that the bank refuses after all cancels the plan, with a reason', async () => {
    const tenant = await withPlan('t-refused', asking);
    const { payment_id } = tenant.accepted.data.state.confirmation;
    double.account.confirmAtBank(await openPage(tenant, payment_id), false);
    await deliverAndRunLanes();
    expect(await tenant.read()).toMatchObject({ state: 'canceled' });
    expect((await tenant.state()).data).toMatchObject({ step: 'plan_choice', confirmation: null });
  });
});

test('an account verified by micro-deposits is stored by webhook days later, without the tenant', async () => {
  const tenant = await newTenant('t-micro');
  const { id, url } = (await tenant.setup('bank_account')).data;
  const session = url.split('/').at(-1);
  double.account.completeSession(session, {
    type: 'us_bank_account',
    verification: 'microdeposits',
  });
  expect(await tenant.check(id)).toMatchObject({ state: 'pending', url: null });
  expect((await tenant.state()).data.payment_method).toBeNull();
  await passDays(1);
  const intent = double.account.sessions.get(session)?.setup_intent ?? '';
  double.account.verifyMicrodeposits(intent, true);
  await deliverAndRunLanes();
  // The first session has ended, so the tenant comes back with a new one.
  const back = await newTenant('t-micro');
  expect((await back.state()).data.payment_method).toMatchObject({ last4: '6789' });
  expect(await back.check(id)).toMatchObject({ state: 'ready' });
});

test('a credit card is refused with a sentence, and the tenant can start again', async () => {
  const tenant = await newTenant('t-credit');
  const first = (await tenant.setup('card')).data;
  expect((await tenant.state()).data.account_entry).toBe('page');
  // A second click opens the same page.
  expect((await tenant.setup('card')).data).toMatchObject({ id: first.id, url: first.url });
  double.account.completeSession(first.url.split('/').at(-1), { type: 'card', funding: 'credit' });
  expect(await tenant.check(first.id)).toMatchObject({
    state: 'failed',
    reason: 'credit_card',
    message: 'Only debit cards are accepted. Use a debit card or a bank account.',
  });
  const second = (await tenant.setup('card')).data;
  expect(second).toMatchObject({ state: 'open' });
  expect(second.id).not.toBe(first.id);

  // The record of a visit that has ended is kept for 30 days.
  const visits = async () => {
    const found = await rowsOf<{ id: string }>(svc.db, sql`select id from payment_setup`);
    return found.map(({ id }) => id).filter((id) => id === first.id || id === second.id);
  };
  await deleteExpired({ ...svc, now: new Date(svc.clock.now().getTime() + 30 * dayMs) }, 1_000);
  expect(await visits()).toEqual([first.id, second.id]);
  await deleteExpired({ ...svc, now: new Date(svc.clock.now().getTime() + 31 * dayMs) }, 1_000);
  expect(await visits()).toEqual([second.id]);
});

test('a revoked mandate turns automatic payments off', async () => {
  await withPlan('t-mandate', { type: 'us_bank_account' });
  await passDays(4);
  const { mandate_ref } = await oneRowOf<{ mandate_ref: string }>(
    svc.db,
    sql`
    select m.mandate_ref from payment_method m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where t.external_id = 't-mandate'`,
  );
  double.account.revokeMandate(mandate_ref);
  await deliverAndRunLanes();
  expect(await eventsOf('t-mandate')).toContain('autopay.disabled');
  const { mandates, paymentMethods, paymentIntents } = double.account;
  const method = paymentMethods.get(mandates.get(mandate_ref)?.payment_method ?? '');
  const collected = () =>
    [...paymentIntents.values()].filter((it) => it.customer === method?.customer).length;
  expect(collected()).toBe(1);
  await passDays(20);
  expect(collected()).toBe(1);
});

test('the new numbers of a card that its network replaced are shown, and one that is removed is not charged', async () => {
  const tenant = await withPlan('t-replaced', { type: 'card', expires: '2026-09' });
  const { ref } = await oneRowOf<{ ref: string }>(
    svc.db,
    sql`
    select m.method_ref as ref from payment_method m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where t.external_id = 't-replaced'`,
  );
  double.account.replaceCard(ref, { last4: '9876', expires: '2029-08' });
  double.account.replaceCard(ref, { last4: '1111', expires: '2030-01' });
  // The older event arrives last.
  await deliverAndRunLanes((webhooks) => [...webhooks].reverse());
  const shown = async () => (await tenant.state()).data.management.payment_method;
  expect(await shown()).toMatchObject({ brand: 'visa', last4: '1111', expires: '2030-01' });
  const stored = await rowsOf<{ body: string }>(
    svc.db,
    sql`
    select body::text from processor_inbox where body->>'kind' = 'card_replaced'`,
  );
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toMatch(/1111|9876/);

  const charged = double.account.paymentIntents.size;
  double.account.detach(ref);
  await deliverAndRunLanes();
  expect((await tenant.state()).data.management.autopay).toBe(false);
  expect(await eventsOf('t-replaced')).toContain('autopay.disabled');
  await passDays(20);
  const { paymentIntents, paymentMethods } = double.account;
  const later = [...paymentIntents.values()].slice(charged);
  expect(later.filter((it) => it.payment_method === ref)).toEqual([]);
  expect(paymentMethods.get(ref)?.customer).toBeNull();
});

describe('a chargeback', () => {
  /** A plan whose first payment, or `cents` of it, is charged back. */
  async function chargedBack(externalId: string, cents?: number) {
    const tenant = await withPlan(externalId, { type: 'card' });
    const intent = [...double.account.paymentIntents.values()].at(-1)?.id ?? '';
    const first = tenant.plan.installments[0].amount_in_cents as number;
    const dispute = double.account.dispute(intent, undefined, cents);
    await deliverAndRunLanes();
    const amountsOf = async () => (await tenant.state()).data.management.amounts.installments[0];
    const check = async () => {
      await expectBooksToMatch();
      await checkMoney(svc.db, tenant.plan);
      await checkDebt(svc.db, (await tenant.state()).data);
    };
    const close = async (status: 'won' | 'lost', cents?: number, ofDispute = dispute) => {
      double.account.closeDispute(ofDispute?.id ?? '', status, cents);
      await deliverAndRunLanes();
      await deliverAndRunLanes();
    };
    const win = () => close('won');
    const listed = async () => {
      const answer = await svc.administer({ command: 'dispute list' });
      const { items } = (answer as { result: { items: Dispute[] } }).result;
      return items.filter((it) => it.external_id === externalId);
    };
    return { ...tenant, intent, dispute, first, amountsOf, check, close, win, listed };
  }

  test('a chargeback won in part pays that part, and the tenant still owes the rest', async () => {
    const tenant = await chargedBack('t-won-in-part');
    await tenant.close('lost', 100_00);
    expect((await tenant.read()).installments[0]).toMatchObject({ state: 'overdue' });
    expect(await tenant.amountsOf()).toMatchObject({
      paid_in_cents: 100_00,
      left_in_cents: tenant.first - 100_00,
    });
    expect(await tenant.listed()).toMatchObject([
      {
        dispute: tenant.dispute?.id,
        status: 'lost',
        state: 'won_in_part',
        taken_in_cents: tenant.first,
        won_in_cents: 100_00,
        answer_by: null,
      },
    ]);
    await tenant.check();
  });

  test('a second chargeback after a won dispute counts like the first', async () => {
    const tenant = await chargedBack('t-again');
    await tenant.win();
    expect((await tenant.read()).installments[0].state).toBe('paid');
    const second = double.account.dispute(tenant.intent, undefined, 280_03);
    await deliverAndRunLanes();
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: 280_03 });
    expect(await tenant.listed()).toHaveLength(2);
    await tenant.check();
    await tenant.close('won', undefined, second);
    expect((await tenant.read()).installments[0]).toMatchObject({
      state: 'paid',
      amount_in_cents: tenant.first,
    });
    expect((await tenant.listed()).map((it) => it.state)).toEqual(['won', 'won']);
    await tenant.check();
  });

  test('the tenant owes each part of a partial chargeback, and each part that we win is paid', async () => {
    const tenant = await chargedBack('t-parts', 100_00);
    const second = double.account.dispute(tenant.intent, undefined, 50_00);
    await deliverAndRunLanes();
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: 150_00 });
    await tenant.check();
    await tenant.win();
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: 50_00 });
    await tenant.check();
    await tenant.close('won', undefined, second);
    expect(await tenant.amountsOf()).toMatchObject({ paid_in_cents: tenant.first });
    await tenant.check();
  });

  test('two concurrent chargebacks exceed the payment: the tenant owes it once, and the rest is our loss', async () => {
    const tenant = await chargedBack('t-twice-at-once');
    double.account.dispute(tenant.intent, undefined, 300_00);
    await deliverAndRunLanes();
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: tenant.first });
    await tenant.check();
    // The bank gives the first one back, because the second one replaces it.
    await tenant.win();
    expect(await tenant.amountsOf()).toMatchObject({
      paid_in_cents: tenant.first - 300_00,
      left_in_cents: 300_00,
    });
    await tenant.check();
  });

  test.each([
    ['reversed', (webhooks: SignedWebhook[]) => webhooks.toReversed()],
    ['twice', (webhooks: SignedWebhook[]) => [...webhooks, ...webhooks]],
    ['reversed and twice', (webhooks: SignedWebhook[]) => [...webhooks.toReversed(), ...webhooks]],
    // The withdrawal is in the later events, too.
    ['without the first', (webhooks: SignedWebhook[]) => webhooks.slice(2)],
  ])('that is won in part, with its events %s', async (order, arrange) => {
    const tenant = await withPlan(`t-events ${order}`, { type: 'card' });
    const intent = [...double.account.paymentIntents.values()].at(-1)?.id ?? '';
    const dispute = double.account.dispute(intent);
    double.account.closeDispute(dispute?.id ?? '', 'lost', 100_00);
    await deliverAndRunLanes(arrange);
    await deliverAndRunLanes();
    const { amounts } = (await tenant.state()).data.management;
    const first = tenant.plan.installments[0].amount_in_cents;
    expect(amounts.installments[0]).toMatchObject({ left_in_cents: first - 100_00 });
    await expectBooksToMatch();
    await checkMoney(svc.db, tenant.plan);
  });

  /** A dispute of which `cents` came back, without a report of how much. `told` reports an amount. */
  async function wonUnclearly(externalId: string, cents: number) {
    const tenant = await chargedBack(externalId);
    const dispute = tenant.dispute?.id ?? '';
    const reportOf = (webhooks: readonly SignedWebhook[], amount: number) =>
      webhooks.flatMap(({ body }) => {
        const event = JSON.parse(body);
        if (event.type !== 'charge.dispute.funds_reinstated') return [];
        const object = { ...event.data.object, amount, balance_transactions: [] };
        const id = `${event.id}_${amount}`;
        return [
          signWebhook({ ...event, id, data: { object } }, double.webhookSecret, svc.clock.now()),
        ];
      });
    double.account.closeDispute(dispute, 'lost', cents);
    const webhooks = double.webhooks();
    const told = (amount: number) => deliverAndRunLanes(() => reportOf(webhooks, amount));
    await told(tenant.first);
    const ignored = async () => {
      const answer = await svc.administer({ command: 'payment list' });
      const { ignored_events } = (answer as { result: OpenPayments }).result;
      return ignored_events
        .filter((it) => it.about === tenant.intent)
        .map(({ kind, reason }) => ({ kind, reason }));
    };
    return { ...tenant, dispute, told, ignored };
  }

  test('a chargeback waits for the operator if Stripe does not say how much came back', async () => {
    const tenant = await wonUnclearly('t-unclear', 100_00);
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: tenant.first });
    expect(await tenant.ignored()).toEqual([
      {
        kind: 'disputed',
        reason: 'the processor does not say how much of the money it gave back',
      },
    ]);
    // A smaller amount than was taken can only be what came back.
    await tenant.told(100_00);
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: tenant.first - 100_00 });
    await tenant.check();
  });

  test('the operator books the part that came back, and a later report adds only the difference', async () => {
    const tenant = await wonUnclearly('t-booked', 200_00);
    const book = (amount_in_cents: number, dispute = tenant.dispute) =>
      svc.administer({ command: 'dispute book', dispute, amount_in_cents });
    const refused = (message: string) => ({ ok: false, message });
    expect(await book(100_00, 'du_none')).toEqual(
      refused('There is no dispute du_none. "svc-admin dispute list" shows them.'),
    );
    expect(await book(tenant.first + 1)).toEqual(
      refused(
        `The bank took ${tenant.first} cents in ${tenant.dispute}. --amount is what it gave back of them in total.`,
      ),
    );
    const both = await Promise.all([book(100_00), book(100_00)]);
    expect(both.filter((it) => it.ok)).toMatchObject([
      { result: { amount_in_cents: 100_00, taken_in_cents: tenant.first, is_booked: true } },
    ]);
    expect(both).toContainEqual(
      refused(
        `10000 cents that came back in ${tenant.dispute} are booked already. --amount is their total.`,
      ),
    );
    expect(await tenant.amountsOf()).toMatchObject({
      paid_in_cents: 100_00,
      left_in_cents: tenant.first - 100_00,
    });
    expect(await tenant.listed()).toMatchObject([{ state: 'won_in_part', won_in_cents: 100_00 }]);
    // No alert counts the report now.
    expect(await tenant.ignored()).toEqual([]);
    await tenant.told(100_00);
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: tenant.first - 100_00 });
    expect(await book(150_00)).toMatchObject({
      result: { amount_in_cents: 50_00, won_in_cents: 150_00 },
    });
    await tenant.told(200_00);
    expect(await tenant.amountsOf()).toMatchObject({ left_in_cents: tenant.first - 200_00 });
    await tenant.check();
    const audited = await rowsOf<{ details: object }>(
      svc.db,
      sql`select details from audit_entry where action = 'payment.dispute_booked' order by id`,
    );
    expect(audited.map((it) => it.details)).toMatchObject([
      { dispute: tenant.dispute, amount_in_cents: 100_00, reason: 'a test' },
      { dispute: tenant.dispute, amount_in_cents: 50_00 },
    ]);
  });

  test('an inquiry of a bank moves no money, and the operator sees the deadline', async () => {
    const tenant = await withPlan('t-inquiry', { type: 'card' });
    const intent = [...double.account.paymentIntents.values()].at(-1)?.id ?? '';
    const inquiry = double.account.inquire(intent);
    await deliverAndRunLanes();
    const listed = async () => {
      const answer = await svc.administer({ command: 'dispute list' });
      const { items } = (answer as { result: { items: Dispute[] } }).result;
      return items.filter((it) => it.external_id === 't-inquiry');
    };
    expect(await listed()).toMatchObject([
      {
        status: 'inquiry',
        state: 'none',
        taken_in_cents: 0,
        answer_by: new Date(inquiry.evidence_details.due_by * 1_000).toISOString(),
      },
    ]);
    expect(states(await tenant.read())[0]).toBe('paid');
    double.account.closeInquiry(inquiry.id);
    await deliverAndRunLanes();
    expect(await listed()).toMatchObject([{ status: 'closed', state: 'none', answer_by: null }]);
    await expectBooksToMatch();
  });

  test.each([
    ['a part of a payment', 't-part', 150_00],
    ['a whole payment', 't-whole', undefined],
  ])('of %s is owed again, and paid when we win', async (_, externalId, cents) => {
    const tenant = await chargedBack(externalId, cents);
    const taken = cents ?? tenant.first;
    const { installments } = await tenant.read();
    expect(installments[0]).toMatchObject({ state: 'overdue', amount_in_cents: taken });
    expect(await tenant.amountsOf()).toMatchObject({
      paid_in_cents: tenant.first - taken,
      left_in_cents: taken,
    });
    const { body } = await oneRowOf<{ body: string }>(
      svc.db,
      sql`
      select body from webhook_messages
      where subject = ${externalId} and type = 'installment.failed'`,
    );
    expect(JSON.parse(body).data).toMatchObject({ amount_in_cents: taken, taken_back: true });
    await tenant.check();
    await tenant.win();
    expect((await tenant.read()).installments[0]).toMatchObject({
      state: 'paid',
      amount_in_cents: tenant.first,
    });
    expect(await tenant.amountsOf()).toMatchObject({ paid_in_cents: tenant.first });
    await tenant.check();
  });

  test('a part that the tenant has paid again is refunded to the tenant when we win', async () => {
    const tenant = await chargedBack('t-part-paid', 150_00);
    const { headers, plan, first } = tenant;
    const path = `/experience/plan/${plan.id}/pay`;
    const body = { installment_ids: [plan.installments[0].id] };
    const paid = (await svc.call('POST', path, { headers, body })).data;
    expect(paid.repayment).toMatchObject({ amount_in_cents: 150_00 });
    expect((await tenant.read()).installments[0]).toMatchObject({
      state: 'paid',
      amount_in_cents: first,
    });
    const receipts = paid.state.management.receipts as { amount_in_cents: number }[];
    expect(receipts.map((it) => it.amount_in_cents)).toEqual([150_00, first - 150_00]);
    await deliverAndRunLanes();
    await tenant.check();
    await tenant.win();
    const { management } = (await tenant.state()).data;
    expect(management.amounts).toMatchObject({ paid_in_cents: first, refunded_in_cents: 150_00 });
    await tenant.check();
  });
});

test('the sandbox simulates our decisions and dates, and not what Stripe does', async () => {
  const { key } = partner;
  const simulate = (tenant: string, call: string, body?: object) =>
    svc.call('POST', `/simulation/${tenant}/${call}`, { key, ...(body && { body }) });
  // Our decision.
  await newTenant('t-simulated');
  const approved = { underwriting_result: 'WILL_BE_APPROVED' };
  expect((await simulate('t-simulated', 'set_underwriting_result', approved)).status).toBe(200);
  const failing = { return_code: 'R01' };
  expect(await simulate('t-simulated', 'fail_next_payment', failing)).toMatchObject({
    status: 409,
    error: {
      code: 'simulation_not_possible',
      message: expect.stringContaining('made by stripe, which decides whether one fails'),
    },
  });

  const play = (tenant: string, scenario: string) => simulate(tenant, 'scenario', { scenario });
  const paid = { status: 409, error: { code: 'simulation_not_possible' } };
  expect(await play('t-played', 'split')).toMatchObject(paid);
  expect((await svc.call('GET', '/tenants/t-played', { key })).status).toBe(404);
  expect((await play('t-played', 'declined')).data.application.state).toBe('declined');

  // Cards are decided at once, so the clock can pass the days of all payments.
  const card = await withPlan('t-moved', { type: 'card' });
  expect((await simulate('t-moved', 'advance_clock', { by: 'P40D' })).status).toBe(200);
  expect(await card.read()).toMatchObject({ state: 'completed' });

  const settled = await play('t-moved', 'settled');
  expect(settled.data.settlement).toMatchObject({ plan_id: card.plan.id, status: 'verified' });

  // A debit takes Stripe's days, so the clock stands at the next one.
  const bank = await withPlan('t-stands', { type: 'us_bank_account' });
  const refused = {
    status: 409,
    error: {
      code: 'simulation_not_possible',
      message: expect.stringContaining('is on its way at stripe, which has its own clock'),
    },
  };
  expect(await simulate('t-stands', 'advance_clock', { by: 'P1D' })).toMatchObject(refused);
  await passDays(4);
  expect(await simulate('t-stands', 'advance_clock', { by: 'P40D' })).toMatchObject(refused);
  const { installments } = await bank.read();
  expect(states({ installments })).toEqual(['paid', 'processing', 'scheduled', 'scheduled']);
  const { data } = await svc.call('GET', '/simulation/t-stands', { key });
  expect(data.simulated_time.slice(0, 10)).toBe(installments[1].due_date);

  // What was charged is refunded, through Stripe.
  expect((await simulate('t-stands', 'reset')).status).toBe(200);
  await passDays(4);
  expect((await bank.read()).state).toBe('canceled');
  await expectBooksToMatch();
});

test('another tenant cannot read a setup', async () => {
  const one = await newTenant('t-one');
  const other = await newTenant('t-other');
  const { id } = (await one.setup('card')).data;
  const path = `/experience/payment_setup/${id}/check`;
  expect((await svc.call('POST', path, { headers: other.headers })).status).toBe(404);
});

// The last tests, because Stripe's clock can only be moved forward.
test.each([
  ['behind ours', 't-behind', -dayMs],
  ['ahead of ours', 't-ahead', dayMs],
] as const)('Stripe’s clock is a day %s: nothing is lost', async (_, externalId, apartMs) => {
  double.account.advanceTo(new Date(svc.clock.now().getTime() + Math.max(apartMs, 0)));
  if (apartMs < 0) svc.clock.advance(-apartMs);
  double.webhooks();
  const { processor } = svc.service;
  if (!processor) throw new Error('no processor');
  const sweep = () => sweepProcessor({ ...svc.commands, log: quiet }, processor);
  await sweep();
  // An answer that got lost is found by its time at Stripe.
  double.failNext('POST /v1/payment_intents', { kind: 'garbage', when: 'after' });
  const charged = double.account.paymentIntents.size;
  const tenant = await withPlan(externalId, { type: 'card' });
  expect((await tenant.read()).state).toBe('created');
  svc.clock.advance(60_000);
  await tick({ ...svc.commands, log: quiet });
  expect((await tenant.read()).state).toBe('active');
  expect(double.account.paymentIntents.size).toBe(charged + 1);
  // A webhook of that time is refused, because it could be an old one. The sweep brings its event.
  const intent = [...double.account.paymentIntents.values()].at(-1)?.id ?? '';
  double.account.dispute(intent);
  for (const { body, headers } of double.webhooks()) {
    const url = `${svc.url}/webhooks/processor`;
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(400);
  }
  svc.clock.advance(dayMs);
  await sweep();
  await tick({ ...svc.commands, log: quiet });
  expect(states(await tenant.read())[0]).toBe('overdue');
  await expectBooksToMatch();
});
