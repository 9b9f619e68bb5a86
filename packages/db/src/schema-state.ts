import { DatabaseTooNew, DatabaseTooOld, MigrationChanged } from './errors.ts';
import {
  compareVersions,
  type Migration,
  type MigrationSource,
  readMigrations,
} from './read-migrations.ts';
import { bigint, boolean, integer, nullable, type RowOf, row, text } from './row.ts';
import { sql } from './sql.ts';
import type { Queryable } from './types.ts';

/** The files of each source. */
export type MigrationFiles = ReadonlyMap<string, readonly Migration[]>;

export interface SchemaState {
  /** The applied migrations, such as `server/0002_plans`, in the order of the sources. */
  readonly applied: readonly string[];
  readonly pending: readonly Migration[];
  /** The oldest version that can run on the database; undefined when no migration says so. */
  readonly oldestService: string | undefined;
  /** The reason why this code cannot run on the database; undefined when it can. */
  readonly mismatch: DatabaseTooNew | DatabaseTooOld | MigrationChanged | undefined;
}

const appliedRow = row('applied migration', {
  source: text,
  number: integer,
  name: text,
  checksum: text,
  oldest_service: nullable(text),
});
type Applied = RowOf<typeof appliedRow>;
export const foundRow = row('catalog entry', { found: boolean });

// Any number will do, as long as every version of this code uses the same one.
export const LOCK_KEY = 7_328_465_001;

/**
 * Reads the files once. A service keeps them, because a deployment may replace the files below a
 * running process, which then still runs the code that belongs to the old ones.
 */
export async function loadMigrations(sources: readonly MigrationSource[]): Promise<MigrationFiles> {
  const files = new Map<string, Migration[]>();
  for (const source of sources) files.set(source.name, await readMigrations(source));
  return files;
}

/** Compares the database with the files of this code. Changes nothing. */
export async function readSchemaState(
  db: Queryable,
  files: MigrationFiles,
  version?: string,
): Promise<SchemaState> {
  return compareMigrations(files, await readApplied(db), version);
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

export const progressRow = row('backfill progress', {
  migration: text,
  last_key: nullable(text),
  rows_done: bigint,
  rows_estimated: bigint,
});
export type BackfillProgress = RowOf<typeof progressRow>;

/** Returns the backfills that have begun and not ended. */
export async function readBackfills(db: Queryable): Promise<BackfillProgress[]> {
  if (!(await tableExists(db, 'svc_backfill'))) return [];
  return db.many(
    progressRow,
    sql`select migration, last_key, rows_done, rows_estimated from svc_backfill order by migration`,
  );
}

const holderRow = row('holder of the migration lock', { pid: integer });

/** Returns the id of the PostgreSQL process that is applying migrations now; undefined if there is none. */
export async function findMigrating(db: Queryable): Promise<number | undefined> {
  const holder = await db.maybe(
    holderRow,
    sql`
    select pid from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and (classid::bigint << 32) + objid::bigint = ${LOCK_KEY}
      and database = (select oid from pg_database where datname = current_database())
    limit 1`,
  );
  return holder?.pid;
}

/**
 * Reads the applied migrations. `oldest_service` is read through JSON because databases of version 0.1 lack it until
 * the next `migrate`.
 */
async function readApplied(db: Queryable): Promise<Applied[]> {
  if (!(await tableExists(db, 'svc_migration'))) return [];
  return db.many(
    appliedRow,
    sql`
    select source, number, name, checksum, to_jsonb(m) ->> 'oldest_service' as oldest_service
    from svc_migration m order by source, number`,
  );
}

async function tableExists(db: Queryable, table: string): Promise<boolean> {
  const { found } = await db.one(foundRow, sql`select to_regclass(${table}) is not null as found`);
  return found;
}

function compareMigrations(
  files: MigrationFiles,
  rows: readonly Applied[],
  version: string | undefined,
): SchemaState {
  const applied = rows.filter((done) => files.has(done.source));
  const fileOf = (done: Applied) => files.get(done.source)?.[done.number - 1];
  const pending = [...files.values()].flatMap((list) =>
    list.filter(
      (file) => !applied.some((done) => done.source === file.source && done.number === file.number),
    ),
  );
  const demanding = applied
    .filter((done) => done.oldest_service !== null)
    .toSorted((one, other) => compareVersions(oldestOf(other), oldestOf(one)))[0];
  const changed = applied.find((done) => {
    const file = fileOf(done);
    return file !== undefined && file.checksum !== done.checksum;
  });
  const unreleased = applied.find((done) => {
    const file = fileOf(done);
    return file !== undefined && file.name !== done.name;
  });
  const unknown = applied.find(
    (done) => fileOf(done) === undefined && (version === undefined || done.oldest_service === null),
  );
  return {
    applied: [...files.keys()].flatMap((source) =>
      applied.filter((done) => done.source === source).map(nameOf),
    ),
    pending,
    oldestService: demanding?.oldest_service ?? undefined,
    mismatch: mismatchOf({
      demanding,
      unreleased,
      changed,
      unknown,
      pending,
      version,
      isEmpty: applied.length === 0,
    }),
  };
}

function mismatchOf({
  demanding,
  unreleased,
  changed,
  unknown,
  pending,
  version,
  isEmpty,
}: {
  readonly demanding: Applied | undefined;
  readonly unreleased: Applied | undefined;
  readonly changed: Applied | undefined;
  readonly unknown: Applied | undefined;
  readonly pending: readonly Migration[];
  readonly version: string | undefined;
  readonly isEmpty: boolean;
}): SchemaState['mismatch'] {
  if (demanding && version !== undefined && compareVersions(version, oldestOf(demanding)) < 0) {
    const oldest = oldestOf(demanding);
    return new DatabaseTooNew(
      `The database has ${nameOf(demanding)}, which needs version ${oldest} or later, and this is ${version}: start version ${oldest} or later.`,
    );
  }
  // A released file keeps its name. Only builds between 0.2.0 and 0.3.0 applied files that others replaced. The
  // command goes in 0.4.0, and this sentence with it.
  if (unreleased) {
    return new MigrationChanged(
      `The database has ${nameOf(unreleased)} of a build that was never released: run "svc-admin migrate adopt" to keep its data, or start with an empty database.`,
    );
  }
  if (unknown) {
    return new DatabaseTooNew(
      `The database has ${nameOf(unknown)}, which this version does not know: start a newer version.`,
    );
  }
  if (changed) {
    return new MigrationChanged(
      `${nameOf(changed)}.sql is not the file that was applied to the database: restore the file, and put the change into a new one.`,
    );
  }
  const [first] = pending;
  if (first === undefined) return undefined;
  if (isEmpty) {
    return new DatabaseTooOld(
      'The database is empty: run "svc-admin migrate apply --create-database" first.',
    );
  }
  const more = pending.length === 1 ? '' : ` and ${pending.length - 1} more`;
  return new DatabaseTooOld(
    `The database lacks ${nameOf(first)}${more}: run "svc-admin migrate apply" with this version first.`,
  );
}

function oldestOf(done: Applied): string {
  return done.oldest_service ?? '0.0.0';
}

export function nameOf({
  source,
  name,
}: {
  readonly source: string;
  readonly name: string;
}): string {
  return `${source}/${name}`;
}

/** Describes how far a backfill is, such as `12000 of about 300000 rows`. */
export function describeProgress({ rows_done, rows_estimated }: BackfillProgress): string {
  const isKnown = rows_estimated >= rows_done && rows_estimated > 0;
  return isKnown ? `${rows_done} of about ${rows_estimated} rows` : `${rows_done} rows`;
}
