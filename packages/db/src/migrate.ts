import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseTooOld, MigrationFailed, sqlState } from './errors.ts';
import type { Backfill, Migration, MigrationSource } from './read-migrations.ts';
import { bigint, boolean, double, integer, nullable, row, text } from './row.ts';
import {
  type BackfillProgress,
  describeProgress,
  findMigrating,
  foundRow,
  LOCK_KEY,
  loadMigrations,
  nameOf,
  progressRow,
  readSchemaState,
} from './schema-state.ts';
import { raw, Sql, sql } from './sql.ts';
import type { Database, Queryable, Tx } from './types.ts';

// A migration may run while other processes, of this version and of older ones, serve traffic:
//
// - One process at a time applies migrations, on one connection, under a session's advisory lock.
// - A file runs in one transaction. It waits at most a second for a lock, because every statement
//   that comes later queues behind it; then it rolls back, lets them pass and tries again.
// - `-- no-transaction` is one statement that blocks no other and may take long, such as CREATE INDEX
//   CONCURRENTLY. `-- backfill` updates a table in small transactions and remembers where it is.
// - Each applied file is a row of svc_migration with the oldest service version that can still run.
//   A process that does not know a file compares that version with its own.

export interface MigrateOptions {
  /**
   * The version of this code, such as 0.4.0. Without it, a database with any migration that this
   * code lacks is too new.
   */
  readonly version?: string | undefined;
  /** False to fail at once while another process applies migrations; true (default) to wait. */
  readonly wait?: boolean;
  /** Receives one line about each step, each retry and the progress of backfills. */
  readonly report?: (line: string) => void;
  /** Stops between two steps or two batches of a backfill. The next run continues there. */
  readonly signal?: AbortSignal;
  /** How long a step keeps trying to get its locks, in milliseconds. Default: ten minutes. */
  readonly patienceMs?: number;
  /**
   * On a Citus cluster: puts tables that a step has created on the servers where they belong, in the step's
   * transaction.
   */
  readonly placeTables?: (session: Queryable) => Promise<void>;
}

const LOCK_TIMEOUT_MS = 1_000;
/** Includes the wait for the lock, so that no other statement waits for more than two seconds. */
const STATEMENT_TIMEOUT_MS = 2_000;
const PATIENCE_MS = 600_000;
const SLOW_TRIES = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_REST_MS = 500;
const REPORT_MS = 1_000;
const LOCK_POLL_MS = 200;

/**
 * Applies the missing migrations, source by source. Returns the names applied now, such as `server/0002_plans`. If
 * none is missing, it takes no lock and writes nothing.
 * @throws MigrationChanged, DatabaseTooNew, MigrationFailed
 */
export async function migrate(
  db: Database,
  sources: readonly MigrationSource[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const files = await loadMigrations(sources);
  const next = async (at: Queryable) => {
    const { pending, mismatch } = await readSchemaState(at, files, options.version);
    if (mismatch && !(mismatch instanceof DatabaseTooOld)) throw mismatch;
    return pending[0];
  };
  if ((await next(db)) === undefined) return [];
  return db.session(async (session) => {
    const run: Run = {
      session,
      embedded: db.kind === 'embedded',
      report: () => {},
      patienceMs: PATIENCE_MS,
      ...options,
    };
    await takeLock(run, options.wait ?? true);
    await prepareTable(run);
    const done: string[] = [];
    for (;;) {
      // Read again: another process may have applied some before this one got the lock.
      const step = await next(session);
      if (step === undefined) return done;
      stopIfAsked(run, step);
      await apply(run, step);
      done.push(nameOf(step));
    }
  });
}

interface Run {
  readonly session: Queryable;
  /** True for PGlite, which has one session: nothing else runs during a migration, and nothing can wait for a lock. */
  readonly embedded: boolean;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
  readonly patienceMs: number;
  readonly placeTables?: (session: Queryable) => Promise<void>;
}

const takenRow = row('advisory lock', { taken: boolean });

/**
 * Takes the migration lock. Polls instead of waiting inside PostgreSQL: a waiting statement keeps its snapshot, for
 * which a concurrent index build of the lock's holder would wait in turn, and one of the two would fail.
 */
async function takeLock(run: Run, wait: boolean): Promise<void> {
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    const { taken } = await run.session.one(
      takenRow,
      sql`select pg_try_advisory_lock(${LOCK_KEY}) as taken`,
    );
    if (taken) return;
    const other = await describeMigrating(run.session);
    if (!wait || performance.now() - started > run.patienceMs) throw lockTaken(other);
    if (tries === 1) run.report(`${other}; waiting for it.`);
    await sleep(LOCK_POLL_MS);
  }
}

