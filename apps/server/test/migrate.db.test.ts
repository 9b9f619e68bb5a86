import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql, sql } from '@svc/db';
import { oneRowOf, rowsOf, type TestTarget, testKind, testTarget } from '@svc/db/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startService } from '../src/main.ts';
import { migrationFiles, migrations, version } from '../src/migrations.ts';
import { replacedBy, unreleasedMigrations } from '../src/operator/unreleased-migrations.ts';
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

describe('a database that an unreleased build has made', () => {
  const foreign =
    'The database has server/0025_portal_idle of a build that was never released: run "svc-admin migrate adopt" to keep its data, or start with an empty database.';
  const rowsOfServer = async () => {
    const db = await openDatabase(database.target);
    const rows = await rowsOf<{ name: string; checksum: string; oldest: string | null }>(
      db,
      sql`
      select name, checksum, oldest_service as oldest from svc_migration
      where source = 'server' order by number`,
    );
    await db.close();
    return rows;
  };

  /** The squashed files make the same schema as the old ones, so only the list of files differs. */
  beforeEach(async () => {
    await useDatabase();
    // These tables come from migrations that are newer than the unreleased builds.
    await query(
      sql`drop table tenant_document, text_consent, text_message, text_inbound, lending_rule`,
    );
    await query(sql`drop function lending_rule_refuse_change`);
    await query(sql`alter table review
      drop column taken_by, drop column taken_at, drop column details_sealed`);
    await query(sql`alter table decision drop column details_sealed`);
    await query(sql`alter table application
      drop column military_covered, drop column ssn_sealed`);
    await query(sql`alter table tenant drop column paydays_sealed`);
    await query(sql`drop table application_flag, risk_mark, risk_key, electronic_records`);
    await query(sql`alter table tenant drop column search_hashes`);
    await query(sql`drop table approval, unapproved_amount, queue_item_note, tenant_unmasking`);
    await query(sql`drop table saved_view, hosted_link, certification_case, certification`);
    await query(sql`alter table partner drop column app_schemes`);
    await query(sql`alter table portal_session drop column view, drop column external_id`);
    await query(sql`alter table api_key
      drop column link_sha256, drop column link_expires_at, drop column link_opened_at,
      drop column scopes`);
    await query(sql`alter table experience_session
      drop column operator_session_id, drop column portal_session_id`);
    await query(sql`drop table operator_visit, operator_account, operator_attempt,
      operator_challenge, operator_recovery_code, operator_password, operator_passkey,
      operator_session, operator_invite, operator`);
    await query(sql`drop index payment_method_last4, mail_tenant,
      audit_entry_subject, audit_entry_tenant, processor_call_unknown,
      installment_failed, mail_undelivered, book_item_day`);
    await query(sql`alter table plan drop column past_due_since`);
    await query(sql`drop table recorded_call, tenant_fork, ledger_day_total, ledger_counted`);
    await query(sql`alter table tenant drop column simulated_terms_version`);
    const old = Array.from(unreleasedMigrations, ([name, checksum]) => ({
      number: Number(name.slice(0, 4)),
      name,
      checksum,
    }));
    await query(sql`delete from svc_migration where source = 'server' and number >= 25`);
    await query(sql`
      insert into svc_migration (source, number, name, checksum, oldest_service)
      select 'server', o.number, o.name, o.checksum, '0.2.0'
      from json_to_recordset(${JSON.stringify(old)}::json) as o(number integer, name text, checksum text)`);
  });

  test('the service, plan, apply and status recognize the database and change nothing', async () => {
    const before = await rowsOfServer();
    expect(await refusal()).toBe(foreign);
    expect(await refusal({ SVC_MIGRATE_ON_START: '1' })).toBe(foreign);
    expect(await command('plan')).toEqual({ code: 1, output: foreign });
    expect(await command('apply')).toEqual({ code: 1, output: foreign });
    expect(await command('status')).toEqual({ code: 1, output: expect.stringContaining(foreign) });
    expect(await rowsOfServer()).toEqual(before);
  });

  test('migrate adopt replaces its migration rows with those of this version, once', async () => {
    expect(await command('adopt')).toEqual({
      code: 0,
      output: expect.stringMatching(/^Adopted the d.*: 47 migrations of this version replace /),
    });
    const adopted = (migrationFiles.get('server') ?? []).slice(0, replacedBy.last);
    expect(await rowsOfServer()).toEqual(
      adopted.map(({ name, checksum, oldestService: oldest = null }) => ({
        name,
        checksum,
        oldest,
      })),
    );
    expect((await command('apply')).code).toBe(0);
    expect((await command('status')).code).toBe(0);
    expect(await refusal()).toBeUndefined();
    expect(await command('adopt')).toEqual({
      code: 0,
      output: expect.stringMatching(/^Nothing to adopt: no unreleased build has changed the d/),
    });
    const db = await openDatabase(database.target);
    const entries = await rowsOf<{ migrations: string[] }>(
      db,
      sql`
      select details -> 'migrations' as migrations from audit_entry
      where partner_id = 'operator' and action = 'schema.migrated' order by id`,
    );
    await db.close();
    expect(entries[0]).toEqual({
      migrations: adopted.slice(replacedBy.first - 1).map(({ name }) => `server/${name}`),
    });
  });

  test('a sealed database stays closed to services before 0.3.0', async () => {
    await query(sql`
      update svc_migration set oldest_service = '0.3.0' where name like '%clear_names'`);
    expect((await command('adopt')).code).toBe(0);
    expect((await command('apply')).code).toBe(0);
    expect(JSON.parse((await command('status', '--json')).output)).toMatchObject({
      problem: null,
      oldest_service: '0.3.0',
    });
  });

  test.each([
    [
      'lacks a file of the last build',
      sql`delete from svc_migration where name = '0104_account_kinds_valid'`,
      /^Nothing was changed: the d.* lacks server\/0104_account_kinds_valid of the last unreleased build\. Run "svc-admin migrate apply" of commit \w+, then this command again, or start with an empty database\.$/,
    ],
    [
      'has a file with other content',
      sql`update svc_migration set checksum = 'x' where name = '0026_audit_seals'`,
      /^Nothing was changed: the d.* has server\/0026_audit_seals, which is not that of the last unreleased build, so its schema is unknown\. Start with an empty database\.$/,
    ],
    [
      'has a file of an older build',
      sql`update svc_migration set name = '0105_books' where name = '0105_audit_via_valid'`,
      /has server\/0105_books, which is not that of the last unreleased build/,
    ],
    [
      'has a released file with other content',
      sql`update svc_migration set checksum = 'x' where name = '0001_access'`,
      /^server\/0001_access\.sql is not the file that was applied to the database/,
    ],
  ])('is refused and left as it was if it %s', async (_, change, refused) => {
    await query(change);
    const before = await rowsOfServer();
    expect(await command('adopt')).toEqual({ code: 1, output: expect.stringMatching(refused) });
    expect(await rowsOfServer()).toEqual(before);
  });

  test.runIf(onServer)(
    'migrate adopt is refused while another process applies migrations',
    async () => {
      const db = await openDatabase(database.target);
      const { code, output } = await db.session(async (session) => {
        // The key of packages/db/src/migrate.ts, as another process holds it.
        await session.run(sql`select pg_advisory_lock(7328465001)`);
        return command('adopt');
      });
      await db.close();
      expect([code, output]).toEqual([1, expect.stringMatching(/^Another process is applying/)]);
    },
  );

  test('no file has the number and name of an unreleased one, so each build is recognized', () => {
    const names = migrations.flatMap(({ name }) => migrationFiles.get(name) ?? []);
    expect(names.filter(({ name }) => unreleasedMigrations.has(name))).toEqual([]);
  });
});

test.runIf(onServer)('the second of two concurrent "migrate apply" is refused', async () => {
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
