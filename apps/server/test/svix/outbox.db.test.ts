import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@svc/db';
import { rowsOf, testKind } from '@svc/db/testing';
import { createEndpoint } from '@svc/webhooks';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Listed } from '../../src/domain/listed.ts';
import { describeResult, type OperatorRequest } from '../../src/operator/administer.ts';
import { keepPartitions } from '../../src/operator/keep-partitions.ts';
import type { AuditLine } from '../../src/operator/list-audit-log.ts';
import type { Config } from '../../src/service-settings.ts';
import { ada, type Running, startRunning, useService } from '../harness.ts';
import { startSvixDouble } from '../support/svix-double.ts';

// The whole service with SVC_WEBHOOKS=svix, in front of a double.

const double = await startSvixDouble(() => new Date('2026-01-20T15:00:00Z'));
afterAll(() => double.close());
const svix = { serverUrl: double.url, token: double.token };
const svc = await useService({ webhooks: 'svix', svix, metricsPort: 0 });
beforeEach(() => {
  double.script.length = 0;
  double.calls.length = 0;
});

type Partner = Awaited<ReturnType<Running['newPartner']>>;

async function publish({ key }: Partner, data: object = {}, running = svc): Promise<string> {
  const body = { event_type: 'plan.created', external_id: 't-1', data };
  const answer = await running.call('POST', '/webhooks/messages', { key, body });
  expect(answer.status).toBe(200);
  return answer.data.id;
}

async function run<T>(request: OperatorRequest, running = svc): Promise<T> {
  const answer = await running.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as T;
}

async function storedBody(id: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ body: string }>(
    svc.db,
    sql`select body from webhook_messages where id = ${id}`,
  );
  return row?.body;
}

const readiness = async (running = svc) => (await fetch(`${running.url}/readyz`)).text();
/** The remark is read at most once a second. */
async function nextReadiness(running = svc): Promise<string> {
  running.clock.advance(1_000);
  return readiness(running);
}

const refused = { status: 422, body: '{"detail":[{"loc":["body"],"msg":"no","type":"x"}]}' };
const down = { status: 503, body: 'down' };

test('a certification is refused, because it sends webhooks itself', async () => {
  const { key } = await svc.newPartner();
  expect(await svc.call('POST', '/certifications', { key, body: {} })).toMatchObject({
    status: 409,
    error: {
      code: 'delivered_by_svix',
      message: expect.stringContaining('this service hands its webhooks to Svix'),
    },
  });
});

test('what commands emit and what partners publish arrives at Svix and in /events', async () => {
  const partner = await svc.newPartner();
  const { key } = partner;
  await svc.call('POST', '/tenant/portal_info/t-1', { key, body: ada });
  const id = await publish(partner, { é: [1, 2] });
  await expect.poll(() => double.message(partner.id, id)?.body).toBe(await storedBody(id));
  const feedIds = async () => {
    const feed = await svc.call('GET', '/events', { key });
    return feed.data.items.map((it: { id: string }) => it.id);
  };
  // The feed waits for every open transaction of the server, and other tests share it.
  await expect.poll(feedIds).toContain(id);
  const ids = await feedIds();
  expect([...(double.applications.get(partner.id)?.keys() ?? [])]).toEqual(ids);
});

test('endpoints of our engine get nothing, not even when it works through what is open', async () => {
  const partner = await svc.newPartner();
  // Store an endpoint from before the switch. The API now creates endpoints on the Svix server.
  const { vault, webhookPolicy: policy } = svc.service;
  const input = { url: 'http://127.0.0.1:9/hooks' };
  await svc.db.transaction((tx) =>
    createEndpoint(tx, { vault, policy }, partner.id, input, svc.clock.now()),
  );
  const id = await publish(partner);
  await expect.poll(() => double.message(partner.id, id)).toBeDefined();
  await svc.engine.idle();
  const deliveries = await rowsOf(
    svc.db,
    sql`select from webhook_deliveries_open where message_id = ${id}`,
  );
  expect(deliveries).toEqual([]);
});