/**
 * Keeps other processes from applying migrations until the transaction ends.
 * @throws MigrationFailed while one applies them
 */
export async function lockMigrations(tx: Tx): Promise<void> {
  const { taken } = await tx.one(
    takenRow,
    sql`select pg_try_advisory_xact_lock(${LOCK_KEY}) as taken`,
  );
  if (!taken) throw lockTaken(await describeMigrating(tx));
}

async function describeMigrating(at: Queryable): Promise<string> {
  const pid = await findMigrating(at);
  return `Another process is applying migrations to this database${pid === undefined ? '' : ` (PostgreSQL process ${pid})`}`;
}

function lockTaken(other: string): MigrationFailed {
  return new MigrationFailed(`${other}: let it finish, then look at "svc-admin migrate status".`);
}

const TABLE = `
  create table if not exists svc_migration (
    source text not null,
    number int not null,
    name text not null,
    checksum text not null,
    oldest_service text,
    primary key (source, number)
  )`;

/**
 * Creates the table, or adds the column that version 0.1 did not have. The column allows null because a process of
 * version 0.1 inserts rows without it.
 */
async function prepareTable(run: Run): Promise<void> {
  const { session } = run;
  await session.run(raw(TABLE));
  const { found } = await session.one(
    foundRow,
    sql`select exists (select from pg_attribute
      where attrelid = to_regclass('svc_migration') and attname = 'oldest_service') as found`,
  );
  if (found) return;
  await withRetries(run, 'svc_migration', () =>
    limited(run, { lock: LOCK_TIMEOUT_MS, statement: STATEMENT_TIMEOUT_MS }, () =>
      session.run(raw('alter table svc_migration add column if not exists oldest_service text')),
    ),
  );
}

async function apply(run: Run, step: Migration): Promise<void> {
  const started = performance.now();
  if (step.backfill) await applyBackfill(run, step, step.backfill);
  else if (step.kind === 'no-transaction') await applyAlone(run, step);
  else await applyInTransaction(run, step);
  run.report(`${nameOf(step)} applied in ${secondsSince(started)}`);
}

/**
 * Applies a file in one transaction. Files without a declaration are older than the rule that statements are quick,
 * and a contract step may stop the service, so neither has the short statement timeout.
 */
async function applyInTransaction(run: Run, step: Migration): Promise<void> {
  const isQuick = step.oldestService !== undefined && step.contract === undefined;
  const statement = isQuick ? STATEMENT_TIMEOUT_MS : PATIENCE_MS;
  try {
    await withRetries(run, nameOf(step), () =>
      limited(run, { lock: LOCK_TIMEOUT_MS, statement }, () =>
        transact(run.session, async () => {
          await runStatements(run, step);
          await record(run.session, step);
        }),
      ),
    );
  } catch (error) {
    throw failure(`${nameOf(step)} failed and was rolled back`, error);
  }
}

/**
 * A cluster refuses a new table with a foreign key to one that is distributed. So the table is created on the
 * coordinator alone, where Citus does not look at its keys, and is distributed with them afterwards.
 */
async function runStatements({ session, placeTables }: Run, step: Migration): Promise<void> {
  const statements = raw(step.text);
  if (!placeTables || !step.text.includes('create table ')) {
    await session.run(statements);
    return;
  }
  await session.run(raw('set local citus.enable_ddl_propagation = off'));
  await session.run(statements);
  await session.run(raw('set local citus.enable_ddl_propagation = on'));
  await placeTables(session);
}

/**
 * Applies a file with one statement that PostgreSQL runs outside a transaction. A crash can leave it done but not
 * recorded, or leave the invalid index of a concurrent build. Both are looked for first.
 */
