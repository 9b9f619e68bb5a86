import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, migrate, openDatabase, raw, sql } from '@svc/db';
import { rowsOf, startPostgres, type TestServer } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrations, version } from '../src/migrations.ts';
import { type Called, type CallOptions, callAt } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import { checkOut, findLastRelease } from './last-release.ts';
import { type Entry, runEntry } from './run-entry.ts';

// An operator's upgrade and rollback: the last release and this version serve one PostgreSQL database
// behind a load balancer, while migrations are applied and tenants split and pay.

const release = await findLastRelease();
if ('missing' in release) console.warn(`The upgrade test is skipped: ${release.missing}.`);

const origin = 'https://portal.example';
let postgres: TestServer;
let db: Database;
let receiver: Server;
let dataDir: string;
let settings: Record<string, string>;
let old: Awaited<ReturnType<typeof checkOut>>;
const received = new Set<string>();
const fleet: Process[] = [];

beforeAll(async () => {
  if ('missing' in release) return;
  old = await checkOut(release.commit);
  postgres = await startPostgres();
  db = await openDatabase({ url: postgres.url('postgres') }, { pool: 2 });
  await db.run(raw('create database svc'));
  await db.close();
  db = await openDatabase({ url: postgres.url('svc') }, { pool: 2 });
  receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  dataDir = await mkdtemp(join(tmpdir(), 'svc-upgrade-'));
  settings = {
    DATABASE_URL: postgres.url('svc'),
    SVC_DATA_DIR: dataDir,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    SVC_MIGRATE_ON_START: '0',
    SVC_DRAIN_SECONDS: '2',
    SVC_LOG_LEVEL: 'warn',
    SVC_RATE_LIMIT_PER_SECOND: '1000000',
    SVC_RATE_LIMIT_PER_MINUTE: '1000000',
  };
});
afterAll(async () => {
  if ('missing' in release) return;
  for (const { entry } of fleet) {
    if (entry.child.exitCode === null) await entry.end('SIGKILL');
  }
  receiver.closeAllConnections();
  receiver.close();
  await db.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  await old.remove();
});

interface Process {
  readonly entry: Entry;
  readonly url: string;
  ready: boolean;
  stopping: boolean;
}

async function start(checkout?: string, own: Record<string, string> = {}): Promise<Process> {
  const entry = runEntry('serve', { settings: { ...settings, ...own }, checkout });
  await entry.until('answers at');
  const url = /answers at (\S+)/.exec(entry.output().stdout)?.[1] ?? '';
  const process = { entry, url, ready: false, stopping: false };
  fleet.push(process);
  await vi.waitUntil(() => process.ready, { timeout: 60_000 });
  return process;
}

