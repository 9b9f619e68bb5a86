import { type Database, migrate, openDatabase, raw } from '@svc/db';
import { createClusterDatabase, findCitus, startCitus } from '@svc/db/testing';
import { migrations } from '../apps/server/src/migrations.ts';
import { distribute, readDistribution } from '../apps/server/src/operator/distribute.ts';
import { inStep, playNewTenant } from './cluster/play-month.ts';
import { openCounting, type RoundTrips } from './cluster/round-trips.ts';
import { addPartner, each, openStage, type Stage, tickAt } from './domain/setup.ts';
import { findServerProcess, serverCpuSeconds } from './process-usage.ts';
import { type Bench, compare, median, type Row } from './rows.ts';

const partners = 6;
const tenants = 8;
const visits = 10;
const rounds = 3;
/** Simultaneous calls, fewer than the service has connections. */
const lanes = tenants;
const days = [new Date('2026-02-06T16:00:00Z'), new Date('2026-02-09T16:00:00Z')];

/**
 * CPU time of the service without HTTP, of the first server (the coordinator, if there are workers), and of the
 * workers. In seconds when read, and in milliseconds for one call in samples.
 */
interface Cpu {
  readonly service: number;
  readonly first: number;
  readonly workers: number;
}

interface Samples {
  readonly perSecond: number[];
  /** The CPU time of one call on all servers and in the service, in milliseconds. */
  readonly cpu: number[];
  readonly parts: Cpu[];
}

/** A database that the tenants' calls use: one PostgreSQL, or a cluster. */
interface Side {
  readonly db: Database;
  /** One for each partner. */
  readonly stages: readonly Stage[];
  readonly url: string;
  readonly samples: Map<string, Samples>;
  readCpu(): Cpu;
}

/**
 * Compares the CPU time of calls on a Citus cluster with one, two and three workers with that on one PostgreSQL of the
 * same version, in interleaved rounds, and how many calls a second this machine handles. The names of the rows say what
 * a call sends to other servers.
 */
export const bench: Bench = async () => {
  const bin = findCitus();
  if (bin === undefined) {
    console.log('skipped: set SVC_TEST_CITUS_BIN to the programs of a PostgreSQL with Citus');
    return [];
  }
  const rows: Row[] = [];
  // Without workers it is one PostgreSQL, whose databases do not have the extension.
  const alone = await startCitus(bin, { durable: true, workers: 0 });
  for (const workers of [1, 2, 3]) {
    const cluster = await startCitus(bin, { durable: true, workers });
    // Printed at once: the whole bench takes a quarter of an hour on a busy machine.
    const compared = await compareWith(cluster.urls, alone.urls[0] ?? '');
    for (const row of compared)
      console.log(
        `${row.name}: ${row.value.toFixed(2)} ${row.unit}, ratio ${row.ratio?.toFixed(2)}`,
      );
    rows.push(...compared);
    await cluster.stop();
  }
  await alone.stop();
  return rows;
};

async function compareWith(servers: readonly string[], single: string): Promise<Row[]> {
  const workers = servers.length - 1;
  const name = `one_against_${workers}`;
  const admin = await openDatabase({ url: single });
  await admin.run(raw(`create database ${name}`));
  await admin.close();
  const one = await openSide(single.replace(/postgres$/, name), [single]);
  const many = await openSide(await createDistributed(servers), servers);
  const sides = [one, many];
  // The first tenant of a partner runs alone, because it opens the partner's accounts and all others would wait.
  for (const { stages } of sides) {
    for (const stage of stages) await playNewTenant(stage, 'first', (_, call) => call());
  }
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of sides) await playRound(side, round);
    // The first round warms up connections and query plans.
    if (round === 0) for (const { samples } of sides) samples.clear();
  }
  for (const day of days) {
    for (const side of sides) {
      await measure(side, 'jobs of a day, for each tenant', partners + tenants * (rounds + 1), () =>
        tickAt(side.db, day),
      );
    }
  }
  const trips = await countTrips(many);
  for (const { db } of sides) await db.close();
  return [...many.samples].flatMap(([operation, samples]) => {
    const base = one.samples.get(operation);
    const label = `${workers} workers: ${operation}`;
    return base ? rowsOf(label, samples, base, trips.get(operation)) : [];
  });
}