async function applyAlone(run: Run, step: Migration): Promise<void> {
  const { session } = run;
  const index = CONCURRENT_INDEX.exec(step.text)?.[1];
  // These statements conflict with no read or write, so they may wait long for their locks.
  await limited(run, { lock: run.patienceMs, statement: 0 }, async () => {
    try {
      const isBuilt = index !== undefined && (await isIndexBuilt(run, index));
      if (!isBuilt) await session.run(raw(withoutConcurrently(run, step.text)));
    } catch (error) {
      const left = await removeUnfinished(run, index);
      const blocker = sqlState(error) === LOCK_NOT_AVAILABLE ? await findBlocker(run) : '';
      throw failure(`${nameOf(step)} failed${left}`, error, blocker);
    }
    await record(session, step);
  });
}

const CONCURRENT_INDEX =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/im;
const validRow = row('index', { valid: boolean });

function withoutConcurrently({ embedded }: Run, statement: string): string {
  return embedded ? statement.replace(/\bindex\s+concurrently\b/gi, 'index') : statement;
}

async function isIndexBuilt(run: Run, index: string): Promise<boolean> {
  const found = await run.session.maybe(
    validRow,
    sql`select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`,
  );
  if (found === undefined) return false;
  if (found.valid) return true;
  run.report(`removing the unfinished index ${index}`);
  await run.session.run(raw(withoutConcurrently(run, `drop index concurrently ${index}`)));
  return false;
}

/**
 * Removes the unfinished index, and returns a part of the error message. An index that cannot be removed now is
 * removed by the next run.
 */
async function removeUnfinished(run: Run, index: string | undefined): Promise<string> {
  try {
    if (index !== undefined) await isIndexBuilt(run, index);
    return ' and left nothing behind';
  } catch {
    return `, and the next run will remove the unfinished index ${index}`;
  }
}

const PROGRESS_TABLE = `
  create table if not exists svc_backfill (
    migration text primary key,
    last_key text,
    rows_done bigint not null,
    rows_estimated bigint not null
  )`;

/**
 * Runs the statement for one range of keys after the other, each in its own transaction together
 * with the cursor, so a run that is killed continues after its last batch.
 */
async function applyBackfill(run: Run, step: Migration, backfill: Backfill): Promise<void> {
  const name = nameOf(step);
  const { session } = run;
  let reported = Number.NEGATIVE_INFINITY;
  try {
    await session.run(raw(PROGRESS_TABLE));
    await session.run(sql`
      insert into svc_backfill (migration, rows_done, rows_estimated)
      values (${name}, 0, coalesce(
        (select greatest(reltuples, 0)::bigint from pg_class where oid = to_regclass(${backfill.table})), 0))
      on conflict (migration) do nothing`);
    for (;;) {
      const started = performance.now();
      // A batch waits for rows that traffic has locked, and is limited like any other step.
      const progress = await withRetries(run, name, () =>
        limited(run, { lock: LOCK_TIMEOUT_MS, statement: STATEMENT_TIMEOUT_MS }, () =>
          transact(session, () => runBatch(session, step, backfill)),
        ),
      );
      if (progress.ended || performance.now() - reported > REPORT_MS) {
        run.report(`${name}: ${describeProgress(progress)}`);
        reported = performance.now();
      }
      if (progress.ended) return;
      stopIfAsked(run, step);
      // Half of the time is left to others, whatever a batch takes on this machine.
      if (!run.embedded) await sleep(Math.min(performance.now() - started, LONGEST_REST_MS));
    }
  } catch (error) {
    throw failure(`${name} stopped, and the batches before stay`, error);
  }
}

interface BatchProgress extends BackfillProgress {
  readonly ended: boolean;
}

const rangeRow = row('range of keys', {
  first: nullable(text),
  last: nullable(text),
  count: bigint,
});

/**
 * Updates one range of keys, and records how far it got. Rows with lower keys that are inserted during the backfill
 * are not visited: the service fills those.
 */
async function runBatch(
  session: Queryable,
  step: Migration,
  { table, key, rows }: Backfill,
): Promise<BatchProgress> {
  const name = nameOf(step);
  const before = await session.one(
    progressRow,
    sql`select migration, last_key, rows_done, rows_estimated from svc_backfill
      where migration = ${name}`,
  );
  const rest = before.last_key === null ? raw('') : sql`where ${raw(key)} > ${before.last_key}`;
  const range = await session.one(
    rangeRow,
    sql`
    select (array_agg(key order by key))[1]::text as first,
      (array_agg(key order by key desc))[1]::text as last, count(*) as count
    from (select ${raw(key)} as key from ${raw(table)} ${rest} order by 1 limit ${rows}) as batch`,
  );
  if (range.first !== null) await session.run(new Sql(step.text, [range.first, range.last]));
  const progress = {
    ...before,
    last_key: range.last ?? before.last_key,
    rows_done: before.rows_done + range.count,
    ended: range.count < rows,
  };
  if (progress.ended) {
    await session.run(sql`delete from svc_backfill where migration = ${name}`);
    await record(session, step);
  } else {
    await session.run(sql`
      update svc_backfill set last_key = ${progress.last_key}, rows_done = ${progress.rows_done}
      where migration = ${name}`);
  }
  return progress;
}

