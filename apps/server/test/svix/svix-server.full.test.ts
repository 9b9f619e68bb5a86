import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, raw, sql } from '@svc/db';
import { rowsOf, startPostgres, type TestServer } from '@svc/db/testing';
import { verifyWebhook } from '@svc/node';
import type { Svix } from 'svix';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSvixClient } from '../../src/relay/svix/svix-client.ts';
import { callAt } from '../harness.ts';
import { type Entry, runEntry } from '../run-entry.ts';
import {
  findSvixServer,
  freePort,
  type SvixServer,
  startSvixServer,
} from '../support/svix-server.ts';

// The service hands its messages to a real svix-server, on a real PostgreSQL with fsync, while the relay,
// the server and the database are killed in turn.

const binary = findSvixServer();
// svix-server keeps its queue in Redis, so a killed server loses nothing.
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (binary === undefined || !hasRedis) {
  console.warn(
    'The test against svix-server is skipped: set SVIX_SERVER_BIN to its program, and install redis-server.',
  );
}

/** The waits that our engine keeps, in seconds, as docs/operate/svix.md sets them. */
const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

interface Received {
  readonly webhookId: string;
  readonly body: string;
  readonly at: number;
}

/** The webhooks that were received, by the id in the body. */
const received = new Map<string, Received[]>();
let unverified = 0;
/** How many times a body is refused before it is taken. */
const refusalsOf = (body: string) => Number(/"refusals":(\d)/.exec(body)?.[1] ?? 0);

