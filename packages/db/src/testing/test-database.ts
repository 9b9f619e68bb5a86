import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open.ts';
import type { MigrationSource } from '../read-migrations.ts';
import { readMigrations } from '../read-migrations.ts';
import type { Database, DatabaseTarget } from '../types.ts';
import { onceInRun, runFolder } from './run-folder.ts';
import { startPostgres } from './start-postgres.ts';

export type TestKind = 'pglite' | 'postgres';

export interface TestDatabase {
  readonly db: Database;
  readonly kind: TestKind;
  /** The target for opening the database in another process. With `pglite`, close `db` first. */
  readonly target: DatabaseTarget;
  close(): Promise<void>;
}

export interface TestTarget {
  readonly target: DatabaseTarget;
  readonly kind: TestKind;
  /** Removes the database, which must be closed. */
  drop(): Promise<void>;
}

/** Returns the kind of database under test: `SVC_TEST_DB`, by default PGlite. */
export function testKind(): TestKind {
  const kind = process.env.SVC_TEST_DB ?? 'pglite';
  if (kind === 'pglite' || kind === 'postgres') return kind;
  throw new Error(`SVC_TEST_DB is ${kind}: use pglite or postgres.`);
}

/** Opens a new migrated database like the one in production. It is a copy of a template, which takes little time. */
export async function openTestDatabase(
  sources: readonly MigrationSource[] = [],
  kind: TestKind = testKind(),
): Promise<TestDatabase> {
  const { target, drop } = await testTarget(sources, kind);
  const db = await openDatabase(target, { refuseNesting: true, checkValues: true });
  return {
    db,
    kind,
    target,
    async close() {
      await db.close();
      await drop();
    },
  };
}

/** Creates a new migrated database without opening it, for tests that start whole processes. */
export async function testTarget(
  sources: readonly MigrationSource[] = [],
  kind: TestKind = testKind(),
): Promise<TestTarget> {
  return kind === 'postgres' ? copyOnServer(sources) : copyFolder(sources);
}

/**
 * Creates a database on a PostgreSQL server, whatever kind is under test, migrated with `sources`. Returns its URL.
 */
export async function testDatabaseUrl(
  sources: readonly MigrationSource[] = [],
): Promise<{ url: string; drop(): Promise<void> }> {
  return copyOnServer(sources).then(({ target, drop }) => ({ url: target.url, drop }));
}

async function copyFolder(sources: readonly MigrationSource[]): Promise<TestTarget> {
  const template = await onceInRun(`template-${await fingerprint(sources)}`, (dataDir) =>
    prepare({ dataDir }, sources),
  );
  const dataDir = await mkdtemp(join(await runFolder(), 'db-'));
  await cp(join(template, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
  const drop = () => rm(dataDir, { recursive: true, force: true });
  return { target: { dataDir }, kind: 'pglite', drop };
}

async function copyOnServer(
  sources: readonly MigrationSource[],
): Promise<TestTarget & { target: { url: string } }> {
  const server = await serverUrl();
  const run = createHash('sha256')
    .update(await runFolder())
    .digest('hex')
    .slice(0, 8);
  const template = `svc_template_${run}_${await fingerprint(sources)}`;
  await onceInRun(template, async () => {
    await administer(server, `create database ${template}`);
    await prepare({ url: withDatabase(server, template) }, sources);
  });
  const name = `svc_test_${randomBytes(6).toString('hex')}`;
  // Without `file_copy` the server logs each page of the copy: 110 ms of CPU time instead of 25,
  // and the first connection takes twice as long.
  await administer(server, `create database ${name} template ${template} strategy file_copy`);
  const url = withDatabase(server, name);
  const drop = async () => {
    if (!(await isKept(name, url))) {
      await administer(server, `drop database if exists ${name} with (force)`);
    }
  };
  return { target: { url }, kind: 'postgres', drop };
}

type Keep = (name: string, url: string) => boolean | Promise<boolean>;

let keeps: Keep | undefined;

/** Calls `keep` for each database that a test has closed, to decide whether it stays on the server. */
export function keepDatabases(keep: Keep): void {
  keeps = keep;
}

/** Returns whether a database stays on the server, as decided by the function passed to `keepDatabases`. */
export async function isKept(name: string, url: string): Promise<boolean> {
  return (await keeps?.(name, url)) ?? false;
}

let started: Promise<string> | undefined;

/** Returns the URL of the server: `TEST_DATABASE_URL`, or one that is started for this process. */
function serverUrl(): Promise<string> {
  started ??=
    process.env.TEST_DATABASE_URL === undefined
      ? startPostgres().then((server) => server.url('postgres'))
      : Promise.resolve(process.env.TEST_DATABASE_URL);
  return started;
}

async function prepare(target: DatabaseTarget, sources: readonly MigrationSource[]): Promise<void> {
  const db = await openDatabase(target);
  try {
    await migrate(db, sources);
  } finally {
    await db.close();
  }
}

async function fingerprint(sources: readonly MigrationSource[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const { name, checksum } of await readMigrations(source)) {
      hash.update(`${source.name}/${name} ${checksum}\n`);
    }
  }
  return hash.digest('hex').slice(0, 12);
}

function withDatabase(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(server: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
