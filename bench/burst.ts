import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { bigint, type Database, openDatabase, row, sql, text } from '@svc/db';
import { addDueTenants, countDueTenants } from '../apps/server/test/due-tenants.ts';
import type { Bench } from './rows.ts';
import { compare } from './rows.ts';
import { refusedRow } from './send-calls.ts';
import { type BenchReceiver, monotonicMs, startReceiver } from './start-receiver.ts';
import { benchSettings, createPartner, type Started, startProcess } from './start-service.ts';
import { percentile } from './webhooks/setup.ts';

const rounds = 3;
const perSecond = 20;
const windowSeconds = 15;
const tenants = { short: 150_000, full: 300_000 };
const exitLimitMs = 10_000;

/**
 * Makes many tenants fall due at once, each with a webhook for their partner. Compares the 99th
 * percentiles of portal_info and of another partner's webhook, from the request to its arrival, with
 * those while nothing is due. Then measures the time from SIGTERM to the process's exit under the backlog.
 */
export const bench: Bench = async ({ databaseUrl, full }) => {
  const settings = await benchSettings(await databaseUrl());
  const receiver = await startReceiver();
  const db = await openDatabase({ url: settings.DATABASE_URL ?? '' });
  const keys = { timed: createPartner(settings, 'timed'), burst: createPartner(settings, 'burst') };
  const service = await startProcess('apps/server/src/serve.ts', settings);
  await addEndpoint(service, keys.timed, receiver.at('timed'));
  await addEndpoint(service, keys.burst, receiver.url);
  const { id: partnerId } = await db.one(
    row('partner', { id: text }),
    sql`select id from partner where pms = 'burst'`,
  );
  const context = { db, service, receiver, key: keys.timed };
  const count = full ? tenants.full : tenants.short;
  const idle: Waits[] = [];
  const busy: Waits[] = [];
  await measureWindow(context);
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await measureWindow(context));
    await addDueTenants(db, { partnerId, count, prefix: `round${round}` });
    await until(async () => (await countDueTenants(db)) < count);
    busy.push(await measureWindow(context));
    const left = await countDueTenants(db);
    if (left === 0) throw new Error('The burst ended before the measurement: add more tenants.');
    console.log(
      `round ${round + 1}: ${((count - left) / windowSeconds).toFixed(0)} tenants a second, ${refusals} refusals so far`,
    );
    if (round + 1 < rounds) await waitUntilDrained(db);
  }
  const began = performance.now();
  service.child.removeAllListeners('exit');
  service.child.kill('SIGTERM');
  await once(service.child, 'exit');
  const exitMs = performance.now() - began;
  receiver.stop();
  await db.close();
  await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
  const rowsOf = (
    name: string,
    pick: (waits: Waits) => number[],
    share: number,
    ceiling?: number,
  ) =>
    compare(
      name,
      'ms',
      ceiling === undefined ? {} : { ceiling },
      busy.map((it) => percentile(pick(it), share)),
      idle.map((it) => percentile(pick(it), share)),
    );
  return [
    ...rowsOf('portal_info in a burst, p99', (it) => it.portalInfo, 0.99, 2),
    ...rowsOf('webhook in a burst, p99', (it) => it.webhook, 0.99, 2),
    ...rowsOf('portal_info in a burst, p50', (it) => it.portalInfo, 0.5),
    ...rowsOf('webhook in a burst, p50', (it) => it.webhook, 0.5),
    {
      name: 'exit after SIGTERM in a burst ÷ 10 s',
      value: exitMs,
      unit: 'ms',
      ceiling: 1,
      ratio: exitMs / exitLimitMs,
      spread: [exitMs / exitLimitMs, exitMs / exitLimitMs],
    },
    refusedRow(refusals),
  ];
};

interface Context {
  readonly db: Database;
  readonly service: Started;
  readonly receiver: BenchReceiver;
  readonly key: string;
}

/** The duration of each request, and the time until each webhook's arrival, in milliseconds. */
interface Waits {
  readonly portalInfo: number[];
  readonly webhook: number[];
}

let sent = 0;
let refusals = 0;

/** Calls portal_info and publishes a webhook, each `perSecond` times a second at an even pace. */
async function measureWindow({ service, receiver, key }: Context): Promise<Waits> {
  const portalInfo: number[] = [];
  const starts = new Map<string, number>();
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < perSecond * windowSeconds; index += 1) {
    const wait = began + (index * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    sent += 1;
    const path = `/tenant/portal_info/t-${sent % 1_000}`;
    const start = monotonicMs();
    running.push(
      post(service, key, path, info).then(() => void portalInfo.push(monotonicMs() - start)),
      post(service, key, '/webhooks/messages', message).then(
        ({ id }) => void starts.set(id, start),
      ),
    );
  }
  await Promise.all(running);
  const arrivals = new Map<string, number>();
  await until(async () => {
    for (const [id, { at }] of await receiver.report()) arrivals.set(id, at);
    return [...starts.keys()].every((id) => arrivals.has(id));
  });
  const webhook = [...starts].map(([id, start]) => (arrivals.get(id) ?? Number.NaN) - start);
  return { portalInfo, webhook };
}

const info = {
  first_name: 'Ada',
  last_name: 'Lane',
  email: 'ada@example.com',
  charges: [{ id: 'C-1', due_date: '2026-02-01', amount_in_cents: 152_012 }],
};
const message = { event_type: 'plan.created', data: {} };

async function post(
  { url }: Pick<Started, 'url'>,
  key: string,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const response = await fetch(`${url}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  // Waits and retries as a partner would. The measured time includes the wait.
  if (response.status === 503) {
    refusals += 1;
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
    return post({ url }, key, path, body);
  }
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return (JSON.parse(text) as { data: { id: string } }).data;
}

async function addEndpoint(service: Started, key: string, url: string): Promise<void> {
  await post(service, key, '/webhooks/endpoints', { url });
}

/** Waits until no tenant is due and every webhook has been sent. */
async function waitUntilDrained(db: Database): Promise<void> {
  await until(async () => (await countDueTenants(db)) === 0);
  await until(async () => {
    const { open } = await db.one(
      row('open', { open: bigint }),
      sql`
        select (select count(*) from webhook_deliveries_open) +
          (select count(*) from webhook_leases) as open`,
    );
    return open === 0;
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(100);
}