async function createDistributed(servers: readonly string[]): Promise<string> {
  const url = await createClusterDatabase(servers, 'distributed');
  const db = await openDatabase({ url });
  await migrate(db, migrations);
  await distribute(db, await readDistribution(db), () => {});
  await db.close();
  return url;
}

async function openSide(url: string, servers: readonly string[]): Promise<Side> {
  const stage = await openStage(url, { limits: { statement: 60_000, lock: 60_000 } });
  const stages = [stage];
  for (let number = 1; number < partners; number += 1) {
    stages.push(await addPartner(stage.db, `bench-${number}`));
  }
  const [first = 0, ...workers] = await Promise.all(servers.map(findServerProcess));
  return {
    db: stage.db,
    stages,
    url,
    samples: new Map(),
    readCpu() {
      const { user, system } = process.cpuUsage();
      return {
        service: (user + system) / 1e6,
        first: serverCpuSeconds(first),
        workers: workers.reduce((sum, pid) => sum + serverCpuSeconds(pid), 0),
      };
    },
  };
}

async function playRound(side: Side, round: number): Promise<void> {
  const around = inStep(tenants, (name, work) => measure(side, name, tenants, work));
  const months = await Promise.all(
    Array.from({ length: tenants }, (_, index) =>
      playNewTenant(stageOf(side, index), `t-${round}-${index}`, around),
    ),
  );
  for (const name of months[0]?.keys() ?? []) {
    const calls = tenants * visits;
    await measure(side, name, calls, () =>
      each(calls, lanes, async (index) => months[index % tenants]?.get(name)?.()),
    );
  }
}

function stageOf({ stages }: Side, index: number): Stage {
  return stages[index % partners] as Stage;
}

async function measure(
  { samples, readCpu }: Side,
  name: string,
  calls: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = readCpu();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const after = readCpu();
  const msPerCall = (part: keyof Cpu) => ((after[part] - before[part]) * 1_000) / calls;
  const parts = {
    service: msPerCall('service'),
    first: msPerCall('first'),
    workers: msPerCall('workers'),
  };
  const known = samples.get(name) ?? { perSecond: [], cpu: [], parts: [] };
  known.perSecond.push(calls / seconds);
  known.cpu.push(parts.service + parts.first + parts.workers);
  known.parts.push(parts);
  samples.set(name, known);
}

/** Counts the round trips of each call after its statements are prepared. */
async function countTrips({ url, stages }: Side): Promise<Map<string, RoundTrips>> {
  const counting = await openCounting(url);
  const trips = new Map<string, RoundTrips>();
  const stage = { ...(stages[0] as Stage), db: counting.db };
  const around = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    let result: T | undefined;
    const counts = await counting.count(async () => {
      result = await call();
    });
    trips.set(name, counts);
    return result as T;
  };
  for (let number = 0; number < 4; number += 1) {
    const month = await playNewTenant(stage, `counted-${number}`, around);
    for (const [name, call] of month) await around(name, call);
  }
  await counting.db.close();
  return trips;
}

function rowsOf(name: string, samples: Samples, base: Samples, trips?: RoundTrips): Row[] {
  const part = (of: keyof Cpu, from: Samples) => median(from.parts.map((it) => it[of])).toFixed(2);
  const split = `${part('service', samples)} service, ${part('first', samples)} coordinator, ${part('workers', samples)} workers; one server: ${part('service', base)} and ${part('first', base)}`;
  const sent = trips
    ? `; ${trips.statements} statements in ${trips.waits} waits, ${trips.oneShard} on one shard, ${trips.manyShards} on several, ${trips.commands} commands to workers`
    : '';
  const [cpu] = compare(`${name} (${split}${sent})`, 'ms CPU', {}, samples.cpu, base.cpu);
  const [rate] = compare(name, 'per second', {}, samples.perSecond, base.perSecond);
  return [cpu, rate];
}
