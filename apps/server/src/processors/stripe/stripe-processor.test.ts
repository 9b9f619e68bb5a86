import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testProcessor } from '../../../test/support/processor-contract.ts';
import {
  type Failure,
  type StripeDouble,
  signWebhook,
  startStripeDouble,
} from '../../../test/support/stripe-double/start-stripe-double.ts';
import type { TestInstrument } from '../../../test/support/stripe-double/state.ts';
import { sandboxCreditor } from '../../creditor.ts';
import type {
  ChargeRequest,
  EarlierCall,
  Instrument,
  ProcessorEvent,
} from '../../domain/payments/processor.ts';
import { eventTypes, readEvent } from './events.ts';
import { createStripeProcessor } from './stripe-processor.ts';

// The official client against the double, over HTTP on loopback.

let double: StripeDouble;
let logged: object[];
let keys = 0;
beforeAll(async () => {
  double = await startStripeDouble();
});
afterAll(() => double.close());
beforeEach(() => {
  logged = [];
});

const creating = 'POST /v1/payment_intents';
const dayMs = 86_400_000;

function processorAt(now = () => double.account.now(), secrets = [double.webhookSecret]) {
  return createStripeProcessor(
    { secretKey: double.secretKey, apiBase: double.origin, webhookSecrets: secrets },
    {
      clock: { now },
      creditor: sandboxCreditor,
      log: { info() {}, warn() {}, error: (fields) => void logged.push(fields) },
    },
  );
}

function newKey(): string {
  keys += 1;
  return `pay_${keys}`;
}

function payer() {
  const at = double.account.now();
  return { partnerId: 'par_1', tenantId: 'ten_1', timeZone: 'America/Chicago', at };
}

async function begin(type: 'bank_account' | 'card') {
  const returnUrl = 'https://svc.example/experience';
  const request = {
    key: newKey(),
    payer: payer(),
    type,
    typed: null,
    bank: null,
    returnUrl,
    now: double.account.now(),
  } as const;
  const step = await processorAt().setup(request);
  if (step.kind !== 'redirect') throw new Error(`the step is ${step.kind}`);
  return { ...step, request };
}

async function instrumentOf(entered: TestInstrument): Promise<Instrument> {
  const { ref } = await begin(entered.type === 'card' ? 'card' : 'bank_account');
  double.account.completeSession(ref, entered);
  const step = await processorAt().findSetup(ref, double.account.now());
  if (step.kind !== 'ready') throw new Error(`the step is ${step.kind}`);
  return step.method.instrument;
}

async function charge(
  entered: TestInstrument,
  failure?: Failure,
  occasion: ChargeRequest['occasion'] = 'scheduled',
) {
  const instrument = await instrumentOf(entered);
  const request = {
    key: newKey(),
    payer: payer(),
    amountInCents: 500_00,
    methodId: 'pmt_1',
    instrument,
    occasion,
    returnUrl: 'https://svc.example/setup/return',
  } as const;
  if (failure) failNext(creating, failure);
  const outcome = await processorAt().charge(request);
  const call: EarlierCall = {
    kind: 'charge',
    key: request.key,
    ref: null,
    sentAt: double.account.now(),
    instrument,
    of: null,
  };
  return { request, outcome, call };
}

function find(call: EarlierCall) {
  return processorAt().find(call, payer());
}

/** The library repeats a request once after a reset, because an idle connection may have ended. */
function failNext(endpoint: string, failure: Failure): void {
  double.failNext(endpoint, failure);
  if (failure.kind === 'reset') double.failNext(endpoint, failure);
}

function intentsOf(key: string) {
  const all = [...double.account.paymentIntents.values()];
  return all.filter(({ metadata }) => metadata.svc_key === key);
}

function later(ms: number): void {
  double.account.advanceTo(new Date(double.account.now().getTime() + ms));
}

function eventsOf(run: () => void): ProcessorEvent[] {
  double.webhooks();
  run();
  const processor = processorAt();
  return double
    .webhooks()
    .flatMap(({ body, headers }) => [
      ...processor.parseWebhook(Buffer.from(body), headers, double.account.now()),
    ]);
}