test('an operator lists, retries and drops what was parked, each with a reason', async () => {
  const partner = await svc.newPartner();
  double.script.push(refused, refused);
  const first = await publish(partner);
  const second = await publish(partner);
  const list = { command: 'outbox list', pms: partner.pms } as const;
  const parked = async () => {
    const { parked } = await run<{ parked: Listed<{ message_id: string }> }>(list);
    return parked.items.map((it) => it.message_id).sort();
  };
  await expect.poll(parked).toEqual([first, second]);
  const text = describeResult(list, await run(list));
  expect(text).toContain('There are no messages that wait.\n');
  expect(text).toMatch(
    new RegExp(
      `${partner.pms} +svix +${first} +plan\\.created +Svix answered 422 \\(body no\\)\\.`,
    ),
  );

  const retry = { command: 'outbox retry', pms: partner.pms, message_id: first } as const;
  expect(describeResult(retry, await run(retry))).toContain('1 parked messages');
  svc.clock.advance(1_000);
  await expect.poll(() => double.message(partner.id, first)).toBeDefined();
  const drop = { command: 'outbox drop', pms: partner.pms, message_id: second } as const;
  expect(describeResult(drop, await run(drop))).toContain('svix will never get it');
  expect(await parked()).toEqual([]);
  expect(double.message(partner.id, second)).toBeUndefined();

  expect(await svc.administer(drop)).toEqual({
    ok: false,
    message: `The message ${second} of ${partner.pms} is not parked. "svc-admin outbox list" lists those that are.`,
  });
  expect(await svc.administer({ ...retry, pms: 'nobody-here' })).toMatchObject({
    message: 'There is no partner nobody-here.',
  });
  const { items } = await run<Listed<AuditLine>>({ command: 'audit list', pms: 'operator' });
  expect(items.slice(0, 2).map(({ action, details }) => ({ action, details }))).toEqual([
    {
      action: 'outbox.dropped',
      details: { pms: partner.pms, destinations: 'svix', reason: 'a test' },
    },
    {
      action: 'outbox.retried',
      details: { pms: partner.pms, message_id: first, retried: 1, reason: 'a test' },
    },
  ]);
});

test('a server that is down is reported, and asked at once when an operator says so', async () => {
  const partner = await svc.newPartner();
  double.script.push(...Array.from({ length: 20 }, () => down));
  const id = await publish(partner);
  const list = { command: 'outbox list', pms: partner.pms } as const;
  const streams = async () => (await run<{ streams: object[] }>(list)).streams;
  await expect.poll(streams).toMatchObject([
    {
      pms: partner.pms,
      destination: 'svix',
      waiting: 1,
      failures: 1,
      last_error: 'Svix answered 503.',
    },
  ]);
  expect(describeResult(list, await run(list))).toContain('Svix answered 503.');
  expect(await nextReadiness()).toBe(
    'ok. Messages wait for svix, which took none the last time: the log says why.\n',
  );
  const scrape = async () => (await fetch(svc.metricsAt ?? '')).text();
  svc.clock.advance(5_000);
  const text = await scrape();
  expect(text).toContain('svc_outbox_items{destination="svix",state="pending"} 1\n');
  expect(text).toMatch(/svc_outbox_age_seconds\{destination="svix"\} [1-9]/);
  expect(text).toMatch(
    /svc_outbox_handover_seconds_count\{destination="svix",outcome="retry"\} [1-9]/,
  );
  double.script.length = 0;
  await run({ command: 'outbox retry', pms: partner.pms });
  svc.clock.advance(1_000);
  await expect.poll(() => double.message(partner.id, id)).toBeDefined();
  await expect.poll(() => streams()).toEqual([]);
  expect(await nextReadiness()).toBe('ok\n');
});

