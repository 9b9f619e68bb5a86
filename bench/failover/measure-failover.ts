import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, raw, sql } from '@svc/db';
import { oneRowOf, rowsOf, startPostgres } from '@svc/db/testing';
import { benchSettings, createPartner, runAdmin, startProcess } from '../start-service.ts';
import { startBalancer } from './start-balancer.ts';
import { findLost, startTraffic } from './start-traffic.ts';

export interface Amounts {
  /** Tenants who go through their journey at the same time. */
  readonly lanes: number;
  /** Journeys before the primary is killed, and after the promotion. */
  readonly journeys: number;
  /** Time between the primary's end and the promotion. */
  readonly outageMs: number;
}

export interface FailoverResult {
  readonly calls: number;
  readonly retries: number;
  readonly acknowledged: number;
  /** Acknowledged writes that are not in the database. */
  readonly lost: readonly string[];
  /** Responses other than success and 503. */
  readonly refusals: readonly string[];
  /** Payments beyond the first that succeeded for an installment. */
  readonly movedTwice: number;
  /** The output of `svc-admin ledger verify`. */
  readonly ledger: string;
  readonly messages: number;
  readonly undelivered: readonly string[];
  /** Webhooks that arrived and are not in the database: their transaction was lost. */
  readonly unknownWebhooks: readonly string[];
  /** The response of each process's /readyz during the outage. */
  readonly outage: readonly string[];
  readonly secondsToWrite: number;
  /** Processes that ended before the measurement did. */
  readonly ended: number;
}

const services = 3;
const deliverySeconds = 120;

/**
 * Runs three processes of the service, with both hosts in DATABASE_URL, behind a TCP proxy. Under traffic
 * the primary is killed with SIGKILL, and then its synchronous standby is promoted. Nothing is restarted.
 */
export async function measureFailover(amounts: Amounts): Promise<FailoverResult> {
  const closers: (() => unknown)[] = [];
  try {
    return await measure(amounts, closers);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function measure(amounts: Amounts, closers: (() => unknown)[]): Promise<FailoverResult> {
  const primary = await startPostgres({ durable: true });
  closers.push(() => primary.stop());
  const admin = await openDatabase({ url: primary.url('postgres') });
  await admin.run(raw('create database svc'));
  await admin.close();
  const standby = await primary.addStandby();
  closers.push(() => standby.stop());
  const hosts = `${primary.host},${standby.host}`;
  const settings = await benchSettings(
    `postgres://postgres@${hosts}/svc?target_session_attrs=read-write`,
  );
  closers.push(() => rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true }));
  const received = new Set<string>();
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const key = createPartner(settings, 'oak');
  const processes = await Promise.all(
    Array.from({ length: services }, () =>
      startProcess('apps/server/src/serve.ts', { ...settings, SVC_LOG_LEVEL: 'silent' }),
    ),
  );
  closers.push(() => Promise.all(processes.map(({ child }) => stop(child))));
  const balancer = await startBalancer(processes.map(({ url }) => url));
  closers.push(() => balancer.close());
  const callApi = (path: string, method: string, body: object) =>
    fetch(`${balancer.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { port } = receiver.address() as AddressInfo;
  await callApi('/webhooks/endpoints', 'POST', { url: `http://127.0.0.1:${port}/hooks` });
  await callApi('/partner/allowed_origins', 'PUT', { allowed_origins: ['https://portal.example'] });

  const traffic = await startTraffic(balancer.url, { pms: 'oak', key }, { lanes: amounts.lanes });
  await traffic.more(amounts.journeys);
  await primary.kill();
  await sleep(amounts.outageMs);
  const outage = await Promise.all(processes.map(async ({ url }) => readyz(url)));
  const promotedAt = performance.now();
  const firstWrite = traffic.firstWriteAfter(promotedAt);
  await standby.program('pg_ctl', ['promote', '-w', '-D', standby.dataFolder]);
  const secondsToWrite = ((await firstWrite) - promotedAt) / 1_000;
  await traffic.more(amounts.journeys);
  await traffic.stop();

  const db = await openDatabase({ url: standby.url('svc') });
  const messages = (await rowsOf<{ id: string }>(db, sql`select id from webhook_messages`)).map(
    ({ id }) => id,
  );
  const undelivered = () => messages.filter((id) => !received.has(id));
  for (let waited = 0; waited < deliverySeconds && undelivered().length > 0; waited += 1) {
    await sleep(1_000);
  }
  const known = new Set(
    (await rowsOf<{ id: string }>(db, sql`select id from webhook_messages`)).map(({ id }) => id),
  );
  const { twice } = await oneRowOf<{ twice: number }>(
    db,
    sql`
    select coalesce(sum(n - 1), 0)::int8 as twice from (
      select count(*) as n from payment where outcome in ('pending', 'succeeded')
      group by partner_id, installment_id) counted`,
  );
  const lost = await findLost(db, traffic.acknowledged);
  const ledger = verifyLedger(settings);
  await db.close();
  const ended = processes.filter(({ child }) => child.exitCode !== null || child.signalCode).length;
  const { tenants, plans, paid, messages: published } = traffic.acknowledged;
  return {
    calls: traffic.calls(),
    retries: traffic.retries(),
    acknowledged: tenants.size + plans.size + paid.size + published.size,
    lost,
    refusals: traffic.refusals,
    movedTwice: twice,
    ledger,
    messages: messages.length,
    undelivered: undelivered(),
    unknownWebhooks: [...received].filter((id) => !known.has(id)),
    outage,
    secondsToWrite,
    ended,
  };
}

async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit');
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

async function readyz(url: string): Promise<string> {
  const response = await fetch(`${url}/readyz`);
  const { error } = (await response.json()) as { error?: { message: string } };
  return `${response.status} ${error?.message}`;
}

/** Runs `svc-admin ledger verify` with the same list of hosts as the services, and returns its output. */
function verifyLedger(settings: Readonly<Record<string, string>>): string {
  const { status, stdout, stderr } = runAdmin(settings, ['ledger', 'verify']);
  return status === 0 ? stdout.trim() : `exit ${status}: ${stdout}${stderr}`;
}