describe('the contract of every processor', () => {
  const cards = { succeeds: {}, fails: { failsWith: 'insufficient_funds' } } as const;
  let bank: Instrument | undefined;

  testProcessor(() => ({
    processor: processorAt(),
    async open(kind) {
      bank ??= await instrumentOf({ type: 'us_bank_account' });
      const instrument =
        kind === 'slow' ? bank : await instrumentOf({ type: 'card', ...cards[kind] });
      return { payer: payer(), methodId: 'pmt_1', instrument };
    },
    settle: async ({ ref }) => double.account.succeed(ref ?? ''),
    returnCharge: async ({ ref }) => void double.account.dispute(ref ?? ''),
    webhooks: async () =>
      double.webhooks().map(({ body, headers }) => ({ raw: Buffer.from(body), headers })),
    now: () => double.account.now(),
  }));
});

describe('setting up', () => {
  test('a bank account is entered on Stripe’s page and comes back with its mandate', async () => {
    const { ref, url } = await begin('bank_account');
    expect(url).toContain('/c/pay/');
    double.account.completeSession(ref, { type: 'us_bank_account', last4: '6789' });
    const step = await processorAt().findSetup(ref, double.account.now());
    expect(step).toMatchObject({
      kind: 'ready',
      method: { type: 'bank_account', last4: '6789', instrument: { type: 'reference' } },
    });
    const { instrument } = (step as Extract<typeof step, { kind: 'ready' }>).method;
    const mandate = 'mandate' in instrument ? instrument.mandate : null;
    expect(mandate?.ref).toMatch(/^mandate_/);
    expect(mandate?.text).toContain('you allow Svc Sandbox Finance to debit');
    const session = double.account.sessions.get(ref);
    expect(session?.custom_text.submit?.message).toBe(mandate?.text);
    expect(mandate?.text.length).toBeLessThanOrEqual(1_200);
  });

  test('a debit card comes back with its brand and its last month', async () => {
    const { ref } = await begin('card');
    double.account.completeSession(ref, { type: 'card', brand: 'mastercard', expires: '2027-03' });
    expect(await processorAt().findSetup(ref, double.account.now())).toMatchObject({
      kind: 'ready',
      method: { type: 'card', brand: 'mastercard', last4: '4242', expires: '2027-03' },
    });
  });

  test.each([
    ['credit', 'visa', 'credit_card'],
    ['prepaid', 'visa', 'credit_card'],
    ['unknown', 'visa', 'credit_card'],
    ['debit', 'discover', 'card_not_accepted'],
  ] as const)(
    'a %s card of %s is refused and removed from Stripe',
    async (funding, brand, reason) => {
      const { ref } = await begin('card');
      double.account.completeSession(ref, { type: 'card', funding, brand });
      expect(await processorAt().findSetup(ref, double.account.now())).toEqual({
        kind: 'failed',
        ref,
        reason,
      });
      const stored = [...double.account.paymentMethods.values()].at(-1);
      expect(stored?.customer).toBeNull();
      // Asking again gives the same answer.
      expect(await processorAt().findSetup(ref, double.account.now())).toEqual({
        kind: 'failed',
        ref,
        reason,
      });
    },
  );

  test('a card that Stripe does not detach is refused all the same', async () => {
    const { ref } = await begin('card');
    double.account.completeSession(ref, { type: 'card', funding: 'credit', brand: 'visa' });
    failNext('POST /v1/payment_methods/:id/detach', {
      kind: 'status',
      when: 'before',
      status: 503,
    });
    expect(await processorAt().findSetup(ref, double.account.now())).toMatchObject({
      kind: 'failed',
      reason: 'credit_card',
    });
    expect(logged).toMatchObject([{ method: expect.stringMatching(/^pm_/) }]);
  });

  test('micro-deposits leave a bank account pending until the tenant confirms them', async () => {
    const { ref } = await begin('bank_account');
    double.account.completeSession(ref, { type: 'us_bank_account', verification: 'microdeposits' });
    expect(await processorAt().findSetup(ref, double.account.now())).toEqual({
      kind: 'pending',
      ref,
    });
    const intent = double.account.sessions.get(ref)?.setup_intent ?? '';
    later(2 * dayMs);
    double.account.verifyMicrodeposits(intent, true);
    expect(await processorAt().findSetup(ref, double.account.now())).toMatchObject({
      kind: 'ready',
    });
  });

  test('wrong micro-deposits end the setup', async () => {
    const { ref } = await begin('bank_account');
    double.account.completeSession(ref, { type: 'us_bank_account', verification: 'microdeposits' });
    double.account.verifyMicrodeposits(double.account.sessions.get(ref)?.setup_intent ?? '', false);
    const failed = { kind: 'failed', ref, reason: 'not_verified' };
    expect(await processorAt().findSetup(ref, double.account.now())).toEqual(failed);
  });

  test('a page that the tenant left expires after a day', async () => {
    const { ref, url } = await begin('card');
    expect(await processorAt().findSetup(ref, double.account.now())).toEqual({
      kind: 'redirect',
      ref,
      url,
    });
    later(dayMs);
    expect(await processorAt().findSetup(ref, double.account.now())).toEqual({
      kind: 'failed',
      ref,
      reason: 'expired',
    });
  });

  test('a repeated request opens no second page', async () => {
    const { ref, request } = await begin('card');
    expect(await processorAt().setup(request)).toMatchObject({ kind: 'redirect', ref });
    double.account.completeSession(ref, { type: 'card' });
    expect(await processorAt().setup(request)).toMatchObject({ kind: 'ready', ref });
  });

  test('without an answer the tenant is asked to try again, and the log says why', async () => {
    failNext('POST /v1/checkout/sessions', { kind: 'reset', when: 'before' });
    await expect(begin('card')).rejects.toMatchObject({ code: 'unavailable' });
    expect(logged).toEqual([{ reason: 'no answer (ECONNRESET)' }]);
  });
});

