import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './rows.ts';
import { startReceiver } from './start-receiver.ts';
import { measureFairness } from './webhooks/fairness.ts';
import { measureFull } from './webhooks/full.ts';
import { measureLatency } from './webhooks/latency.ts';
import { measureLateness } from './webhooks/lateness.ts';
import { openMigrated } from './webhooks/setup.ts';
import { measureThroughput, type Supply } from './webhooks/throughput.ts';
import { measureWorkers } from './webhooks/workers.ts';

const messages = 10_000;
const name = '1 KB deliveries';
const common = { callers: 4, ahead: 1_000 };
const supplies: readonly Supply[] = [
  { ...common, name: `${name}, published in batches`, batch: 50, floor: 0.5 },
  { ...common, name: `${name}, one publish each, 64 callers`, batch: 1, callers: 64, floor: 0.3 },
  {
    ...common,
    name: `${name}, a backlog`,
    batch: 100,
    ahead: Number.POSITIVE_INFINITY,
    floor: 0.5,
  },
];
const embeddedSupply = { ...common, name: `${name}, embedded database`, batch: 50, floor: 0.3 };

/** Compares the engine with the lower bound of the cost of delivery, on both databases. */
export const bench: Bench = async ({ databaseUrl, full }) => {
  const receiver = await startReceiver();
  const url = await databaseUrl();
  const db = await openMigrated({ url });
  const rows = await measureThroughput(db, receiver.url, supplies, messages);
  rows.push(...(await measureLatency(db, receiver)));
  rows.push(...(await measureLateness(db, receiver)));
  rows.push(...(await measureFairness(db, receiver)));
  rows.push(...(await measureWorkers(db, url, receiver)));
  await db.close();
  const [first] = supplies;
  if (full && first) rows.push(...(await measureFull(url, receiver, first)));

  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const embedded = await openMigrated({ dataDir });
  rows.push(...(await measureThroughput(embedded, receiver.url, [embeddedSupply], messages / 4)));
  await embedded.close();
  await rm(dataDir, { recursive: true });
  receiver.stop();
  return rows;
};
