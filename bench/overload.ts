import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, row, sql, text } from '@svc/db';
import { Pool } from 'undici';
import { addDueTenants, countDueTenants } from '../apps/server/test/due-tenants.ts';
import type { Bench, Row } from './rows.ts';
import { compare, median } from './rows.ts';
import {
  benchSettings,
  createPartner,
  portalInfoBody,
  startProcess,
  stopProcess,
} from './start-service.ts';
import { percentile } from './webhooks/setup.ts';

const rounds = 3;
const windowMs = 10_000;
/** Fits into the service's own limit of requests in progress, so nothing is refused. */
const fewConnections = 32;
const manyConnections = 512;
/** More than a window's work. */
const dueTenants = 60_000;
/** The longest wait of a request before it is refused. */
const mostWaitMs = 1_000;

/**
 * portal_info from 512 connections without a pause. The rate of answered requests ÷ the rate with 32
 * connections; the time until a request is refused ÷ 1 s; and the background work done at the same time ÷
 * the work done with 32 connections.
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
  const turned = { few: 0, many: 0 };
  for (const side of ['few', 'many'] as const) {
    await addDueTenants(db, { partnerId, count: dueTenants, prefix: side });
    // The lane looks for due tenants once a minute.
    while ((await countDueTenants(db)) === dueTenants) await sleep(100);
    const before = await countDueTenants(db);
    await load({ url: service.url, key, connections: sides[side] });
    turned[side] = before - (await countDueTenants(db));
    await db.run(sql`
      update tenant set turns_at = null
      where partner_id = ${partnerId} and turns_at = 'epoch'`);
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
      0.7,
      perSecond(answers.many),
      perSecond(answers.few),
    ),
    ...compare(
      'background work at 512 connections',
      'tenants in 10 s',
      0.3,
      [turned.many],
      [turned.few],
    ),
    {
      name: 'time until refused, p99, ÷ 1 s',
      value: median(refusedMs) * mostWaitMs,
      unit: 'ms',
      floor: null,
      ceiling: 1.5,
      ratio: median(refusedMs),
      spread: [Math.min(...refusedMs), Math.max(...refusedMs)],
    },
  ];
  for (const [name, windows] of Object.entries({ 32: answers.few, 512: answers.many })) {
    rows.push({
      name: `answered at ${name} connections, p50`,
      value: percentile(
        windows.flatMap((it) => it.answeredMs),
        0.5,
      ),
      unit: 'ms',
      floor: null,
      ratio: null,
      spread: [
        0,
        percentile(
          windows.flatMap((it) => it.answeredMs),
          0.99,
        ),
      ],
    });
  }
  const refused = answers.many.flatMap((it) => it.refusedMs);
  const answered = answers.many.flatMap((it) => it.answeredMs);
  rows.push({
    name: 'refused at 512 connections',
    value: (100 * refused.length) / (refused.length + answered.length),
    unit: '%',
    floor: null,
    ratio: null,
    spread: [percentile(refused, 0.5), percentile(refused, 0.99)],
  });
  return rows;
};

/** Milliseconds of each request, by its answer. */
interface Answers {
  readonly answeredMs: number[];
  readonly refusedMs: number[];
}

let sent = 0;

/** Sends portal_info from each connection, one request after another. A refused caller waits as asked. */
async function load({
  url,
  key,
  connections,
}: {
  readonly url: string;
  readonly key: string;
  readonly connections: number;
}): Promise<Answers> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const answers: Answers = { answeredMs: [], refusedMs: [] };
  const end = performance.now() + windowMs;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        sent += 1;
        const began = performance.now();
        const response = await pool.request({
          method: 'POST',
          path: `/v1/tenant/portal_info/t-${sent % 1_000}`,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: portalInfoBody,
        });
        const text = await response.body.text();
        const tookMs = performance.now() - began;
        if (response.statusCode === 200) answers.answeredMs.push(tookMs);
        else if (response.statusCode === 503) {
          answers.refusedMs.push(tookMs);
          await sleep(Number(response.headers['retry-after']) * 1_000);
        } else throw new Error(`${response.statusCode} ${text}`);
      }
    }),
  );
  await pool.close();
  return answers;
}
