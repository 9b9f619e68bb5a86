import {
  boolean,
  type Database,
  mayMaintain,
  nullable,
  ownsTable,
  raw,
  row,
  type Sql,
  sql,
  sqlState,
  type Tx,
  text,
} from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import { createFailureRun } from '../failure-run.ts';
import { firstIdAt, timeOfId } from '../ids.ts';
import type { Lane } from './lane.ts';

// The ledger has a partition for each year, by the time in the transfers' ids. They are created more
// than a year ahead and never dropped. What no partition takes is stored in the default partitions, so
// posting never depends on this lane and never waits for DDL. If the service's role does not own the
// tables, `svc-admin migrate partitions` creates them, and this lane reports a missing one.

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const tables = ['ledger_transfer', 'ledger_entry'] as const;
type Table = (typeof tables)[number];

const everyMs = 60_000;
const longestAnalyzeMs = 600_000;
// The command runs once a month, so it creates the next year's partitions in January at the latest.
const reportedAheadMs = 60 * 86_400_000;

export function ledgerPartitionsLane({ db, clock, log }: Deps): Lane {
  const missing = createFailureRun({
    clock,
    log,
    level: 'warn',
    started:
      'A partition of the ledger is missing, and the database role of the service does not own the tables: run "svc-admin migrate partitions" as the role that does. Until then transfers are stored in the default partitions, and no money stops',
    ended: 'the ledger has its partitions again',
  });
  return {
    name: 'ledger partitions',
    everyMs,
    async batch() {
      let created = 0;
      if (await ownsTables(db)) created = await createPartitions({ db, now: clock.now(), log });
      else if (await isMissing(db, clock.now())) missing.failed({});
      else missing.succeeded();
      if (created === 0) await analyzeParents(db);
      return created;
    },
  };
}

async function ownsTables(db: Database): Promise<boolean> {
  for (const table of tables) if (!(await ownsTable(db, table))) return false;
  return true;
}

async function isMissing(db: Database, now: Date): Promise<boolean> {
  const needed = firstIdAt('trf', new Date(now.getTime() + reportedAheadMs));
  for (const table of tables) if ((await coveredUntil(db, table)) <= needed) return true;
  return false;
}

/** Creating partitions needs a role that owns the tables. */
interface Creation {
  readonly db: Database;
  readonly log: Log;
  readonly now: Date;
}

/** Creates the partitions up to the end of next year. Returns how many. */
export async function createPartitions({ db, log, now }: Creation): Promise<number> {
  const until = yearOf(now) + 1;
  let created = 0;
  for (const table of tables) {
    const first = yearOf(timeOfId(await coveredUntil(db, table)));
    for (let year = first; year <= until; year += 1) {
      if (await createPartition({ db, log }, table, year)) created += 1;
    }
  }
  return created;
}

/** Returns false if another process has created it, or the year can no longer have one. */
async function createPartition(
  { db, log }: Omit<Creation, 'now'>,
  table: Table,
  year: number,
): Promise<boolean> {
  const name = `${table}_${year}`;
  const [from, to] = [startOf(year), startOf(year + 1)];
  try {
    return await db.transaction(async (tx) => {
      // Attaching takes locks that conflict with postings, for milliseconds once it has them. While it
      // waits, postings wait behind it.
      await tx.run(raw("set local lock_timeout = '1s'"));
      // One process at a time, and year by year: a year that is skipped could not be created later.
      await tx.run(sql`select pg_advisory_xact_lock(hashtext('ledger partitions'))`);
      if ((await coveredUntil(tx, table)) > from) return false;
      await tx.run(
        raw(`create table ${name} (like ${table} including defaults including constraints)`),
      );
      await tx.run(
        raw(
          `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
        ),
      );
      log.info({ partition: name }, 'created a partition of the ledger');
      return true;
    });
  } catch (error) {
    const stored = `${table}_default`;
    if (sqlState(error) === CHECK_VIOLATION) {
      log.warn(
        { partition: name },
        `The partition ${name} cannot be created, because ${stored} has rows of ${year}: they stay there and count like all others, and the next year gets its partition.`,
      );
      return false;
    }
    const { message } = error as Error;
    throw new Error(
      `The partition ${name} could not be created (${message}): postings of ${year} are stored in ${stored} until it exists, so let the role of DATABASE_URL create tables and own the ledger's, and end transactions that stay open.`,
      { cause: error },
    );
  }
}

const CHECK_VIOLATION = '23514';

const boundRow = row('bound of the partitions', { until: nullable(text) });

/** Returns the first id that only the default partition takes. */
async function coveredUntil(q: Pick<Tx, 'one'>, table: Table): Promise<string> {
  const { until } = await q.one(
    boundRow,
    sql`
    select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''(trf_[0-9a-z]+)''\\)'))
      as until
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::text::regclass`,
  );
  if (until === null) throw new Error(`${table} has no partition with a bound.`);
  return until;
}

const grownRow = row('growth of a partitioned table', { grown: boolean });

/**
 * Autovacuum analyzes partitions, but never the table they belong to, whose statistics the planner needs
 * for joins. So this analyzes it when its partitions have grown by a tenth since the last time,
 * unless the service's role may not.
 */
async function analyzeParents(db: Database): Promise<void> {
  // Citus analyzes the shards on every server.
  if (db.cluster?.outage) return;
  for (const table of tables) {
    const { grown } = await db.one(
      grownRow,
      sql`
      select exists (select from pg_class p where p.oid = ${table}::text::regclass and ${mayMaintain('p')})
        and ${readGrowth(db, table)} > 500 as grown`,
    );
    if (!grown) continue;
    await db.transaction((tx) => tx.run(raw(`analyze ${table}`)), { timeoutMs: longestAnalyzeMs });
  }
}

/**
 * Estimates the rows that a table's partitions gained since its last analyze, less a tenth. On a cluster, adds up all
 * shards.
 */
function readGrowth({ cluster }: Database, table: Table): Sql {
  // PostgreSQL's estimates; below zero in a table that was never analyzed.
  const growth = (condition: string) => `
    select coalesce(sum(rows), 0) from (
      select sum(greatest(c.reltuples, 0)) - 1.1 * greatest(p.reltuples, 0) as rows
      from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
      where p.relkind = 'p' and ${condition} group by p.oid, p.reltuples) t`;
  if (!cluster) return raw(`(${growth(`p.oid = '${table}'::regclass`)})`);
  // A shard's name is the table's with a number.
  const ofShards = growth(`p.relname ~ '^${table}_[0-9]+$'`);
  return raw(`(
    select coalesce(sum(result::float8), 0) from run_command_on_workers($command$${ofShards}$command$)
    where success)`);
}

function yearOf(at: Date): number {
  return at.getUTCFullYear();
}

function startOf(year: number): string {
  return firstIdAt('trf', new Date(Date.UTC(year, 0, 1)));
}
