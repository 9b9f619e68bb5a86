import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql, sql } from '@svc/db';
import { oneRowOf, type TestTarget, testKind, testTarget } from '@svc/db/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startService } from '../src/main.ts';
import { migrations, version } from '../src/migrations.ts';
import { runEntry } from './run-entry.ts';
import { runSchemaCommand } from './support/run-schema-command.ts';

// The operator's commands, most of them in this process. They do the same on the embedded database,
// which takes seconds to open, so most run on a server only.
const onServer = testKind() === 'postgres';
let database: TestTarget;
let dataDir: string;
let settings: Record<string, string>;
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function useDatabase(sources = migrations): Promise<void> {
  database = await testTarget(sources);
  const { target } = database;
  dataDir = 'dataDir' in target ? target.dataDir : await mkdtemp(join(tmpdir(), 'svc-data-'));
  settings = {
    SVC_DATA_DIR: dataDir,
    SVC_ENVIRONMENT: 'production',
    SVC_MAIL: 'none',
    SVC_PUBLIC_ORIGIN: 'https://svc.example',
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_LENDER_NAME: 'Ash Credit',
    SVC_LENDER_ADDRESS: '1 Ash St, Austin, TX 78701',
    SVC_SUPPORT_EMAIL: 'help@ash.example',
    SVC_DRAIN_SECONDS: '0',
    PORT: '0',
    ...('url' in target ? { DATABASE_URL: target.url } : { SVC_ALLOW_EMBEDDED: '1' }),
  };
}

async function query(statement: Sql): Promise<void> {
  const db = await openDatabase(database.target);
  await db.run(statement);
  await db.close();
}

/** Runs `migrate …` and returns its exit code and output, or the message of its error. */
function command(...args: string[]): Promise<{ code: number; output: string }> {
  return runSchemaCommand(['migrate', ...args].join(' '), readConfig(settings));
}

/** Starts the service and stops it; returns why it did not start. */
async function refusal(own: Record<string, string> = {}): Promise<string | undefined> {
  try {
    await (await startService(readConfig({ ...settings, ...own }), { log })).close();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const log = pino({ level: 'silent' });

test('a new production database: the service waits for "migrate apply", which creates it on request', async () => {
  await useDatabase([]);
  expect(await refusal()).toBe(
    'The database is empty: run "svc-admin migrate apply --create-database" first.',
  );
  expect(await command('apply')).toEqual({
    code: 1,
    output: expect.stringMatching(/^No service has used .* yet\. .*--create-database\.$/),
  });
  const applied = await command('apply', '--create-database');
  expect(applied.code).toBe(0);
  expect(applied.output).toMatch(/^webhooks\/0001_webhooks applied in \d+\.\d s\n/);
  expect(applied.output).toMatch(/\nApplied \d+ migrations to the d.*\.\n$/);
  const db = await openDatabase(database.target);
  const entry = await oneRowOf<{ by: string; details: { migrations: string[]; version: string } }>(
    db,
    sql`
    select credential_id as by, details from audit_entry
    where partner_id = 'operator' and action = 'schema.migrated'`,
  );
  await db.close();
  expect(entry.by).toBe('ops-ada');
  expect(entry.details.version).toBe(version);
  expect(entry.details.migrations).toContain('webhooks/0001_webhooks');
});

test.runIf(onServer)(
  'a database that has every migration: nothing to apply, and the service starts',
  async () => {
    await useDatabase();
    const nothing = expect.stringMatching(
      `^Nothing to apply: .* has every migration of version ${version}\\.\n$`,
    );
    expect(await command('apply')).toEqual({ code: 0, output: nothing });
    expect(await command('plan')).toEqual({ code: 0, output: nothing });
    expect(await refusal()).toBeUndefined();
  },
);

describe.runIf(onServer)('a database that is older than this version', () => {
  const missing =
    'The database lacks server/0001_access: run "svc-admin migrate apply" with this version first.';
  beforeEach(async () => {
    await useDatabase();
    // Its tables exist, so applying it fails.
    await query(sql`delete from svc_migration where source = 'server' and number = 1`);
  });

  test('plan and status name what is missing, the service refuses to start', async () => {
    expect(await command('plan')).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^1 migration to apply to .*:\n {2}server\/0001_access {2}transaction\n$/,
      ),
    });
    const status = await command('status');
    expect(status.code).toBe(1);
    expect(status.output).toContain('pending   1, the next is server/0001_access\n');
    expect(status.output).toContain(`${missing}\n`);
    expect(JSON.parse((await command('status', '--json')).output)).toMatchObject({
      version,
      problem: missing,
      pending: [{ name: 'server/0001_access', kind: 'transaction' }],
      applying_pid: null,
    });
    expect(await refusal()).toBe(missing);
  });

  test('a migration that fails is rolled back, and one sentence says so', async () => {
    const failed =
      /^server\/0001_access failed and was rolled back: relation "\w+" already exists\. Remove the cause, then apply the migrations again\.$/;
    expect((await command('apply')).output).toMatch(failed);
    expect(await refusal({ SVC_MIGRATE_ON_START: '1' })).toMatch(failed);
  });

  test('a real process prints one line and exits with 1', async () => {
    const served = await runEntry('serve', { settings }).end();
    expect(served).toEqual({ code: 1, stdout: '', stderr: `${missing}\n` });
    const status = await runEntry('cli', { settings, args: ['migrate', 'status'] }).end();
    expect(status).toMatchObject({ code: 1, stderr: '' });
    expect(status.stdout).toContain(`${missing}\n`);
  });
});