describe('charging', () => {
  test('a debit card is charged at once', async () => {
    const { request, outcome } = await charge({ type: 'card' });
    const ref = expect.stringMatching(/^pi_/);
    expect(outcome).toEqual({ state: 'succeeded', ref, amountInCents: 500_00 });
    expect(intentsOf(request.key)).toMatchObject([{ amount: 500_00, status: 'succeeded' }]);
  });

  describe('with a card whose bank asks for a confirmation', () => {
    const asking = { type: 'card', failsWith: 'authentication_required' } as const;

    test('the tenant confirms on the bank’s page, and the charge succeeds', async () => {
      const { outcome, call } = await charge(asking, undefined, 'tenant');
      expect(outcome).toMatchObject({
        state: 'requires_action',
        url: expect.stringContaining('/confirm/pi_'),
      });
      expect(await find(call)).toEqual(outcome);
      const { ref } = outcome as { ref: string };
      const events = eventsOf(() => double.account.confirmAtBank(ref, true));
      expect(events).toMatchObject([{ kind: 'outcome', outcome: { state: 'succeeded', ref } }]);
      expect(await find(call)).toMatchObject({ state: 'succeeded', ref });
    });

    test('a confirmation that the bank refuses fails the charge', async () => {
      const { outcome, call } = await charge(asking, undefined, 'first');
      double.account.confirmAtBank((outcome as { ref: string }).ref, false);
      const failed = { state: 'failed', returnCode: 'authentication_required' };
      expect(await find(call)).toMatchObject(failed);
    });

    test('a charge that the tenant does not confirm can be canceled', async () => {
      const { outcome } = await charge(asking, undefined, 'tenant');
      const { ref } = outcome as { ref: string };
      const failed = { state: 'failed', returnCode: 'authentication_required' };
      expect(await processorAt().cancel({ key: null, ref }, payer())).toMatchObject(failed);
    });

    test('a charge without the tenant fails, so that the tenant pays it by hand', async () => {
      const { outcome } = await charge(asking, undefined, 'retry');
      const failed = { state: 'failed', returnCode: 'authentication_required' };
      expect(outcome).toMatchObject(failed);
    });
  });

  test('a debit takes four days', async () => {
    const { outcome, call } = await charge({ type: 'us_bank_account' });
    expect(outcome).toMatchObject({ state: 'processing' });
    later(3 * dayMs);
    expect(await find(call)).toMatchObject({ state: 'processing' });
    later(dayMs);
    expect(await find(call)).toMatchObject({ state: 'succeeded' });
  });

  test.each(['R01', 'R02', 'R07', 'R29'])('a debit comes back with %s', async (failsWith) => {
    const { call } = await charge({ type: 'us_bank_account', failsWith });
    later(4 * dayMs);
    const failed = { state: 'failed', returnCode: failsWith };
    expect(await find(call)).toMatchObject(failed);
  });

  test.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['expired_card', 'expired_card'],
    ['stolen_card', 'lost_or_stolen'],
    ['do_not_honor', 'card_declined'],
    ['authentication_required', 'authentication_required'],
    ['fraudulent', 'fraudulent'],
  ])('a card that its bank declines as %s fails with %s', async (failsWith, returnCode) => {
    const { outcome, call } = await charge({ type: 'card', failsWith });
    expect(outcome).toEqual({ state: 'failed', ref: expect.stringMatching(/^pi_/), returnCode });
    expect(await find(call)).toEqual(outcome);
  });

  test.each([
    ['a reset after Stripe has charged', { kind: 'reset', when: 'after' }, 1],
    ['a reset before', { kind: 'reset', when: 'before' }, 0],
    ['a 500 after', { kind: 'status', when: 'after', status: 500 }, 1],
    ['a 500 before', { kind: 'status', when: 'before', status: 500 }, 0],
    ['a gateway’s page', { kind: 'garbage', when: 'after' }, 1],
    ['429', { kind: 'status', when: 'before', status: 429 }, 0],
    ['409', { kind: 'status', when: 'before', status: 409 }, 0],
    ['a revoked API key', { kind: 'status', when: 'before', status: 401 }, 0],
  ] as const)('after %s the outcome is unknown, and find knows it', async (_, failure, charged) => {
    const { request, outcome, call } = await charge({ type: 'card' }, failure);
    expect(outcome).toMatchObject({ state: 'unknown' });
    expect(intentsOf(request.key)).toHaveLength(charged);
    // For two minutes, the request may still be on its way.
    later(60_000);
    const early = charged === 1 ? 'succeeded' : 'unknown';
    expect(await find(call)).toMatchObject({ state: early });
    later(60_000);
    const found = await find(call);
    expect(found).toEqual(charged === 1 ? expect.objectContaining({ state: 'succeeded' }) : null);
    // Sending the call again with the same key never charges twice.
    await processorAt().charge(request);
    expect(intentsOf(request.key)).toHaveLength(1);
  });

  test('the same key for another amount changes nothing and raises an alarm', async () => {
    const { request } = await charge({ type: 'card' });
    const other = { ...request, amountInCents: 1_00 };
    expect(await processorAt().charge(other)).toMatchObject({ state: 'unknown' });
    expect(intentsOf(request.key)).toHaveLength(1);
    expect(logged).toEqual([
      { key: request.key, reason: 'the idempotency key was used for another request' },
    ]);
  });

  test('an answer about another payment says nothing about this one', async () => {
    await charge({ type: 'card' });
    const another = [...double.account.paymentIntents.values()].at(-1) ?? {};
    const other = { kind: 'other', when: 'after', change: () => another } as const;
    const { request, outcome, call } = await charge({ type: 'card' }, other);
    const about = { state: 'unknown', reason: expect.stringContaining('another payment') };
    expect(outcome).toEqual(about);
    const [own] = intentsOf(request.key);
    const ref = own?.id ?? '';
    failNext('GET /v1/payment_intents/:id', other);
    expect(await find({ ...call, ref })).toEqual(about);
    expect(await find(call)).toEqual({ state: 'succeeded', ref, amountInCents: 500_00 });
  });

  test('find reads all pages', async () => {
    const { call, request } = await charge({ type: 'card' });
    const processor = processorAt();
    for (let index = 0; index < 101; index += 1)
      await processor.charge({ ...request, key: newKey() });
    expect(await find(call)).toMatchObject({ state: 'succeeded' });
  });

  test('a debit can be stopped on the same day, and not later', async () => {
    const first = await charge({ type: 'us_bank_account' });
    const ref = (first.outcome as { ref: string }).ref;
    const canceled = { state: 'failed', returnCode: 'canceled' };
    expect(await processorAt().cancel({ key: null, ref }, payer())).toMatchObject(canceled);
    const second = await charge({ type: 'us_bank_account' });
    later(dayMs);
    const name = { key: null, ref: (second.outcome as { ref: string }).ref };
    expect(await processorAt().cancel(name, payer())).toMatchObject({ state: 'processing' });
  });

  test('no failure shows the API key', async () => {
    double.failNext(creating, {
      kind: 'status',
      when: 'before',
      status: 401,
      error: { type: 'invalid_request_error', message: `Invalid API Key: ${double.secretKey}` },
    });
    const { outcome } = await charge({ type: 'card' });
    expect(JSON.stringify([outcome, logged])).not.toContain(double.secretKey);
    expect(outcome).toEqual({ state: 'unknown', reason: 'the API key was refused' });
  });
});

