import { bigint, type Database, migrate, openDatabase, raw, row } from '@svc/db';
import { createClusterDatabase, findCitus, startCitus } from '@svc/db/testing';
import { migrations } from '../apps/server/src/migrations.ts';
import { distribute, readDistribution } from '../apps/server/src/operator/distribute.ts';
import { openStage, type Stage, tickAt } from './domain/setup.ts';
import { splitRent } from './domain/split-rent.ts';
import { type Bench, median, type Row } from './rows.ts';

const tenants = 40;
const now = new Date('2026-02-01T12:00:00Z');
const days = [new Date('2026-02-06T16:00:00Z'), new Date('2026-02-09T16:00:00Z')];

/** The time that one operation took, and the shards that it touched. */
interface Measured {
  readonly milliseconds: number[];
  oneShard: number;
  manyShards: number;
}

/**
 * A tenant's calls and the jobs on a Citus cluster with two workers ÷ the same on one PostgreSQL of the same
 * version, one call after the other and interleaved. The names say how many of an operation's statements
 * touched one shard, and how many several.
 */
export const bench: Bench = async () => {
  const bin = findCitus();
  if (bin === undefined) {
    console.log('skipped: set SVC_TEST_CITUS_BIN to the programs of a PostgreSQL with Citus');
    return [];
  }
  const cluster = await startCitus(bin, { durable: true });
  const [coordinator = ''] = cluster.urls;
  const distributed = await openDistributed(cluster.urls);
  const admin = await openDatabase({ url: coordinator });
  await admin.run(raw('create database single'));
  await admin.close();
  const single = await openStage(coordinator.replace(/postgres$/, 'single'));
  const results = { single: new Map<string, Measured>(), distributed: new Map<string, Measured>() };
  // The first ten warm up connections and plans.
  for (let index = 0; index < tenants + 10; index += 1) {
    const isWarm = index >= 10;
    await playTenant(single, index, isWarm ? results.single : new Map());
    await playTenant(distributed, index, isWarm ? results.distributed : new Map());
  }
  for (const day of days) {
    await measure(single.db, results.single, 'jobs of a day', () => tickAt(single.db, day));
    await measure(distributed.db, results.distributed, 'jobs of a day', () =>
      tickAt(distributed.db, day),
    );
  }
  await single.db.close();
  await distributed.db.close();
  await cluster.stop();
  return [...results.distributed].map(([name, measured]) =>
    rowOf(name, measured, results.single.get(name)),
  );
};

async function openDistributed(servers: readonly string[]): Promise<Stage> {
  const url = await createClusterDatabase(servers, 'distributed');
  const db = await openDatabase({ url });
  await migrate(db, migrations);
  await distribute(db, await readDistribution(db), () => {});
  await db.close();
  return openStage(url);
}

async function playTenant(stage: Stage, index: number, into: Map<string, Measured>): Promise<void> {
  await splitRent(stage, `t-${index}`, {
    dueDate: '2026-02-01',
    now,
    around: (name, call) => measure(stage.db, into, name, call),
  });
}

const countsRow = row('statements by shards', { one: bigint, many: bigint });

async function measure<T>(
  db: Database,
  into: Map<string, Measured>,
  name: string,
  call: () => Promise<T>,
): Promise<T> {
  const before = await readCounts(db);
  const began = performance.now();
  const result = await call();
  const milliseconds = performance.now() - began;
  const after = await readCounts(db);
  const measured = into.get(name) ?? { milliseconds: [], oneShard: 0, manyShards: 0 };
  measured.milliseconds.push(milliseconds);
  measured.oneShard += after.one - before.one;
  measured.manyShards += after.many - before.many;
  into.set(name, measured);
  return result;
}

async function readCounts(db: Database): Promise<{ one: number; many: number }> {
  const found = await db.maybe(
    row('catalog', { found: bigint }),
    raw(`select 1::int8 as found where to_regclass('citus_stat_counters') is not null`),
  );
  if (!found) return { one: 0, many: 0 };
  return db.one(
    countsRow,
    raw(`select sum(query_execution_single_shard)::int8 as one,
      sum(query_execution_multi_shard)::int8 as many
      from citus_stat_counters where name = current_database()`),
  );
}

function rowOf(name: string, { milliseconds, ...shards }: Measured, single?: Measured): Row {
  const [value, base] = [median(milliseconds), median(single?.milliseconds ?? [])];
  const each = (count: number) => Math.round((10 * count) / milliseconds.length) / 10;
  return {
    name: `${name} (${each(shards.oneShard)} on one shard, ${each(shards.manyShards)} on several)`,
    value,
    unit: 'ms',
    ratio: value / base,
    spread: [Math.min(...milliseconds) / base, Math.max(...milliseconds) / base],
  };
}
