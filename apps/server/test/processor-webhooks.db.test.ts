import { json, nullable, row, sql, text } from '@svc/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepProcessor } from '../src/jobs/sweep-processor.ts';
import { type Running, startRunning } from './harness.ts';
import {
  type StripeDouble,
  signWebhook,
  startStripeDouble,
} from './support/stripe-double/start-stripe-double.ts';

// What Stripe reports, over HTTP into the inbox. domain/payments applies it.

const now = '2026-01-20T15:00:00Z';
let double: StripeDouble;
let svc: Running;
beforeAll(async () => {
  double = await startStripeDouble(new Date(now));
  const { secretKey, webhookSecret, origin } = double;
  svc = await startRunning(
    {
      // The lane that applies events would race with the assertions.
      roles: ['api'],
      metricsPort: 0,
      processor: 'stripe',
      processorSettings: { secretKey, webhookSecrets: [webhookSecret], apiBase: origin },
    },
    now,
  );
});
afterAll(async () => {
  await svc.close();
  await double.close();
});

function newEvent(amount = 100_00) {
  const { account } = double;
  const customer = account.createCustomer(null, {});
  const session = account.createSession({
    customer: customer.id,
    types: ['card'],
    successUrl: 'https://svc.example',
    cancelUrl: null,
    reference: null,
    message: null,
    expiresAt: null,
    metadata: {},
    setupMetadata: {},
  });
  account.completeSession(session.id, { type: 'card' });
  const paymentMethod = account.setupIntents.get(session.setup_intent)?.payment_method ?? '';
  account.createPaymentIntent({
    amount,
    currency: 'usd',
    customer: customer.id,
    paymentMethod,
    types: ['card'],
    offSession: true,
    returnUrl: null,
    description: null,
    metadata: { svc_key: `pay_${customer.id}` },
  });
  const sent = double.webhooks().find(({ event }) => event.type === 'payment_intent.succeeded');
  if (!sent) throw new Error('no event');
  return sent;
}

function post(body: string, headers: Record<string, string>) {
  return fetch(`${svc.url}/webhooks/processor`, { method: 'POST', body, headers });
}

const inboxRow = row('inbox', { processor: text, body: json(), ignored: nullable(text) });

function inbox(eventId: string) {
  return svc.db.many(
    inboxRow,
    sql`/* all partners */ select processor, body, ignored from processor_inbox where event_id = ${eventId}`,
  );
}

async function counted(outcome: string): Promise<number> {
  const response = await fetch(svc.metricsAt ?? '');
  const found = new RegExp(`svc_processor_webhooks_total\\{outcome="${outcome}"\\} (\\d+)`).exec(
    await response.text(),
  );
  return Number(found?.[1]);
}

test('a signed webhook is stored once, however often it comes', async () => {
  const { event, body, headers } = newEvent();
  const before = [await counted('stored'), await counted('known')];
  const answers = await Promise.all([1, 2, 3].map(() => post(body, headers)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await inbox(event.id)).toMatchObject([
    { processor: 'stripe', body: { kind: 'outcome', outcome: { state: 'succeeded' } } },
  ]);
  expect([await counted('stored'), await counted('known')]).toEqual([
    (before[0] ?? 0) + 1,
    (before[1] ?? 0) + 2,
  ]);
});

test('a forged, changed, old or unsigned webhook is refused, counted, and not stored', async () => {
  const { event, body, headers } = newEvent();
  const before = await counted('forged');
  const other = signWebhook(event, 'whsec_other', double.account.now());
  const old = signWebhook(event, double.webhookSecret, new Date('2026-01-20T14:54:00Z'));
  const early = signWebhook(event, double.webhookSecret, new Date('2026-01-20T15:06:00Z'));
  const answers = [
    await post(other.body, other.headers),
    await post(body.replace('10000', '99999'), headers),
    await post(old.body, old.headers),
    await post(early.body, early.headers),
    await post(body, { 'content-type': 'application/json' }),
    await post('', headers),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
  const words = await Promise.all(answers.map((it) => it.text()));
  expect(words[0]).toBe('This webhook is not authentic: its signature is wrong.\n');
  expect(words[2]).toBe('This webhook is not authentic: its time is more than 300 s from ours.\n');
  expect(await inbox(event.id)).toEqual([]);
  expect(await counted('forged')).toBe(before + 6);
});

test('the signature covers the bytes, also of text that is not UTF-8 JSON', async () => {
  const body = '{"object":"event","type":"x","livemode":false,"text":"\u{1f3e0} é"  }';
  const event = JSON.parse(body);
  const signed = signWebhook(event, double.webhookSecret, double.account.now());
  // The same value in other bytes has another signature.
  expect((await post(body, signed.headers)).status).toBe(400);
  expect((await post(signed.body, signed.headers)).status).toBe(200);
});

test('a webhook above the size limit is refused', async () => {
  const { headers } = newEvent();
  expect((await post('x'.repeat(300_000), headers)).status).toBe(413);
});

test('the address takes POST only, and needs no API key', async () => {
  const response = await fetch(`${svc.url}/webhooks/processor`);
  expect(response.status).toBe(404);
});

test('the sweep stores the events whose webhook never came', async () => {
  const missed = newEvent();
  const processor = svc.service.processor;
  if (!processor) throw new Error('no processor');
  const deps = { ...svc.commands, log: { info() {}, warn() {}, error() {} } };
  expect(await inbox(missed.event.id)).toEqual([]);
  await sweepProcessor(deps, processor);
  expect(await inbox(missed.event.id)).toHaveLength(1);

  // The job is not due again before tomorrow.
  const requests = double.received.length;
  await sweepProcessor(deps, processor);
  expect(double.received).toHaveLength(requests);
  const second = newEvent();
  svc.clock.advance(86_400_000);
  double.failNext('GET /v1/events', { kind: 'status', when: 'before', status: 500 });
  await expect(sweepProcessor(deps, processor)).rejects.toThrow('An error occurred');
  expect(await inbox(second.event.id)).toEqual([]);
  // After a failure, within the hour.
  svc.clock.advance(3_600_000);
  await sweepProcessor(deps, processor);
  expect(await inbox(second.event.id)).toHaveLength(1);
});

test('the API key and the signing secret are in no line of the log', () => {
  const text = svc.lines.join('');
  expect(text).not.toContain(double.secretKey);
  expect(text).not.toContain(double.webhookSecret);
});

test('without a processor the address does not exist', async () => {
  const without = await startRunning({ processor: undefined });
  try {
    const response = await fetch(`${without.url}/webhooks/processor`, {
      method: 'POST',
      body: '{}',
    });
    expect(response.status).toBe(404);
  } finally {
    await without.close();
  }
});
