import { boolean, type Database, raw, row, type Sql, sql, sqlState, type Tx } from '@svc/db';
import type { Log } from '@svc/runtime';
import { firstId, timeOf } from '../kernel/ids.ts';
import {
  defaultOf,
  listPartitions,
  type PartitionedTable,
  partitionedTables,
} from './list-partitions.ts';
import { partitionsAhead, periodStart } from './periods.ts';

/**
 * Creates the partitions that are missing up to `ahead` periods after the current one, including earlier
 * ones if no process ran for months. Needs a role that owns the tables. A failure is logged and loses
 * nothing: rows without a partition go to the default one, which becomes a partition itself as soon as
 * this works again. Returns false after a failure.
 */
export async function createPartitions(
  db: Database,
  log: Log,
  now: Date,
  ahead: number = partitionsAhead,
): Promise<boolean> {
  let complete = true;
  for (const table of partitionedTables) {
    try {
      await createMissing(db, table, now, ahead);
    } catch (error) {
      complete = false;
      log.error({ err: error, table: table.name }, failureOf(table, error));
    }
  }
  return complete;
}

function failureOf({ name }: PartitionedTable, error: unknown): string {
  const what = `The next partition of ${name} could not be created`;
  const untilThen = `rows without one are kept in ${name}_default until then`;
  switch (sqlState(error)) {
    case insufficientPrivilege:
      return `${what}, because the database role does not own the tables or may not create tables: run "svc-admin migrate partitions" as the role that owns them; ${untilThen}.`;
    case lockNotAvailable:
      return `${what}, because another transaction holds the table: end that transaction if this lasts; ${untilThen}.`;
    case checkViolation:
      return `${what}, because ${name}_default holds ids from before the last partition or from after this period: delete those rows; ${untilThen}.`;
    default:
      return `${what}: correct the cause in err; ${untilThen}.`;
  }
}

const insufficientPrivilege = '42501';
const lockNotAvailable = '55P03';
const checkViolation = '23514';

async function createMissing(
  db: Database,
  table: PartitionedTable,
  now: Date,
  ahead: number,
): Promise<void> {
  const goal = firstId('evt', periodStart(now, ahead + 1));
  for (;;) {
    const from = (await listPartitions(db, table)).at(-1)?.to;
    if (from === undefined || from >= goal) return;
    const to = firstId('evt', periodStart(timeOf(from), 1));
    try {
      await changePartitions(db, table, from, (tx) => attachNew(tx, table, from, to));
    } catch (error) {
      // The default partition has rows of this period.
      if (sqlState(error) !== checkViolation) throw error;
      const current = firstId('evt', periodStart(now, 1));
      try {
        await turnDefaultInto(db, table, from, to > current ? to : current);
      } catch (failure) {
        // Another process may have finished it between two of the steps.
        if ((await listPartitions(db, table)).at(-1)?.to === from) throw failure;
      }
    }
  }
}

/**
 * The new partition must not be analyzed while it is empty. The planner assumes ten pages for a table
 * that was never analyzed, and none for one that is known to be empty: cached plans would then read the
 * partition as a whole while it grows in the first minute of its month.
 *
 * Attaching needs a weak lock on the table, but an exclusive one on the default partition, which every
 * reader of the whole table has locked. Inserts into other partitions do not wait for it.
 */
async function attachNew(tx: Tx, table: PartitionedTable, from: string, to: string): Promise<void> {
  const name = partitionName(table, from);
  await tx.run(raw(`create table ${name} (like ${table.name} including all)`));
  await tx.run(
    raw(
      `alter table ${table.name} attach partition ${name} for values from ('${from}') to ('${to}')`,
    ),
  );
}

/**
 * Makes the default partition the one of this range, and creates an empty default partition. Rows are
 * not copied. A validated constraint proves the range, so that attaching does not read the table while
 * it is locked.
 */
async function turnDefaultInto(
  db: Database,
  table: PartitionedTable,
  from: string,
  to: string,
): Promise<void> {
  const old = defaultOf(table);
  const name = partitionName(table, from);
  const range = `${old}_range`;
  const hasBegun = await changePartitions(db, table, from, async (tx) => {
    // A process that died here may have left the constraint.
    await tx.run(raw(`alter table ${old} drop constraint if exists ${range}`));
    await tx.run(
      raw(
        `alter table ${old} add constraint ${range}
          check (${table.key} >= '${from}' and ${table.key} < '${to}') not valid`,
      ),
    );
  });
  if (!hasBegun) return;
  try {
    // Reads the whole table and blocks neither reads nor writes, so it may take long.
    await db.transaction((tx) => tx.run(raw(`alter table ${old} validate constraint ${range}`)), {
      timeoutMs: 600_000,
    });
  } catch (error) {
    await changePartitions(db, table, from, (tx) =>
      tx.run(raw(`alter table ${old} drop constraint if exists ${range}`)),
    );
    throw error;
  }
  await changePartitions(db, table, from, async (tx) => {
    for (const statement of [
      `alter table ${table.name} detach partition ${old}`,
      `alter table ${old} rename to ${name}`,
      `alter table ${table.name} attach partition ${name} for values from ('${from}') to ('${to}')`,
      `alter table ${name} drop constraint ${range}`,
      `create table ${old} partition of ${table.name} default`,
    ]) {
      await tx.run(raw(statement));
    }
  });
}

/** Named by its first month: a partition's lower bound is never used twice. */
function partitionName({ name }: PartitionedTable, from: string): string {
  return `${name}_${timeOf(from).toISOString().slice(0, 7).replace('-', '_')}`;
}

const lockedRow = row('partition lock', { locked: boolean });

/**
 * Runs a change of the partitions in one transaction. Of several processes, one does it: it holds a lock
 * and the last partition still ends at `from`; the others do nothing and get false.
 */
async function changePartitions(
  db: Database,
  table: PartitionedTable,
  from: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await limitLockWaits(tx);
    await tx.one(lockedRow, lockPartitions());
    const last = (await listPartitions(tx, table)).at(-1)?.to;
    if (last !== from) return false;
    await work(tx);
    return true;
  });
}

/** Returns a query that takes the lock of every transaction that changes partitions. */
export function lockPartitions(): Sql {
  return sql`
    select pg_advisory_xact_lock(hashtextextended('webhook_partitions', 0)) is not null as locked`;
}

/**
 * Limits how long the transaction waits for a lock. Later statements queue behind a wait for an exclusive
 * lock, so the limit is short. It is also shorter than the deadlock timeout of 1 s, so that a deadlock ends
 * here and not in a request.
 */
export async function limitLockWaits(tx: Tx): Promise<void> {
  await tx.run(raw(`set local lock_timeout = '500ms'`));
}
