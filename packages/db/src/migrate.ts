import { DatabaseTooNew, MigrationChanged } from './errors.ts';
import { type Migration, type MigrationSource, readMigrations } from './read-migrations.ts';
import { boolean, integer, type RowOf, row, text } from './row.ts';
import { raw, sql } from './sql.ts';
import type { Database, Queryable } from './types.ts';

const tableRow = row('migration table', { found: boolean });
const appliedRow = row('applied migration', { number: integer, name: text, checksum: text });
type Applied = RowOf<typeof appliedRow>;

const TIMEOUT_MS = 600_000;
// Any number will do, as long as every version of this code uses the same one.
const LOCK_KEY = 7_328_465_001;

/**
 * Applies what is missing, source by source, each file in a transaction of its own. Two processes
 * at once wait for each other. Returns the names applied now, such as `server/0002_plans`.
 * @throws MigrationChanged when an applied file differs, DatabaseTooNew when this code lacks one.
 */
export async function migrate(
  db: Database,
  sources: readonly MigrationSource[],
): Promise<string[]> {
  const done: string[] = [];
  for (const source of sources) {
    const migrations = await readMigrations(source);
    for (;;) {
      const name = await applyNext(db, source.name, migrations);
      if (name === undefined) break;
      done.push(name);
    }
  }
  return done;
}

/** True when every file is applied and nothing else is; for a readiness check. */
export async function migrationsAtHead(
  db: Database,
  sources: readonly MigrationSource[],
): Promise<boolean> {
  const table = await db.one(
    tableRow,
    sql`select to_regclass('svc_migration') is not null as found`,
  );
  if (!table.found) return false;
  for (const source of sources) {
    const migrations = await readMigrations(source);
    const applied = await readApplied(db, source.name);
    if (applied.length !== migrations.length) return false;
    if (applied.some((done, index) => done.checksum !== migrations[index]?.checksum)) return false;
  }
  return true;
}

/**
 * Commits an update of one row, so it fails wherever a write would: on a standby, a read-only
 * database, a lost server, a full WAL disk. It needs no new block in the data directory, so a full
 * data disk shows in other statements first (`isDiskFull`). Needs a migrated database.
 */
export async function probeWrite(db: Queryable): Promise<void> {
  await db.run(sql`
    update svc_migration set name = name
    where (source, number) = (select source, number from svc_migration order by 1, 2 limit 1)`);
}

function applyNext(
  db: Database,
  source: string,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  return db.transaction(
    async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
      await tx.run(raw(TABLE));
      const applied = await readApplied(tx, source);
      const next = nextMigration(source, migrations, applied);
      if (next === undefined) return undefined;
      await tx.run(raw(next.text));
      await tx.run(sql`
        insert into svc_migration (source, number, name, checksum)
        values (${source}, ${next.number}, ${next.name}, ${next.checksum})`);
      return `${source}/${next.name}`;
    },
    { timeoutMs: TIMEOUT_MS },
  );
}

const TABLE = `
  create table if not exists svc_migration (
    source text not null,
    number int not null,
    name text not null,
    checksum text not null,
    primary key (source, number)
  )`;

function nextMigration(
  source: string,
  migrations: readonly Migration[],
  applied: readonly Applied[],
): Migration | undefined {
  for (const done of applied) {
    const file = migrations[done.number - 1];
    if (file === undefined) {
      throw new DatabaseTooNew(
        `The database has ${source}/${done.name}, which this version does not know: start a newer version.`,
      );
    }
    if (file.checksum !== done.checksum) {
      throw new MigrationChanged(
        `${source}/${file.name} is not what was applied as ${done.name}: restore the file and add a new one.`,
      );
    }
  }
  return migrations[applied.length];
}

function readApplied(db: Queryable, source: string): Promise<Applied[]> {
  return db.many(
    appliedRow,
    sql`select number, name, checksum from svc_migration where source = ${source} order by number`,
  );
}