const addFuture = (oldest: string) =>
  query(sql`
    insert into svc_migration (source, number, name, checksum, oldest_service)
    select 'server', max(number) + 1, '9999_future', 'x', ${oldest} from svc_migration
    where source = 'server'`);

test.runIf(onServer)(
  'a database that a later version has changed so that this one cannot run',
  async () => {
    await useDatabase();
    await addFuture('99.0.0');
    const tooNew = `The database has server/9999_future, which needs version 99.0.0 or later, and this is ${version}: start version 99.0.0 or later.`;
    expect(await refusal()).toBe(tooNew);
    expect(await command('apply')).toEqual({ code: 1, output: tooNew });
  },
);

test.runIf(onServer)(
  'a database that a later version has changed so that this one still runs',
  async () => {
    await useDatabase();
    await addFuture(version);
    expect(await refusal()).toBeUndefined();
    expect(await command('status')).toEqual({
      code: 0,
      output: expect.stringContaining(`the database needs ${version} or later`),
    });
  },
);

test.runIf(onServer)('a file that differs from the applied one', async () => {
  await useDatabase();
  await query(sql`update svc_migration set checksum = 'x' where name = '0001_access'`);
  expect(await refusal()).toBe(
    'server/0001_access.sql is not the file that was applied to the database: restore the file, and put the change into a new one.',
  );
});

test.runIf(onServer)('two "migrate apply" at once: the second is refused', async () => {
  await useDatabase();
  await query(sql`delete from svc_migration where source = 'server' and number = 1`);
  const db = await openDatabase(database.target);
  // The key of packages/db/src/migrate.ts, as another process holds it.
  const second = await db.session(async (session) => {
    await session.run(sql`select pg_advisory_lock(7328465001)`);
    return runEntry('cli', { settings, args: ['migrate', 'apply'] }).end();
  });
  await db.close();
  expect(second).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Another process is applying migrations to this database \(PostgreSQL process \d+\): let it finish, then look at "svc-admin migrate status"\.\n$/,
    ),
  });
});

test.runIf(!onServer)('a service that holds the embedded database is named', async () => {
  await useDatabase();
  const service = await startService(readConfig(settings), { log });
  const { output } = await command('status');
  await service.close();
  expect(output).toContain(`in use by process ${process.pid}: stop it`);
});
