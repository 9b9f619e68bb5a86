import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, raw, sql } from '@svc/db';
import type { Row } from '../rows.ts';
import type { BenchReceiver } from '../start-receiver.ts';
import { measureLists } from './lists.ts';
import { addEndpoint, newOwner } from './setup.ts';
import { measureThroughput, type Supply } from './throughput.ts';
import { startWorker, stopWorker } from './workers.ts';

const pending = 1_000_000;
const attemptsEach = 5;
const messages = 5_000;
const maxMegabytes = 256;
const watchedSeconds = 20;
const detail = JSON.stringify({
  url: 'http://127.0.0.1/hang',
  agent: 'svc',
  signature: 'v1,',
  ms: { total: 1 },
});

/** Compares the throughput with a million future retries and five million past attempts with that without them. */
export async function measureFull(
  url: string,
  receiver: BenchReceiver,
  supply: Supply,
): Promise<Row[]> {
  const db = await openDatabase({ url }, { limits: { statement: 0 } });
  const before = await ratio(db, receiver, supply);
  const owner = newOwner();
  const endpoint = await addEndpoint(db, owner, receiver.at('hang'));
  console.log(`storing ${pending} deliveries and ${attemptsEach * pending} attempts …`);
  await store(db, owner, endpoint);
  const lists = await measureLists(db, owner, endpoint);
  const after = await ratio(db, receiver, supply);
  const grown: Row = {
    name: `${supply.name}: ${pending} future retries, ${attemptsEach * pending} attempts ÷ none`,
    value: after.value,
    unit: 'per second',
    floor: 0.9,
    ratio: (after.ratio ?? Number.NaN) / (before.ratio ?? Number.NaN),
    spread: [before.ratio ?? Number.NaN, after.ratio ?? Number.NaN],
  };
  await db.run(raw(`update /* all partners */ webhook_deliveries_open set due_at = '2000-01-01'`));
  await db.close();
  return [grown, ...lists, await measureMemory(url)];
}

async function ratio(db: Database, receiver: BenchReceiver, supply: Supply): Promise<Row> {
  const rows = await measureThroughput(db, receiver.url, [supply], messages);
  const measured = rows.find((row) => row.ratio !== undefined);
  if (!measured) throw new Error('Nothing was measured.');
  return measured;
}

async function store(db: Database, owner: string, endpoint: string): Promise<void> {
  const id = raw(`lpad(n::text, 26, '0')`);
  await db.run(sql`
    insert into webhook_messages (id, owner, type, body, created_at)
    select 'evt_' || ${id}, ${owner}, 'plan.created', repeat('x', 1000), '2026-01-01'
    from generate_series(1, ${pending}::int) n`);
  await db.run(sql`
    insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at, step)
    select ${owner}, 'evt_' || ${id}, ${endpoint}, '2100-01-01'::timestamptz, ${attemptsEach}::int
    from generate_series(1, ${pending}::int) n`);
  await db.run(sql`
    insert into webhook_attempts (owner, id, message_id, endpoint_id, trigger, started_at, status,
      error_class, detail)
    select ${owner}, 'att_' || lpad((n * 10 + a)::text, 26, '0'), 'evt_' || ${id}, ${endpoint}, 'schedule',
      '2026-01-01', 500, 'status', ${detail}::json
    from generate_series(1, ${pending}::int) n, generate_series(1, ${attemptsEach}::int) a`);
  await db.run(raw('vacuum analyze webhook_messages, webhook_deliveries_open, webhook_attempts'));
}

/** Measures the peak memory of a process while a million deliveries are due at an endpoint that hangs. */
async function measureMemory(url: string): Promise<Row> {
  const worker = await startWorker(url);
  worker.stdin?.write('go\n');
  await sleep(watchedSeconds * 1_000);
  const status = readFileSync(`/proc/${worker.pid}/status`, 'utf8');
  const value = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
  await stopWorker(worker);
  const share = value / maxMegabytes;
  const bounds = { ceiling: 1, ratio: share, spread: [share, share] as const };
  return {
    name: `peak memory with ${pending} due ÷ ${maxMegabytes} MB`,
    value,
    unit: 'MB',
    ...bounds,
  };
}