async function record(session: Queryable, step: Migration): Promise<void> {
  await session.run(sql`
    insert into svc_migration (source, number, name, checksum, oldest_service)
    values (${step.source}, ${step.number}, ${step.name}, ${step.checksum},
      ${step.oldestService ?? null})`);
}

async function transact<T>(session: Queryable, work: () => Promise<T>): Promise<T> {
  await session.run(raw('begin'));
  try {
    const result = await work();
    await session.run(raw('commit'));
    return result;
  } catch (error) {
    // On a lost connection this fails as well, and the first error says why.
    await session.run(raw('rollback')).catch(() => undefined);
    throw error;
  }
}

/** Sets the limits of the session for `work`, in milliseconds; 0 means no limit. */
async function limited<T>(
  { session, embedded }: Run,
  limits: { readonly lock: number; readonly statement: number },
  work: () => Promise<T>,
): Promise<T> {
  if (!embedded) {
    await session.run(
      raw(`set lock_timeout = ${limits.lock}; set statement_timeout = ${limits.statement}`),
    );
  }
  return work();
}

const LOCK_NOT_AVAILABLE = '55P03';
const STATEMENT_CANCELED = '57014';
/** The SQLSTATEs when another transaction was in the way: a lock timeout, a deadlock, a conflict. */
const CONFLICT_STATES = [LOCK_NOT_AVAILABLE, '40P01', '40001'];

async function withRetries<T>(run: Run, name: string, attempt: () => Promise<T>): Promise<T> {
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const state = sqlState(error) ?? '';
      const isSlow = state === STATEMENT_CANCELED;
      if (!isSlow && !CONFLICT_STATES.includes(state)) throw error;
      if (isSlow && tries >= SLOW_TRIES) {
        throw new MigrationFailed(
          `${name} was rolled back, because a statement of it ran for more than ${STATEMENT_TIMEOUT_MS / 1_000} s while other statements wait for its locks: try again when the database is less busy, or split the step.`,
          { cause: error },
        );
      }
      const blocker = await findBlocker(run);
      if (performance.now() - started > run.patienceMs) {
        throw new MigrationFailed(
          `${name} was rolled back, because it did not get its locks in ${Math.round(run.patienceMs / 1_000)} s.${blocker} End that transaction or wait for its end, then apply the migrations again.`,
          { cause: error },
        );
      }
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
      run.report(`${name} waits for a lock, try ${tries}.${blocker}`);
      await sleep(pause);
    }
  }
}

const blockerRow = row('open transaction', { pid: integer, application: text, seconds: double });

/**
 * Returns a sentence about the oldest open transaction, which is most likely in the way, with a space before it.
 * Empty if there is none.
 */
async function findBlocker({ session }: Run): Promise<string> {
  const oldest = await session.maybe(
    blockerRow,
    sql`
    select pid, application_name as application,
      extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`,
  );
  if (oldest === undefined) return '';
  const { pid, application, seconds } = oldest;
  const program = application === '' ? '' : ` (${application})`;
  return ` The oldest open transaction is that of PostgreSQL process ${pid}${program}, ${Math.round(seconds)} s old.`;
}

function stopIfAsked({ signal }: Run, step: Migration): void {
  if (!signal?.aborted) return;
  throw new MigrationFailed(
    `Stopped before the end of ${nameOf(step)}: apply the migrations again to continue there.`,
  );
}

function failure(what: string, cause: unknown, blocker = ''): Error {
  if (cause instanceof MigrationFailed) return cause;
  const { message } = cause as Error;
  return new MigrationFailed(
    `${what}: ${message}.${blocker} Remove the cause, then apply the migrations again.`,
    { cause },
  );
}

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`;
}