describe('refunding', () => {
  async function refundOf(entered: TestInstrument, amountInCents: number, failure?: Failure) {
    const { outcome, call } = await charge(entered);
    later(4 * dayMs);
    const of = { key: call.key, ref: (outcome as { ref: string }).ref };
    const request = { key: newKey(), payer: payer(), amountInCents, of };
    if (failure) failNext('POST /v1/refunds', failure);
    const refunded = await processorAt().refund(request);
    const earlier: EarlierCall = { ...call, kind: 'refund', key: request.key, of };
    return { refunded, earlier, request };
  }

  test('a card is refunded at once, a bank account within days', async () => {
    const card = await refundOf({ type: 'card' }, 100_00);
    expect(card.refunded).toMatchObject({ state: 'succeeded' });
    const bank = await refundOf({ type: 'us_bank_account' }, 100_00);
    expect(bank.refunded).toMatchObject({ state: 'processing' });
    later(4 * dayMs);
    expect(await find(bank.earlier)).toMatchObject({ state: 'succeeded' });
  });

  test('more than was paid is refused', async () => {
    const { refunded } = await refundOf({ type: 'card' }, 500_01);
    expect(refunded).toMatchObject({ state: 'failed', returnCode: 'refund_amount_too_large' });
  });

  test('a refund whose answer was lost is found by its key', async () => {
    const { refunded, earlier, request } = await refundOf({ type: 'card' }, 1_00, {
      kind: 'reset',
      when: 'after',
    });
    expect(refunded).toMatchObject({ state: 'unknown' });
    expect(await find(earlier)).toMatchObject({ state: 'succeeded' });
    await processorAt().refund(request);
    const all = [...double.account.refunds.values()];
    expect(all.filter((it) => it.metadata.svc_key === request.key)).toHaveLength(1);
  });
});

