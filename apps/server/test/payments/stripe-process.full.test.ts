import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, sql } from '@svc/db';
import { oneRowOf, type TestTarget } from '@svc/db/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../src/domain/ledger/verify.ts';
import { ada, type CallOptions, callAt } from '../harness.ts';
import { checkMoney } from '../journeys/check-money.ts';
import { playTenant } from '../journeys/play-tenant.ts';
import { type Entry, runEntry } from '../run-entry.ts';
import { serviceTarget } from '../support/service-database.ts';
import {
  type StripeDouble,
  signWebhook,
  startStripeDouble,
} from '../support/stripe-double/start-stripe-double.ts';
import type { TestInstrument } from '../support/stripe-double/state.ts';
import { visitedPage } from '../visited-page.ts';

// The service in a separate process, with Stripe's official client and the system's clock. Each test
// waits for the adapter's real limits, so this file is no part of `npm test`.

const dayMs = 86_400_000;
// The client gives a request 10 s, and the first look for its outcome is 5 s later.
const resolvedWithin = { timeout: 90_000, interval: 500 };

let double: StripeDouble;
let database: TestTarget;
let dataDir: string;
let settings: Record<string, string>;
let entry: Entry;
let url: string;
let key: string;
beforeAll(async () => {
  double = await startStripeDouble(new Date());
});
afterAll(() => double.close());
beforeEach(async () => {
  database = await serviceTarget();
  const { target } = database;
  dataDir = 'dataDir' in target ? target.dataDir : await mkdtemp(join(tmpdir(), 'svc-data-'));
  settings = {
    SVC_DATA_DIR: dataDir,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_PROCESSOR: 'stripe',
    STRIPE_SECRET_KEY: double.secretKey,
    STRIPE_WEBHOOK_SECRET: double.webhookSecret,
    STRIPE_API_BASE: double.origin,
    ...('url' in target ? { DATABASE_URL: target.url } : {}),
  };
  await start();
  const cli = await runEntry('cli', { args: ['partner', 'create', 'oak'], settings }).end();
  key = /svc_sandbox_\w+/.exec(cli.stdout)?.[0] ?? '';
});
afterEach(async () => {
  if (entry.child.exitCode === null && entry.child.signalCode === null) await entry.end('SIGTERM');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  entry = runEntry('serve', { settings });
  await entry.until('answers at');
  url = /answers at (\S+)/.exec(entry.output().stdout)?.[1] ?? '';
}

const call = (method: string, path: string, options: CallOptions = {}) =>
  callAt(`${url}/v1${path}`, method, options);

/** A tenant who entered an account or card on Stripe's page, and who accepts a plan of four payments. */
async function acceptPlan(externalId: string, entered: TestInstrument) {
  const due_date = new Date().toISOString().slice(0, 10);
  const body = { ...ada, charges: [{ ...ada.charges[0], due_date }] };
  const info = await call('POST', `/tenant/portal_info/${externalId}`, { key, body });
  const who = { pms: 'oak', apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant({ call }, info.data.token, who);
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  await tenant.apply();
  const type = entered.type === 'card' ? 'card' : 'bank_account';
  const opened = (await call('POST', '/experience/payment_setup', { headers, body: { type } }))
    .data;
  const page = await visitedPage({ call }, opened.url);
  double.account.completeSession(page.split('/').at(-1) ?? '', entered);
  await call('POST', `/experience/payment_setup/${opened.id}/check`, { headers });
  const accepted = await tenant.accept((await tenant.quotes()).data.items.at(-1));
  const { plan } = accepted.data.state;
  const read = async () => (await call('GET', `/plans/${plan.id}`, { key })).data;
  return { accepted, plan, read };
}

/** Stops the service, and compares its books with Stripe's. */
async function expectPaidOnce(plan: { id: string; total_of_payments_in_cents: number }) {
  expect(await entry.end('SIGTERM')).toMatchObject({ code: 0 });
  const db: Database = await openDatabase(database.target);
  const { booked } = await oneRowOf<{ booked: number }>(
    db,
    sql`select coalesce(sum(amount_in_cents), 0)::int8 as booked from processor_entry`,
  );
  const { customer } = [...double.account.paymentIntents.values()].at(-1) ?? {};
  const charged = [...double.account.paymentIntents.values()].filter(
    (it) => it.customer === customer,
  );
  expect(charged).toHaveLength(1);
  expect(booked).toBe(charged[0]?.amount_received);
  await checkMoney(db, plan);
  expect((await db.transaction(verifyLedger)).faults).toEqual([]);
  await db.close();
}

test('a processor that accepts a charge and never answers is asked for the outcome', async () => {
  double.failNext('POST /v1/payment_intents', { kind: 'hang', when: 'after' });
  const began = Date.now();
  const { accepted, plan, read } = await acceptPlan('t-hangs', { type: 'card' });
  // The tenant does not wait for the client's limit, and sees the payment as on its way.
  expect(Date.now() - began).toBeLessThan(60_000);
  expect(accepted).toMatchObject({ status: 200, data: { settlement: null, failure: null } });
  expect((await read()).state).toBe('created');
  // Other requests are still answered.
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  // No webhook arrives either: the job finds the charge in Stripe's list.
  await expect.poll(async () => (await read()).state, resolvedWithin).toBe('active');
  await expectPaidOnce(plan);
}, 180_000);

describe('a service that is killed', () => {
  test('while the processor holds a charge finds it after the restart', async () => {
    double.failNext('POST /v1/payment_intents', { kind: 'hang', when: 'after' });
    const { plan, read } = await acceptPlan('t-held', { type: 'card' });
    await entry.end('SIGKILL');
    await start();
    // The lease of the dead process ends after 30 s.
    await expect.poll(async () => (await read()).state, resolvedWithin).toBe('active');
    await expectPaidOnce(plan);
  }, 180_000);

  // The kills are before the event is stored, between that and the answer, and while the lane applies it.
  test('during a webhook applies the event once, when the processor sends it again', async () => {
    const { plan, read } = await acceptPlan('t-webhook', { type: 'us_bank_account' });
    expect((await read()).state).toBe('created');
    double.webhooks();
    double.account.advanceTo(new Date(double.account.now().getTime() + 4 * dayMs));
    const events = double.webhooks().map(({ event }) => event);
    const deliver = async () => {
      const sent = events.map((event) => {
        const { body, headers } = signWebhook(event, double.webhookSecret, new Date());
        return fetch(`${url}/webhooks/processor`, { method: 'POST', body, headers }).then(
          ({ status }) => status,
          () => 0,
        );
      });
      return Promise.all(sent);
    };
    for (const delayMs of [0, 4, 12, 40, 120]) {
      const answers = deliver();
      await sleep(delayMs);
      await entry.end('SIGKILL');
      // Stripe repeats a webhook only if it was not answered with 2xx.
      for (const status of await answers) expect([0, 200]).toContain(status);
      await start();
    }
    expect(new Set(await deliver())).toEqual(new Set([200]));
    await expect.poll(async () => (await read()).state, resolvedWithin).toBe('active');
    await expectPaidOnce(plan);
  }, 240_000);
});
