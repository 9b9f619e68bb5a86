import { type Database, openDatabase, raw, sql, sqlState } from '@svc/db';
import { explainReads, rowsOf } from '@svc/db/testing';
import { multiplyRows } from './multiply-rows.ts';
import type { Recorded, Recording } from './recordings.ts';

/** The number of rows that a statement read from tables with 10,000 rows each. */
export interface Measured {
  readonly text: string;
  /** Rows read before PostgreSQL had statistics. Null if the statement failed. */
  readonly without: number | null;
  /** Rows read after ANALYZE. Null if the statement failed. */
  readonly with: number | null;
}

const rowsPerTable = 10_000;
/** A statement that runs longer has read far too much, however busy the machine is. */
const limitMs = 30_000;

/**
 * Fills the statements' tables to 10,000 rows each, and then runs the statements again on their databases, without
 * statistics and with them. A statement is measured on the first database that has rows in the same tables.
 */
export async function measureReads(recordings: readonly Recording[]): Promise<Measured[]> {
  const seen = new Set<string>();
  const found: Measured[] = [];
  const works: Work[] = [];
  for (const { url, recorded } of recordings) {
    const filled = await onDatabase(url, filledTables);
    const usedBy = ({ text }: Recorded) =>
      filled.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    const statements = recorded.filter((it) => {
      const kind = `${it.text} ${usedBy(it).join()}`;
      return !seen.has(kind) && seen.add(kind);
    });
    works.push({ url, statements, tables: [...new Set(statements.flatMap(usedBy))] });
  }
  const lane = async () => {
    for (let work = works.shift(); work; work = works.shift()) {
      const { url, statements, tables } = work;
      found.push(...(await onDatabase(url, (db) => measureOn(db, statements, tables))));
    }
  };
  await Promise.all([lane(), lane()]);
  return found;
}

interface Work {
  readonly url: string;
  readonly statements: readonly Recorded[];
  readonly tables: readonly string[];
}

async function onDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ url }, { limits: { statement: limitMs } });
  return work(db).finally(() => db.close());
}

async function measureOn(
  db: Database,
  statements: readonly Recorded[],
  tables: readonly string[],
): Promise<Measured[]> {
  await multiplyRows(db, tables, rowsPerTable);
  await resetStatistics(db);
  const without = await measureAll(db, statements);
  for (const name of tables) await db.session((session) => session.run(raw(`analyze ${name}`)));
  const withStatistics = await measureAll(db, statements);
  return statements.map(({ text }, index) => ({
    text,
    without: without[index] ?? null,
    with: withStatistics[index] ?? null,
  }));
}

async function filledTables(db: Database): Promise<string[]> {
  const filled: string[] = [];
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition and not starts_with(relname, 'svc_')`,
  );
  for (const { name } of tables) {
    const found = await rowsOf(db, sql`select from ${raw(name)} limit 1`);
    if (found.length > 0) filled.push(name);
  }
  return filled;
}

/** Makes PostgreSQL treat each table as never analyzed, because a service under test analyzes tables, too. */
async function resetStatistics(db: Database): Promise<void> {
  await db.run(raw('delete from pg_statistic'));
  await db.run(
    raw(`update pg_class set reltuples = -1, relpages = 0, relallvisible = 0
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`),
  );
}

/** Returns the largest number of rows that each statement read with any of its values; null if all runs failed. */
async function measureAll(db: Database, recorded: readonly Recorded[]) {
  const most: (number | null)[] = [];
  for (const { text, samples } of recorded) {
    const read: (number | null)[] = [];
    for (const values of samples) read.push(await measureRows(db, text, values));
    const known = read.filter((rows) => rows !== null);
    most.push(known.length === 0 ? null : Math.max(...known));
  }
  return most;
}

class Rollback extends Error {}

/**
 * Returns the number of rows that the statement reads: null if it fails, `MAX_SAFE_INTEGER` if it times out. Its
 * writes are rolled back, and no trigger runs.
 */
export async function measureRows(
  db: Database,
  text: string,
  values: readonly string[],
): Promise<number | null> {
  const removals: string[] = [];
  let rows: number | null = null;
  for (let isOver = false; !isOver; ) {
    const work = db.transaction(async (tx) => {
      await tx.run(raw('set local session_replication_role = replica'));
      for (const removal of removals) await tx.run(raw(removal));
      rows = (await explainReads(tx, text, values)).rows;
      throw new Rollback();
    });
    await work.catch((error: unknown) => {
      const removal = removalOf(error);
      isOver = removal === undefined || removals.includes(removal);
      if (removal !== undefined) removals.push(removal);
      if (sqlState(error) === '57014') rows = Number.MAX_SAFE_INTEGER;
    });
  }
  return rows;
}

/** The statement that deletes the row with which an insert conflicts: the one from the test's own run. */
function removalOf(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  const { table, detail } = error as { table?: string; detail?: string };
  const [, keys, values] = /^Key \((.+)\)=\((.+)\) already exists/.exec(detail ?? '') ?? [];
  if (table === undefined || keys === undefined || values === undefined) return undefined;
  const list = values.split(', ').map((value) => `'${value.replaceAll("'", "''")}'`);
  return `delete from ${table} where (${keys}) = (${list.join(', ')})`;
}