describe('events', () => {
  test('a debit that succeeds is reported with our key', async () => {
    const { request, outcome } = await charge({ type: 'us_bank_account' });
    const { ref } = outcome as { ref: string };
    expect(eventsOf(() => later(4 * dayMs))).toMatchObject([
      {
        kind: 'outcome',
        call: { kind: 'charge', key: request.key, ref },
        outcome: { state: 'succeeded', ref },
      },
    ]);
  });

  test('a debit that its bank takes back on day 59 is a return', async () => {
    const { outcome } = await charge({ type: 'us_bank_account', disputedAfterDays: 59 });
    const { ref } = outcome as { ref: string };
    later(58 * dayMs);
    const lost = { status: 'lost', returnCode: 'R10', reinstatedInCents: null };
    const returned = {
      kind: 'disputed',
      charge: { key: null, ref },
      dispute: { ...lost, withdrawnInCents: 500_00 },
    };
    // When the dispute is created, when the money leaves, and when it is closed: the total is the same.
    expect(eventsOf(() => later(dayMs))).toMatchObject([returned, returned, returned]);
  });

  test('a chargeback that we win comes back', async () => {
    const { outcome } = await charge({ type: 'card', disputedAfterDays: 10 });
    const { ref } = outcome as { ref: string };
    const disputed = (dispute: object) => ({
      kind: 'disputed',
      charge: { key: null, ref },
      dispute: { amountInCents: 500_00, returnCode: 'charged_back', ...dispute },
    });
    const opened = { status: 'needs_answer', answerBy: expect.stringMatching(/^2026-/) };
    expect(eventsOf(() => later(10 * dayMs))).toMatchObject([
      disputed({ ...opened, withdrawnInCents: null, reinstatedInCents: null }),
      disputed({ ...opened, withdrawnInCents: 500_00, reinstatedInCents: null }),
    ]);
    const dispute = [...double.account.disputes.values()].at(-1)?.id ?? '';
    const won = { status: 'won', withdrawnInCents: 500_00, reinstatedInCents: 500_00 };
    expect(eventsOf(() => double.account.closeDispute(dispute, 'won'))).toMatchObject([
      disputed(won),
      disputed(won),
    ]);
  });

  describe('the money of a dispute', () => {
    const reinstated = 'charge.dispute.funds_reinstated';
    const usd = (...amounts: number[]) => amounts.map((amount) => ({ amount, currency: 'usd' }));
    const read = (type: string, dispute: object) => {
      const object = {
        id: 'du_1',
        payment_intent: 'pi_1',
        reason: 'fraudulent',
        payment_method_details: { type: 'card' },
        ...dispute,
      };
      const event = { id: 'evt_1', created: 1, type, data: { object } };
      return readEvent(event as unknown as Stripe.Event);
    };

    test.each([
      ['a win in part', { status: 'lost', balance_transactions: usd(-410_03, 100_00) }, 100_00],
      ['a whole win', { status: 'won', balance_transactions: usd(-410_03, 410_03) }, 410_03],
      [
        'a win in two parts',
        { status: 'won', balance_transactions: usd(-410_03, 1_00, 2_00) },
        3_00,
      ],
      [
        'a win that lists the withdrawal only',
        { status: 'won', balance_transactions: usd(-410_03) },
        410_03,
      ],
    ])('%s', (_, dispute, reinstatedInCents) => {
      expect(read(reinstated, { amount: 410_03, ...dispute })).toMatchObject({
        dispute: { withdrawnInCents: 410_03, reinstatedInCents },
      });
    });

    test('a loss of which a part came back, without transactions, was at most the stated amount', () => {
      expect(read(reinstated, { amount: 100_00, status: 'lost' })).toMatchObject({
        dispute: {
          withdrawnInCents: null,
          reinstatedInCents: null,
          reinstatedAtMostInCents: 100_00,
        },
      });
    });

    test.each([
      ['warning_needs_response', 'inquiry'],
      ['warning_under_review', 'under_review'],
      ['warning_closed', 'closed'],
      ['needs_response', 'needs_answer'],
      ['prevented', 'closed'],
      ['something_new', 'under_review'],
    ])('the status %s moves nothing', (status, expected) => {
      expect(read('charge.dispute.updated', { amount: 410_03, status })).toMatchObject({
        dispute: { status: expected, withdrawnInCents: null, reinstatedInCents: null },
      });
    });
  });

  test('a setup and a revoked mandate are reported', async () => {
    const { ref, request } = await begin('bank_account');
    const events = eventsOf(() => {
      double.account.completeSession(ref, { type: 'us_bank_account' });
    });
    expect(events).toMatchObject([
      { kind: 'setup', setup: { key: request.key, ref: null } },
      { kind: 'setup', setup: { key: request.key, ref } },
    ]);
    const mandate = [...double.account.mandates.keys()].at(-1) ?? '';
    expect(eventsOf(() => double.account.revokeMandate(mandate))).toMatchObject([
      { kind: 'mandate_revoked', mandateRef: mandate },
    ]);
  });

  test('the list has every event since then, oldest first, as the webhooks had them', async () => {
    const since = double.account.now();
    double.webhooks();
    for (let index = 0; index < 3; index += 1) {
      await charge({ type: 'us_bank_account' });
      later(5 * dayMs);
    }
    const processor = processorAt();
    const sent = double
      .webhooks()
      .flatMap(({ body, headers }) => [
        ...processor.parseWebhook(Buffer.from(body), headers, double.account.now()),
      ]);
    const listed: ProcessorEvent[] = [];
    for await (const event of processor.list(since)) listed.push(event);
    expect(listed.slice(-sent.length)).toEqual(sent);
    expect(sent.length).toBeGreaterThan(6);
  });
});

