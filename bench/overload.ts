import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, row, sql, text } from '@svc/db';
import { addDueTenants, countDueTenants } from '../apps/server/test/due-tenants.ts';
import type { Bench, Row } from './rows.ts';
import { compare, median, plainRow, range } from './rows.ts';
import { type Answers, fewConnections, sendCalls } from './send-calls.ts';
import {
  benchSettings,
  createPartner,
  portalInfoBody,
  startProcess,
  stopProcess,
} from './start-service.ts';
import { percentile } from './webhooks/setup.ts';

const rounds = 3;
/** Fewer rounds, because each one waits up to a minute for the lane that looks for due tenants. */
const backgroundRounds = 2;
const windowMs = 10_000;
const manyConnections = 512;
/** More due tenants than the service can process in a window. */
const dueTenants = 60_000;
/** The longest wait of a request before it is refused. */
const mostWaitMs = 1_000;

/**
 * Sends portal_info from 512 connections without a pause. Compares the rate of answered requests with the rate
 * with 32 connections, the time until a request is refused with 1 s, and the background work done at the same
 * time with that done with 32 connections.
 */
export const bench: Bench = async ({ databaseUrl }) => {
  const settings = await benchSettings(await databaseUrl());
  const key = createPartner(settings, 'bench');
  const db = await openDatabase({ url: settings.DATABASE_URL ?? '' });
  const { id: partnerId } = await db.one(row('partner', { id: text }), sql`select id from partner`);
  const service = await startProcess('apps/server/src/serve.ts', settings);
  await load({ url: service.url, key, connections: fewConnections });
  const sides = { few: fewConnections, many: manyConnections } as const;
  const answers = { few: [] as Answers[], many: [] as Answers[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const side of ['few', 'many'] as const) {
      answers[side].push(await load({ url: service.url, key, connections: sides[side] }));
    }
  }
  const processedTenants = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < backgroundRounds; round += 1) {
    for (const side of ['few', 'many'] as const) {
      const prefix = `${side}${round}`;
      await addDueTenants(db, { partnerId, count: dueTenants, prefix });
      while ((await countDueTenants(db)) === dueTenants) await sleep(100);
      const before = await countDueTenants(db);
      await load({ url: service.url, key, connections: sides[side] });
      processedTenants[side].push(before - (await countDueTenants(db)));
      await db.run(sql`
        update tenant set turns_at = null
        where partner_id = ${partnerId} and turns_at = 'epoch'`);
    }
  }
  await stopProcess(service);
  await db.close();
  await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
  const refusedMs = answers.many.map((it) => percentile(it.refusedMs, 0.99) / mostWaitMs);
  const perSecond = (windows: readonly Answers[]) =>
    windows.map((it) => (it.answeredMs.length / windowMs) * 1_000);
  const rows: Row[] = [
    ...compare(
      'answered at 512 connections',
      'per second',
      { floor: 0.7 },
      perSecond(answers.many),
      perSecond(answers.few),
    ),
    ...compare(
      'background work at 512 connections',
      'tenants in 10 s',
      { floor: 0.3 },
      processedTenants.many,
      processedTenants.few,
    ),
    {
      name: 'time until refused, p99, ÷ 1 s',
      value: median(refusedMs) * mostWaitMs,
      unit: 'ms',
      ceiling: 1.5,
      ratio: median(refusedMs),
      spread: range(refusedMs),
    },
  ];
  for (const [name, windows] of Object.entries({ 32: answers.few, 512: answers.many })) {
    const waits = windows.flatMap((it) => it.answeredMs);
    const p50 = percentile(waits, 0.5);
    rows.push(
      plainRow(`answered at ${name} connections, p50`, p50, 'ms', [0, percentile(waits, 0.99)]),
    );
  }
  const refused = answers.many.flatMap((it) => it.refusedMs);
  const answered = answers.many.flatMap((it) => it.answeredMs);
  const share = (100 * refused.length) / (refused.length + answered.length);
  const refusedIn = [percentile(refused, 0.5), percentile(refused, 0.99)] as const;
  rows.push(plainRow('refused at 512 connections', share, '%', refusedIn));
  return rows;
};

let sent = 0;

/** Sends portal_info from each connection for a window. */
function load(options: { url: string; key: string; connections: number }): Promise<Answers> {
  const { url, key, connections } = options;
  const end = performance.now() + windowMs;
  return sendCalls(url, {
    connections,
    callAt() {
      sent += 1;
      return {
        method: 'POST',
        path: `/v1/tenant/portal_info/t-${sent % 1_000}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: portalInfoBody,
      };
    },
    isOver: () => performance.now() >= end,
  });
}