async function stop(process: Process): Promise<void> {
  process.stopping = true;
  const { code, stderr } = await process.entry.end('SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  fleet.splice(fleet.indexOf(process), 1);
}

/** Replaces the processes one after the other, each after its successor is ready. */
async function replace(checkout?: string): Promise<void> {
  const running = fleet.slice();
  for (const process of running) {
    await start(checkout);
    await stop(process);
    await someTraffic();
  }
}

const svc = async (args: string[], checkout?: string) => {
  const { code, stdout, stderr } = await runEntry('cli', { settings, args, checkout }).end();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

/** Sends requests to processes that answered /readyz with 200, as a load balancer does. */
const balancer = {
  running: true,
  /** Processes that became unready without being asked to stop. */
  lost: [] as string[],
  async poll() {
    while (this.running) {
      await Promise.all(
        fleet.map(async (process) => {
          const answer = await fetch(`${process.url}/readyz`).catch(() => undefined);
          if (process.ready && !answer?.ok && !process.stopping) {
            this.lost.push(answer ? await answer.text() : `${process.url} does not answer`);
          }
          process.ready = answer?.ok ?? false;
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
  /**
   * Takes one at random. In turns, a tenant who plays alone would read every quote from one version and
   * accept it at the other, which refuses it.
   */
  next(): Process | undefined {
    const ready = fleet.filter((process) => process.ready);
    return ready[Math.floor(Math.random() * ready.length)];
  },
};

const traffic = { running: true, rounds: 0, calls: 0, retries: 0, failed: [] as string[] };

/** One request and, after an error of the network or the server, one retry. */
async function call(method: string, path: string, options: CallOptions = {}): Promise<Called> {
  traffic.calls += 1;
  const headers = { ...options.headers, 'idempotency-key': `call-${traffic.calls}` };
  const errors = [];
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const url = `${balancer.next()?.url}/v1${path}`;
    try {
      const answer = await callAt(url, method, { ...options, headers });
      if (answer.status < 500) return answer;
      errors.push(`${answer.status} ${answer.error?.message}`);
    } catch (error) {
      errors.push(String((error as Error).cause ?? error));
    }
    if (attempt === 1) traffic.retries += 1;
  }
  traffic.failed.push(`${method} ${path}: ${errors.join(', then ')}`);
  throw new Error(traffic.failed.at(-1));
}

/** A tenant whose data arrives, who looks at the widget, splits the rent and pays an installment early. */
async function playOne(partner: { pms: string; key: string }, externalId: string) {
  // Two versions whose agreements differ refuse each other's quotes.
  const tries = 20;
  const tenant = await withPlan({ call }, { ...partner, keyId: '', id: '' }, externalId, { tries });
  const signature = await signWidget({ apiKey: partner.key, pms: partner.pms, externalId });
  const body = { pms: partner.pms, external_id: externalId, signature };
  const widget = await call('POST', '/widget/session', { body, headers: { origin } });
  const paid = await tenant.change('pay', { installment_ids: [tenant.plan.installments[1].id] });
  const answers = [tenant.accepted, widget, paid].map(({ status }) => status);
  if (answers.some((status) => status !== 200)) {
    traffic.failed.push(`${externalId}: accept, widget, pay answered ${answers.join(', ')}`);
  }
}

async function playAll(partner: { pms: string; key: string }, lane: number): Promise<void> {
  for (let index = 0; traffic.running; index += 1) {
    await playOne(partner, `t-${lane}-${index}`).catch((error: Error) => {
      if (!traffic.failed.includes(error.message)) traffic.failed.push(error.message);
    });
    traffic.rounds += 1;
  }
}

/** Waits until three more tenants have been played through. */
async function someTraffic(): Promise<void> {
  const target = traffic.rounds + 3;
  await vi.waitUntil(() => traffic.rounds >= target, { timeout: 120_000 });
}

/** Migrations of a future version that the oldest of the two can live with: one of each kind. */
async function writeFutureMigrations(oldest: string): Promise<string> {
  const folder = join(dataDir, 'migrations');
  await cp(fileURLToPath(new URL('../migrations', import.meta.url)), folder, { recursive: true });
  const count = (await readdir(folder)).length;
  const steps = [
    'alter table tenant add column upgrade_note text;',
    '-- no-transaction\ncreate index concurrently tenant_upgrade_note on tenant (upgrade_note);',
    '-- backfill: tenant by id, 5 rows\nupdate tenant set upgrade_note = id where id between $1 and $2;',
    "alter table tenant add constraint upgrade_note check (upgrade_note <> '') not valid;",
    '-- no-transaction\nalter table tenant validate constraint upgrade_note;',
  ];
  for (const [index, text] of steps.entries()) {
    const name = `${String(count + index + 1).padStart(4, '0')}_future.sql`;
    await writeFile(join(folder, name), `-- oldest-service: ${oldest}\n${text}\n`);
  }
  return folder;
}

test.skipIf('missing' in release)(
  'upgrade and rollback under traffic: no request fails after one retry, every webhook arrives',
  async () => {
    if ('missing' in release) return;
    const polling = balancer.poll();
    await start(old.folder, { SVC_MIGRATE_ON_START: '1' });
    await start(old.folder);
    const key =
      /svc_sandbox_\w+/.exec(await svc(['partner', 'create', 'oak'], old.folder))?.[0] ?? '';
    const port = (receiver.address() as AddressInfo).port;
    const url = `http://127.0.0.1:${port}/hooks`;
    await call('POST', '/webhooks/endpoints', { key, body: { url } });
    await call('PUT', '/partner/allowed_origins', { key, body: { allowed_origins: [origin] } });
    const playing = [0, 1].map((lane) => playAll({ pms: 'oak', key }, lane));
    await someTraffic();

    await svc(['migrate', 'apply']);
    await someTraffic();
    await replace();
    await replace(old.folder);
    await replace();

    // Now the service is the older side: the schema of a future version arrives.
    const oldest = release.readsDeclarations ? release.version : version;
    const folder = await writeFutureMigrations(oldest);
    const future = migrations.map((source) =>
      source.name === 'server' ? { ...source, folder } : source,
    );
    expect(await migrate(db, future, { version })).toHaveLength(5);
    await someTraffic();
    await replace();
    if (release.readsDeclarations) await replace(old.folder);

    traffic.running = false;
    await Promise.all(playing);
    console.log(
      `${traffic.calls} calls of ${traffic.rounds} tenants, ${traffic.retries} retried, ${traffic.failed.length} failed`,
    );
    expect(traffic.failed).toEqual([]);
    expect(balancer.lost).toEqual([]);
    const messages = await rowsOf<{ id: string }>(db, sql`select id from webhook_messages`);
    expect(messages.length).toBeGreaterThan(traffic.rounds);
    await vi.waitUntil(() => messages.every(({ id }) => received.has(id)), { timeout: 60_000 });
    expect(await svc(['ledger', 'verify'])).toContain('The ledger balances');
    balancer.running = false;
    await polling;
    const running = fleet.slice();
    for (const process of running) await stop(process);
  },
  900_000,
);