test('the guide lists the events that the endpoint needs', () => {
  const page = new URL('../../../../../docs/operate/stripe.md', import.meta.url);
  const list = /and the events are\n\n\s*```\n([^`]*)```/.exec(readFileSync(page, 'utf8'))?.[1];
  expect(list?.trim().split(/\s+/)).toEqual([...eventTypes]);
});

describe('a webhook', () => {
  async function signed(secret?: string) {
    double.webhooks();
    await charge({ type: 'card' });
    const sent = double
      .webhooks(secret)
      .find(({ event }) => event.type === 'payment_intent.succeeded');
    if (!sent) throw new Error('no event');
    return sent;
  }
  const at = (offsetMs: number) => new Date(double.account.now().getTime() + offsetMs);

  test.each([-300_000, 0, 300_000])('is accepted %d ms from our time', async (offset) => {
    const { body, headers } = await signed();
    expect(processorAt().parseWebhook(Buffer.from(body), headers, at(offset))).toHaveLength(1);
  });

  test.each([-301_000, 301_000])('is refused %d ms from our time', async (offset) => {
    const { body, headers } = await signed();
    const parse = () => processorAt().parseWebhook(Buffer.from(body), headers, at(offset));
    expect(parse).toThrow('more than 300 s');
  });

  test('is accepted with each secret while the secret is changed', async () => {
    const { body, headers } = await signed('whsec_new');
    const both = processorAt(undefined, [double.webhookSecret, 'whsec_new']);
    expect(both.parseWebhook(Buffer.from(body), headers, at(0))).toHaveLength(1);
    const old = () => processorAt().parseWebhook(Buffer.from(body), headers, at(0));
    expect(old).toThrow('its signature is wrong');
  });

  test('is refused when one byte differs, without a signature, and with garbage in it', async () => {
    const { body, headers } = await signed();
    const parse = (text: string, given: Record<string, string>) =>
      processorAt().parseWebhook(Buffer.from(text), given, at(0));
    expect(() => parse(body.replace('succeeded', 'succeedeD'), headers)).toThrow('signature');
    expect(() => parse(` ${body}`, headers)).toThrow('signature');
    expect(() => parse(body, {})).toThrow('no signature');
    for (const header of ['', 't=,v1=', 'garbage', `t=${'9'.repeat(40)},v1=00`, 't=1,t=2']) {
      expect(() => parse(body, { 'stripe-signature': header })).toThrow(/signature|300 s/);
    }
  });

  test('is refused with a second time in its header, so that an old one cannot be sent again', async () => {
    const { body, headers } = await signed();
    const old = headers['stripe-signature'];
    const later = at(20 * 86_400_000);
    const parse = (header: string, now: Date) =>
      processorAt().parseWebhook(Buffer.from(body), { 'stripe-signature': header }, now);
    const fresh = `t=${Math.floor(later.getTime() / 1_000)}`;
    expect(() => parse(`${fresh},${old}`, later)).toThrow('300 s');
    expect(() => parse(`${old},${fresh}`, later)).toThrow('300 s');
    expect(() => parse(`${old},t=`, at(0))).toThrow('300 s');
    expect(parse(`${old},v0=00`, at(0))).toHaveLength(1);
  });

  test('of an unknown type, of live mode, of a connected account or without an object says nothing', async () => {
    const { event } = await signed();
    const parse = (change: object) => {
      const changed = { ...event, ...change } as typeof event;
      const { body, headers } = signWebhook(changed, double.webhookSecret, at(0));
      return processorAt().parseWebhook(Buffer.from(body), headers, at(0));
    };
    expect(parse({ type: 'customer.created' })).toEqual([]);
    expect(parse({ livemode: true })).toEqual([]);
    expect(parse({ account: 'acct_1Connected' })).toEqual([]);
    for (const data of [undefined, null, {}, { object: null }]) expect(parse({ data })).toEqual([]);
    expect(parse({})).toHaveLength(1);
  });
});