test('a wrong token stops the relay, is in no log line, and needs no restart once it is right', async () => {
  const partner = await svc.newPartner();
  double.refusesToken = true;
  const id = await publish(partner);
  await expect
    .poll(() => svc.lines.filter((line) => line.includes('relay stopped')))
    .toHaveLength(1);
  expect(await nextReadiness()).toBe(
    'ok. Messages wait for svix, which refuses all of them: the log says why.\n',
  );
  double.refusesToken = false;
  svc.clock.advance(61_000);
  await expect.poll(() => double.message(partner.id, id)).toBeDefined();
  await expect.poll(() => nextReadiness()).toBe('ok\n');
  expect(svc.lines.join('')).not.toContain(double.token);
});

test('messages that still have to be handed over are kept longer than others', async () => {
  const partner = await svc.newPartner();
  double.script.push(refused);
  const id = await publish(partner);
  const parked = sql`select from outbox_item where message_id = ${id} and state = 'parked'`;
  await expect.poll(() => rowsOf(svc.db, parked)).toHaveLength(1);
  const later = { now: new Date('2028-01-20T15:00:00Z'), retentionDays: 90, by: { user: 'ops' } };
  await keepPartitions(svc.db, later);
  expect(await storedBody(id)).toContain(id);
  await run({ command: 'outbox drop', pms: partner.pms, message_id: id });
  await keepPartitions(svc.db, later);
  expect(await storedBody(id)).toBeUndefined();
});

test.skipIf(testKind() === 'pglite')(
  'switching to Svix and back loses nothing, also while both run',
  async () => {
    const received: string[] = [];
    let answers = 500;
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      request.resume().on('end', () => response.writeHead(answers).end());
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    const own = { secretKeys: [randomBytes(32)] as const };
    const embedded = await startRunning(own);
    const database = { ...own, database: embedded.database } satisfies Partial<Config>;
    const partner = await embedded.newPartner();
    await embedded.call('POST', '/webhooks/endpoints', { key: partner.key, body: { url } });
    const open = await publish(partner, {}, embedded);
    await expect.poll(() => received).toEqual([open]);

    // Both run, as in a rolling restart; then the old one ends, and leaves an open delivery.
    const switched = await startRunning({ ...database, webhooks: 'svix', svix });
    const toSvix = await publish(partner, {}, switched);
    const toEndpoint = await publish(partner, {}, embedded);
    await expect.poll(() => double.message(partner.id, toSvix)).toBeDefined();
    await expect.poll(() => received).toEqual([open, toEndpoint]);
    answers = 204;
    const failed = sql`select from webhook_deliveries_open where step = 1 and node is null`;
    await expect.poll(() => rowsOf(embedded.db, failed)).toHaveLength(2);
    const retried = () => {
      switched.clock.advance(1_000);
      return received.slice(2).sort();
    };
    await expect.poll(retried).toEqual([open, toEndpoint]);

    // And back, while a message waits for Svix.
    double.script.push(down);
    const left = await publish(partner, {}, switched);
    await expect.poll(() => switched.lines.join('')).toContain('Svix answered 503.');
    await switched.close();
    const back = await startRunning({ ...database, svix });
    const handedOver = () => {
      back.clock.advance(1_000);
      return double.message(partner.id, left);
    };
    await expect.poll(handedOver).toBeDefined();
    const last = await publish(partner, {}, back);
    await expect.poll(() => received).toContain(last);
    expect(received).not.toContain(left);
    expect([...(double.applications.get(partner.id)?.keys() ?? [])]).toEqual([toSvix, left]);
    await back.close();

    // Without the settings of Svix, what is left is reported.
    await embedded.db.run(sql`
      insert into outbox_item (partner_id, destination, message_id, created_at)
      values (${partner.id}, 'svix', ${left}, '2026-01-20T15:00:00Z')`);
    const without = await startRunning(database);
    expect(await readiness(without)).toBe(
      'ok. Messages wait for a system whose settings are missing: see "svc-admin outbox list".\n',
    );
    await without.close();
    await embedded.close();
    receiver.close();
  },
);
