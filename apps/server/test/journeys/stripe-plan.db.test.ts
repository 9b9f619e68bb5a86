import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSetups } from '../../src/jobs/check-setups.ts';
import { tick } from '../../src/jobs/tick.ts';
import type { TestInstrument } from '../../src/testing/stripe-double/account.ts';
import {
  type SignedWebhook,
  type StripeDouble,
  startStripeDouble,
} from '../../src/testing/stripe-double/start-stripe-double.ts';
import { ada, type Running, startRunning } from '../harness.ts';
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
  const stripe = { secretKey, webhookSecrets: [webhookSecret], apiBase: origin };
  // Without the worker, so that the test decides when the lanes run.
  svc = await startRunning({ roles: ['api'], processor: 'stripe', stripe }, noon);
  partner = await svc.newPartner();
});
afterAll(async () => {
  await svc.close();
  await double.close();
});

/** Delivers what Stripe has to report, and runs every lane. */
async function work(arrange = (webhooks: SignedWebhook[]) => webhooks): Promise<void> {
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
async function live(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    svc.clock.advance(dayMs);
    double.account.advanceTo(svc.clock.now());
    await work();
  }
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
  const setup = (type: string) =>
    svc.call('POST', '/experience/payment_setup', { headers, body: { type } });
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
  const returned = [...refunds.values(), ...disputes.values()].reduce(
    (sum, it) => sum + (it.status === 'failed' || it.status === 'won' ? 0 : it.amount),
    0,
  );
  expect(booked).toBe(received - returned);
}

const states = (plan: { installments: { state: string }[] }) =>
  plan.installments.map(({ state }) => state);

test('a plan on a bank account: four days to the first payment, and a return on day 59', async () => {
  const plan = await withPlan('t-bank', { type: 'us_bank_account', disputedAfterDays: 59 });
  // The first debit is under way.
  expect(plan.accepted.data).toMatchObject({ settlement: null, failure: null });
  expect((await plan.read()).state).toBe('created');
  await live(3);
  expect((await plan.read()).state).toBe('created');
  await live(1);
  expect(await plan.read()).toMatchObject({ state: 'active' });
  expect(states(await plan.read())[0]).toBe('paid');
  expect(await eventsOf('t-bank')).toEqual(
    expect.arrayContaining(['plan.activated', 'settlement.created', 'installment.paid']),
  );
  await expectBooksToMatch();

  // The other three are collected on their days, each four days before it is paid.
  await live(36);
  expect(await plan.read()).toMatchObject({ state: 'completed' });
  expect(states(await plan.read())).toEqual(['paid', 'paid', 'paid', 'paid']);
  await expectBooksToMatch();

  // On day 58 nothing is known, on day 59 the bank has taken the first payment back.
  await live(18);
  expect(await plan.read()).toMatchObject({ state: 'completed' });
  await live(1);
  expect(await plan.read()).toMatchObject({ state: 'past_due' });
  expect(states(await plan.read())[0]).toBe('overdue');
  const failed = (await eventsOf('t-bank')).filter((it) => it === 'installment.failed');
  expect(failed).toHaveLength(1);
  await expectBooksToMatch();
});

test('a debit that comes back with R01 before the plan begins cancels it, and no money moved', async () => {
  const plan = await withPlan('t-returned', { type: 'us_bank_account', failsWith: 'R01' });
  await live(4);
  expect((await plan.read()).state).toBe('canceled');
  await expectBooksToMatch();
});

test('a debit card pays at once, and webhooks that come twice and backwards change nothing', async () => {
  const plan = await withPlan('t-card', { type: 'card' });
  expect(plan.accepted.data.settlement).not.toBeNull();
  await work((webhooks) => [...webhooks, ...webhooks].reverse());
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
  await live(1);
  expect(await plan.read()).toMatchObject({ state: 'active' });
  expect(double.account.paymentIntents.size).toBe(charged + 1);
  await expectBooksToMatch();
});

test('a card that its bank declines makes no plan, and says why', async () => {
  const plan = await withPlan('t-declined', { type: 'card', failsWith: 'insufficient_funds' });
  expect(plan.accepted.data.failure).toMatchObject({
    code: 'first_payment_failed:insufficient_funds',
  });
});

test('micro-deposits: the account appears days later, by webhook, without the tenant', async () => {
  const tenant = await newTenant('t-micro');
  const { id, url } = (await tenant.setup('bank_account')).data;
  const session = url.split('/').at(-1);
  double.account.completeSession(session, {
    type: 'us_bank_account',
    verification: 'microdeposits',
  });
  expect(await tenant.check(id)).toMatchObject({ state: 'pending', url: null });
  expect((await tenant.state()).data.payment_method).toBeNull();
  await live(1);
  const intent = double.account.sessions.get(session)?.setup_intent ?? '';
  double.account.verifyMicrodeposits(intent, true);
  await work();
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
    message: 'Only debit cards are accepted. Use a debit card or a bank account.',
  });
  const second = (await tenant.setup('card')).data;
  expect(second).toMatchObject({ state: 'open' });
  expect(second.id).not.toBe(first.id);
});

test('a revoked mandate turns automatic payments off', async () => {
  await withPlan('t-mandate', { type: 'us_bank_account' });
  await live(4);
  const { mandate_ref } = await oneRowOf<{ mandate_ref: string }>(
    svc.db,
    sql`
    select m.mandate_ref from payment_method m join tenant t on t.id = m.tenant_id
    where t.external_id = 't-mandate'`,
  );
  double.account.revokeMandate(mandate_ref);
  await work();
  expect(await eventsOf('t-mandate')).toContain('autopay.disabled');
  const { mandates, paymentMethods, paymentIntents } = double.account;
  const method = paymentMethods.get(mandates.get(mandate_ref)?.payment_method ?? '');
  const collected = () =>
    [...paymentIntents.values()].filter((it) => it.customer === method?.customer).length;
  expect(collected()).toBe(1);
  await live(20);
  expect(collected()).toBe(1);
});

test('another tenant cannot read a setup', async () => {
  const one = await newTenant('t-one');
  const other = await newTenant('t-other');
  const { id } = (await one.setup('card')).data;
  const path = `/experience/payment_setup/${id}/check`;
  expect((await svc.call('POST', path, { headers: other.headers })).status).toBe(404);
});
