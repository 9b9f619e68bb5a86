import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { bigint, type Database, openDatabase, row, sql } from '@svc/db';
import { cpuSeconds, findServerProcess, residentMb, serverCpuSeconds } from './process-usage.ts';
import { type Bench, median, plainRow, type Row, range } from './rows.ts';
import { benchSettings, createPartner, startProcess, stopProcess } from './start-service.ts';

const built = 'apps/server/dist/serve.js';
/** The time for the first passes of all lanes, and for collecting the garbage of the start. */
const settleMs = 70_000;
const windowMs = 60_000;
const windows = 3;
const mostCpuPercent = 1;
const mostMb = 90;

/** Measures what an idle service uses, built as for production: CPU time with PostgreSQL's, memory, transactions. */
export const bench: Bench = async ({ databaseUrl }) => {
  if (!existsSync(built)) throw new Error(`There is no ${built}: run "npm run build" first.`);
  const settings = await benchSettings(await databaseUrl());
  createPartner(settings, 'bench');
  const url = settings.DATABASE_URL ?? '';
  const server = await findServerProcess(url);
  const db = await openDatabase({ url }, { pool: 1 });
  const service = await startProcess(built, settings);
  const pid = service.child.pid ?? 0;
  await sleep(settleMs);
  const own: number[] = [];
  const postgres: number[] = [];
  const transactions: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    const before = { own: cpuSeconds(pid), server: serverCpuSeconds(server) };
    const committed = await countTransactions(db);
    await sleep(windowMs);
    own.push(percentOf(cpuSeconds(pid) - before.own));
    postgres.push(percentOf(serverCpuSeconds(server) - before.server));
    transactions.push(((await countTransactions(db)) - committed) / (windowMs / 1_000));
  }
  const memory = residentMb(pid);
  await stopProcess(service);
  await db.close();
  await rm(settings.SVC_DATA_DIR ?? '', { recursive: true, force: true });
  const total = own.map((percent, window) => percent + (postgres[window] ?? Number.NaN));
  return [
    boundedRow('service and PostgreSQL at rest: of 1 % of a core', total, '%', mostCpuPercent),
    plainRow('the service alone', median(own), '%', range(own)),
    plainRow('PostgreSQL alone', median(postgres), '%', range(postgres)),
    plainRow('transactions', median(transactions), 'per second', range(transactions)),
    boundedRow(`resident memory: of ${mostMb} MB`, [memory], 'MB', mostMb),
  ];
};

function percentOf(seconds: number): number {
  return (seconds * 100_000) / windowMs;
}

function boundedRow(name: string, values: readonly number[], unit: string, most: number): Row {
  const value = median(values);
  return { ...plainRow(name, value, unit, range(values)), ceiling: 1, ratio: value / most };
}

const countRow = row('transactions', { count: bigint });

async function countTransactions(db: Database): Promise<number> {
  const { count } = await db.one(
    countRow,
    sql`
    select xact_commit + xact_rollback as count from pg_stat_database
    where datname = current_database()`,
  );
  return count;
}