describe.skipIf(binary === undefined || !hasRedis)('with a real svix-server', () => {
  let postgres: TestServer;
  let db: Database;
  let server: SvixServer;
  let redis: Redis;
  let svix: Svix;
  let receiver: Server;
  let secret = '';
  let settings: Record<string, string>;
  let api: Entry;
  let worker: Entry;
  let origin: string;
  let partner: { id: string; key: string };
  const cleanUp: (() => unknown)[] = [];

  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    cleanUp.push(() => postgres.stop());
    const admin = await openDatabase({ url: postgres.url('postgres') }, { pool: 1 });
    await admin.run(raw('create database svc'));
    await admin.run(raw('create database svix'));
    await admin.close();
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isGood = receive(request.headers, Buffer.concat(chunks).toString(), secret);
        response.writeHead(isGood ? 204 : 500).end();
      });
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    cleanUp.push(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    redis = await startRedis(cleanUp);
    server = await startSvixServer({
      binary: binary ?? '',
      databaseUrl: postgres.url('svix'),
      redisUrl: redis.url,
      retrySchedule: waits,
    });
    cleanUp.push(() => server.kill());
    svix = createSvixClient({ serverUrl: server.url, token: server.token });
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-svix-'));
    cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
    settings = {
      DATABASE_URL: postgres.url('svc'),
      SVC_DATA_DIR: dataDir,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_WEBHOOKS: 'svix',
      SVIX_SERVER_URL: server.url,
      SVIX_TOKEN: server.token,
      SVC_RATE_LIMIT_PER_SECOND: '1000000',
      SVC_RATE_LIMIT_PER_MINUTE: '1000000',
    };
    api = runEntry('serve', { settings: { ...settings, SVC_ROLES: 'api' } });
    cleanUp.push(() => api.child.exitCode ?? api.end('SIGKILL'));
    await api.until('answers at');
    origin = /answers at (\S+)/.exec(api.output().stdout)?.[1] ?? '';
    await startWorker();
    cleanUp.push(() => worker.child.exitCode ?? worker.end('SIGKILL'));
    db = await openDatabase({ url: postgres.url('svc') }, { pool: 2 });
    cleanUp.push(() => db.close());
    partner = await createPartner(settings, db);
    const uid = partner.id;
    await svix.application.getOrCreate({ uid, name: 'oak' });
    const { port } = receiver.address() as AddressInfo;
    const endpoint = await svix.endpoint.create(uid, { url: `http://127.0.0.1:${port}/hooks` });
    secret = (await svix.endpoint.getSecret(uid, endpoint.id)).key;
  });
  afterAll(async () => {
    for (const step of cleanUp.reverse()) await step();
  });

  async function startWorker(): Promise<void> {
    const own = { SVC_ROLES: 'worker', SVC_PUBLIC_ORIGIN: origin };
    worker = runEntry('serve', { settings: { ...settings, ...own } });
    await worker.until('background work');
  }

  let published = 0;
  const acknowledged: string[] = [];

  /** Publishes `count` messages, and keeps the ids of those that the API has acknowledged. */
  async function publish(count: number, data: object = {}): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) {
      published += 1;
      const body = { event_type: 'plan.created', data: { n: published, ...data, é: '\u2028' } };
      const answer = await callAt(`${origin}/v1/webhooks/messages`, 'POST', {
        key: partner.key,
        body,
      }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(answer.data.id);
      // The database is down.
      else await sleep(100);
    }
  }

  const missing = () => acknowledged.filter((id) => !received.has(id));

  test('every message arrives in order and verifies, while nothing is killed', async () => {
    await publish(50);
    await expect.poll(missing).toEqual([]);
    expect(acknowledged).toHaveLength(50);
    expect(unverified).toBe(0);
    // Svix sends in parallel, so the order is that in which it stored them.
    const { data } = await svix.message.list(partner.id, { limit: 100 });
    expect(data.map(({ eventId }) => eventId).reverse()).toEqual(acknowledged);
  });

  test('a failed attempt is made again after the first wait, and then planned for the second', async () => {
    await publish(1, { refusals: 2 });
    const id = acknowledged.at(-1) ?? '';
    await expect.poll(() => received.get(id)?.length).toBe(2);
    const [first, second] = received.get(id) ?? [];
    expect(second?.webhookId).toBe(first?.webhookId);
    // svix-server adds up to a fifth to each wait, or takes it away.
    const seconds = ((second?.at ?? 0) - (first?.at ?? 0)) / 1_000;
    expect(seconds).toBeGreaterThan(3.9);
    expect(seconds).toBeLessThan(7);
    const secondsLeft = async () => {
      const { id: stored } = await svix.message.get(partner.id, id);
      const { data } = await svix.messageAttempt.listAttemptedDestinations(partner.id, stored);
      return ((data[0]?.nextAttempt?.getTime() ?? 0) - Date.now()) / 1_000;
    };
    await expect.poll(secondsLeft).toBeGreaterThan(0.8 * 300 - 20);
    expect(await secondsLeft()).toBeLessThan(1.2 * 300);
  });

  test('a worker that is killed within a call is followed by another', async () => {
    server.freeze();
    await publish(3);
    const leases = () => rowsOf(db, sql`select from outbox_stream where lease_owner is not null`);
    await expect.poll(leases).toHaveLength(1);
    // The request is on its way: Svix takes it once it runs again, and its answer reaches no process.
    await sleep(500);
    await worker.end('SIGKILL');
    server.thaw();
    await startWorker();
    await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
    const { data } = await svix.message.list(partner.id, { limit: 3 });
    expect(data.map(({ eventId }) => eventId).reverse()).toEqual(acknowledged.slice(-3));
  });

  test('a message that Svix has stored and not queued is sent', { timeout: 200_000 }, async () => {
    redis.child.kill('SIGSTOP');
    await publish(1);
    const unknown = () => rowsOf(db, sql`select from outbox_item where outcome_unknown`);
    await expect.poll(unknown).toHaveLength(1);
    // What waits for the queue is in the memory of the server only.
    await server.kill();
    redis.child.kill('SIGCONT');
    await server.start();
    const [id = ''] = acknowledged.slice(-1);
    const stored = await svix.message.get(partner.id, id);
    const attempted = await svix.messageAttempt.listAttemptedDestinations(partner.id, stored.id);
    expect(attempted.data).toEqual([]);
    await expect.poll(missing, { timeout: 150_000, interval: 500 }).toEqual([]);
    expect(received.get(id)).toHaveLength(1);
    await expect.poll(() => rowsOf(db, sql`select from outbox_item`)).toEqual([]);
  });

  test('kills of relay, server and database lose nothing', { timeout: 400_000 }, async () => {
    for (let round = 0; round < 3; round += 1) {
      const relayed = publish(60);
      await sleep(150);
      await worker.end('SIGKILL');
      await relayed;
      await startWorker();

      const served = publish(60);
      await sleep(150);
      await server.kill();
      await served;
      await server.start();

      const stored = publish(60);
      await sleep(150);
      await postgres.restart('crash');
      await stored;
    }
    await expect.poll(missing, { timeout: 300_000, interval: 500 }).toEqual([]);
    // Nothing is left that waits, and nothing is parked.
    const items = () => rowsOf(db, sql`select message_id, state, reason from outbox_item`);
    await expect.poll(items, { timeout: 60_000 }).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(400);
    expect(unverified).toBe(0);

    const bodies = await rowsOf<{ id: string; body: string }>(
      db,
      sql`select id, body from webhook_messages`,
    );
    const stored = new Map(bodies.map(({ id, body }) => [id, body]));
    let duplicates = 0;
    for (const [id, copies] of received) {
      if (refusalsOf(copies[0]?.body ?? '') === 0) duplicates += copies.length - 1;
      expect(new Set(copies.map(({ body }) => body))).toEqual(new Set([stored.get(id)]));
      expect(new Set(copies.map(({ webhookId }) => webhookId)).size).toBe(1);
    }
    console.info(
      `${acknowledged.length} acknowledged, ${received.size} received, ${duplicates} again`,
    );
  });
});

/** Records a webhook that verifies. Returns false for a message to be refused at first, and for a forged one. */
function receive(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  try {
    const { id } = verifyWebhook(body, headers as Record<string, string>, secret);
    const copies = received.get(id) ?? [];
    const webhookId = String(headers['webhook-id']);
    received.set(id, [...copies, { webhookId, body, at: performance.now() }]);
    return copies.length >= refusalsOf(body);
  } catch {
    unverified += 1;
    return false;
  }
}

async function createPartner(settings: Record<string, string>, db: Database) {
  const args = ['partner', 'create', 'oak'];
  const { stdout, stderr } = await runEntry('cli', { args, settings }).end();
  const key = /svc_sandbox_\w+/.exec(stdout)?.[0];
  if (key === undefined) throw new Error(stderr);
  const [row] = await rowsOf<{ id: string }>(db, sql`select id from partner where pms = 'oak'`);
  return { id: row?.id ?? '', key };
}

interface Redis {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts the Redis that keeps svix-server's queue while the server is killed. */
async function startRedis(cleanUp: (() => unknown)[]): Promise<Redis> {
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--daemonize', 'no'];
  const child = spawn('redis-server', flags, { stdio: 'ignore' });
  cleanUp.push(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  await vi.waitUntil(() => canConnect(port), { timeout: 20_000 });
  return { url: `redis://127.0.0.1:${port}`, child };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
