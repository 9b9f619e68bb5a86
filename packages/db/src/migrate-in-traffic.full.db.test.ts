import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Database,
  MigrationFailed,
  migrate,
  openDatabase,
  raw,
  sql,
  type Tx,
} from './index.ts';
import {
  oneRowOf,
  openTestDatabase,
  rowsOf,
  runFolder,
  type TestDatabase,
  testKind,
} from './testing.ts';

// A statement of `db` fails when it waits for a lock for more than two seconds.
describe.skipIf(testKind() === 'pglite')('beside traffic', () => {
  let folder: string;
  let opened: TestDatabase;
  let db: Database;
  let migrator: Database;
  beforeAll(async () => {
    opened = await openTestDatabase();
    db = await openDatabase(opened.target, { limits: { idleInTransaction: 0, statement: 0 } });
    migrator = await openDatabase(opened.target);
  });
  afterAll(async () => {
    await db.close();
    await migrator.close();
    await opened.close();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(await runFolder(), 'migrations-'));
    await db.run(raw('drop table if exists tenant, partner, svc_migration, svc_backfill'));
    await write(
      '0001_first.sql',
      `create table partner (id int primary key);
       create table tenant (id int primary key, partner_id int, name text);
       insert into tenant select n, n, 'name' from generate_series(1, 50) as n;
       insert into partner select n from generate_series(1, 50) as n;`,
    );
    await migrate(db, sources());
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const sources = () => [{ name: 'server', folder }];

  /** Keeps a transaction open that has done `work`, until `release` is called. */
  async function holdOpen(work: (tx: Tx) => Promise<unknown>) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let opened: Promise<unknown> = Promise.resolve();
    const ended = await new Promise<{ ended: Promise<void> }>((resolve, reject) => {
      const transaction = db.transaction(async (tx) => {
        opened = work(tx);
        await opened;
        resolve({ ended: transaction });
        await released;
      });
      transaction.catch(reject);
    });
    return {
      async release() {
        release();
        await ended.ended;
      },
    };
  }

  /** Reads and writes the table until `until` has ended; returns how often. Fails on a long wait. */
  async function useTable(until: Promise<unknown>): Promise<number> {
    let running = true;
    const ended = until.finally(() => {
      running = false;
    });
    let calls = 0;
    while (running) {
      await oneRowOf(db, sql`select name from tenant where id = ${1}`);
      await db.run(sql`update tenant set name = 'other' where id = ${2}`);
      calls += 1;
    }
    await ended;
    return calls;
  }

  const readAll = (tx: Tx) => rowsOf(tx, sql`select name from tenant`);

  test('a step that needs the table alone gives way to others while a reader has it', async () => {
    await write(
      '0002_add.sql',
      '-- oldest-service: 0.1.0\nalter table tenant add column phone text;',
    );
    const reader = await holdOpen(readAll);
    const lines: string[] = [];
    const migrating = migrate(migrator, sources(), {
      report(line) {
        lines.push(line);
        if (line.includes('try 3')) void reader.release();
      },
    });
    expect(await useTable(migrating)).toBeGreaterThan(3);
    expect(await migrating).toEqual(['server/0002_add']);
    expect(lines[0]).toMatch(
      /^server\/0002_add waits for a lock, try 1\. The oldest open transaction is that of PostgreSQL process \d+ \(svc\), \d+ s old\.$/,
    );
  });

  test('a step that does not get its lock in the given time names its holder and changes nothing', async () => {
    await write(
      '0002_add.sql',
      '-- oldest-service: 0.1.0\nalter table tenant add column phone text;',
    );
    const reader = await holdOpen(readAll);
    const error = await migrate(migrator, sources(), { patienceMs: 1 }).catch((e: unknown) => e);
    await reader.release();
    expect(error).toBeInstanceOf(MigrationFailed);
    expect((error as Error).message).toMatch(
      /^server\/0002_add was rolled back, because it did not get its locks in 0 s\. The oldest open transaction is that of PostgreSQL process \d+ .* End that transaction or wait for its end, then apply the migrations again\.$/,
    );
    expect(await migrate(migrator, sources())).toEqual(['server/0002_add']);
  });

  test('a statement that keeps its locks for too long is rolled back', async () => {
    await write(
      '0002_slow.sql',
      '-- oldest-service: 0.1.0\nalter table tenant add column phone text;\nselect pg_sleep(60);',
    );
    await expect(migrate(migrator, sources())).rejects.toThrow(
      'server/0002_slow was rolled back, because a statement of it ran for more than 2 s',
    );
  });

  test('an index is built concurrently: it waits for a reader, and no statement waits for it', async () => {
    await write(
      '0002_index.sql',
      '-- oldest-service: 0.1.0\n-- no-transaction\ncreate index concurrently tenant_name on tenant (name);',
    );
    const reader = await holdOpen((tx) => tx.run(sql`update tenant set name = 'x' where id = 9`));
    const migrating = migrate(migrator, sources());
    const using = useTable(migrating);
    await vi.waitUntil(
      async () => (await db.run(sql`select from pg_stat_progress_create_index`)) > 0,
      20_000,
    );
    await reader.release();
    expect(await using).toBeGreaterThan(0);
    expect(
      await oneRowOf(
        db,
        sql`select indisvalid as valid from pg_index where indexrelid = 'tenant_name'::regclass`,
      ),
    ).toEqual({ valid: true });
  });

  test('a foreign key is added without a check of old rows and validated later', async () => {
    await write(
      '0002_key.sql',
      `-- oldest-service: 0.1.0
       alter table tenant add constraint tenant_partner foreign key (partner_id) references partner not valid;`,
    );
    await write(
      '0003_validate.sql',
      '-- oldest-service: 0.1.0\n-- no-transaction\nalter table tenant validate constraint tenant_partner;',
    );
    const reader = await holdOpen(readAll);
    expect(await migrate(migrator, sources())).toEqual(['server/0002_key', 'server/0003_validate']);
    await reader.release();
    expect(
      await oneRowOf(
        db,
        sql`select convalidated from pg_constraint where conname = 'tenant_partner'`,
      ),
    ).toEqual({ convalidated: true });
  });

  test('a backfill waits for a locked row without blocking others, then goes through', async () => {
    await write(
      '0002_fill.sql',
      "-- oldest-service: 0.1.0\n-- backfill: tenant by id, 20 rows\nupdate tenant set name = 'filled' where id between $1 and $2;",
    );
    const owner = await holdOpen((tx) => tx.run(sql`update tenant set name = 'x' where id = 25`));
    const migrating = migrate(migrator, sources(), {
      report(line) {
        if (line.includes('try 2')) void owner.release();
      },
    });
    expect(await useTable(migrating)).toBeGreaterThan(0);
    expect(await migrating).toEqual(['server/0002_fill']);
    expect(await oneRowOf(db, sql`select count(*) as n from tenant where name = 'x'`)).toEqual({
      n: 0,
    });
  });

  test('a second run at the same time is refused, or waits if it may', async () => {
    await write(
      '0002_add.sql',
      '-- oldest-service: 0.1.0\nalter table tenant add column phone text;',
    );
    const reader = await holdOpen(readAll);
    let waiting = () => {};
    const begun = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const first = migrate(migrator, sources(), { report: () => waiting() });
    await begun;
    await expect(migrate(db, sources(), { wait: false })).rejects.toThrow(
      /^Another process is applying migrations to this database \(PostgreSQL process \d+\): let it finish, then look at "svc-admin migrate status"\.$/,
    );
    const second = migrate(db, sources(), { report: () => void reader.release() });
    expect(await first).toEqual(['server/0002_add']);
    expect(await second).toEqual([]);
  });
});
