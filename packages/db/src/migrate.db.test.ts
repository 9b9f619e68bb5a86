import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  DatabaseTooNew,
  loadMigrations,
  type MigrateOptions,
  MigrationChanged,
  MigrationFailed,
  migrate,
  openDatabase,
  probeWrite,
  raw,
  readBackfills,
  readSchemaState,
  sql,
} from './index.ts';
import {
  oneRowOf,
  openTestDatabase,
  rowsOf,
  runFolder,
  type TestDatabase,
  testKind,
} from './testing.ts';

let folder: string;
let opened: TestDatabase;
let db: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  db = opened.db;
});
afterAll(() => opened.close());
beforeEach(async () => {
  folder = await mkdtemp(join(await runFolder(), 'migrations-'));
  await write('0001_first.sql', 'create table a (n int); insert into a values (1);');
  await db.run(raw('drop table if exists a, b, half, svc_migration, svc_backfill'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const sources = () => [{ name: 'server', folder }];
const atHead = async (of = sources()) =>
  (await readSchemaState(db, await loadMigrations(of))).mismatch === undefined;
const rows = () => rowsOf(db, sql`select n from a order by n`);

test('applies each file once, in order, and what is new later', async () => {
  expect(await atHead()).toBe(false);
  expect(await migrate(db, sources())).toEqual(['server/0001_first']);
  expect(await atHead()).toBe(true);
  expect(await migrate(db, sources())).toEqual([]);
  await write('0002_second.sql', 'insert into a values (2);');
  await write('0003_third.sql', 'update a set n = n * 10;');
  expect(await atHead()).toBe(false);
  expect(await migrate(db, sources())).toEqual(['server/0002_second', 'server/0003_third']);
  expect(await rows()).toEqual([{ n: 10 }, { n: 20 }]);
});

test('a write probe fails before the first migration and leaves the migrations as they are', async () => {
  await expect(probeWrite(db)).rejects.toThrow('svc_migration');
  await migrate(db, sources());
  await probeWrite(db);
  expect(await atHead()).toBe(true);
});

test.skipIf(testKind() === 'pglite')('a write probe fails where writes do', async () => {
  await migrate(db, sources());
  const refusing = db.transaction(async (tx) => {
    await tx.run(raw('set transaction read only'));
    await probeWrite(tx);
  });
  await expect(refusing).rejects.toThrow('read-only transaction');
});

test('each source has its own numbers', async () => {
  const other = join(folder, 'other');
  await mkdir(other);
  await writeFile(join(other, '0001_else.sql'), 'create table b (n int);');
  const both = [...sources(), { name: 'webhooks', folder: other }];
  expect(await migrate(db, both)).toEqual(['server/0001_first', 'webhooks/0001_else']);
  expect(await atHead(both)).toBe(true);
});

test('a file that fails leaves nothing behind, and those before it stay', async () => {
  await write('0002_bad.sql', 'insert into a values (2); create table half (n int); select 1/0;');
  await expect(migrate(db, sources())).rejects.toThrow('division by zero');
  expect(await rows()).toEqual([{ n: 1 }]);
  expect(await oneRowOf(db, sql`select to_regclass('half') as half`)).toEqual({ half: null });
  expect(await atHead()).toBe(false);
});

test('a changed file is refused; other line ends are no change', async () => {
  await write('0002_lines.sql', '-- one\n-- two\nselect 1;\n');
  await migrate(db, sources());
  await write('0002_lines.sql', '-- one\r\n-- two\r\nselect 1;\r\n');
  expect(await atHead()).toBe(true);
  await write('0001_first.sql', 'create table a (n bigint);');
  await expect(migrate(db, sources())).rejects.toThrow(MigrationChanged);
  await expect(migrate(db, sources())).rejects.toThrow(
    'server/0001_first.sql is not the file that was applied to the database: restore the file, and put the change into a new one.',
  );
  expect(await atHead()).toBe(false);
});

test('a database newer than the code is refused', async () => {
  const older = join(await runFolder(), 'older');
  await cp(folder, older, { recursive: true });
  await write('0002_second.sql', 'insert into a values (2);');
  await migrate(db, sources());
  const old = [{ name: 'server', folder: older }];
  await expect(migrate(db, old)).rejects.toThrow(DatabaseTooNew);
  await expect(migrate(db, old)).rejects.toThrow('server/0002_second');
  expect(await atHead(old)).toBe(false);
  await rm(older, { recursive: true });
});

test('a gap or a strange name is refused before anything runs', async () => {
  await write('0003_gap.sql', 'select 1;');
  await expect(migrate(db, sources())).rejects.toThrow('0003_gap.sql should be named 0002_');
  await rm(join(folder, '0003_gap.sql'));
  await write('2_Odd.sql', 'select 1;');
  await expect(migrate(db, sources())).rejects.toThrow('should be named 0002_');
  expect(await oneRowOf(db, sql`select to_regclass('a') as a`)).toEqual({ a: null });
});

test.skipIf(testKind() === 'pglite')('several processes at once apply each file once', async () => {
  for (let number = 2; number <= 6; number += 1) {
    await write(`000${number}_more.sql`, `insert into a values (${number});`);
  }
  const others = await Promise.all([1, 2, 3, 4].map(() => openDatabase(opened.target)));
  const done = await Promise.all(others.map((other) => migrate(other, sources())));
  await Promise.all(others.map((other) => other.close()));
  expect(done.flat().sort()).toHaveLength(6);
  expect(await rows()).toHaveLength(6);
});

test('an older version runs, and may restart, unless a migration demands a later one', async () => {
  const older = [{ name: 'server', folder: await copyOf(folder, 'before') }];
  await write(
    '0002_add.sql',
    '-- Why.\n-- oldest-service: 0.9.0\n\nalter table a add column m int;',
  );
  await migrate(db, sources(), { version: '0.10.0' });
  const runs = async (version: string) => {
    const state = await readSchemaState(db, await loadMigrations(older), version);
    const restart = await migrate(db, older, { version }).catch((error: Error) => error.message);
    return state.mismatch?.message ?? restart;
  };
  expect([await runs('0.9.0'), await runs('0.10.0'), await runs('1.0.0')]).toEqual([[], [], []]);
  expect(await runs('0.8.12')).toBe(
    'The database has server/0002_add, which needs version 0.9.0 or later, and this is 0.8.12: start version 0.9.0 or later.',
  );
  expect((await readSchemaState(db, await loadMigrations(older), '0.9.0')).oldestService).toBe(
    '0.9.0',
  );

  await write('0003_silent.sql', 'alter table a add column k int;');
  await migrate(db, sources(), { version: '0.10.0' });
  expect(await runs('0.9.0')).toBe(
    'The database has server/0003_silent, which this version does not know: start a newer version.',
  );
});

test('a process that has read its files is not disturbed by new ones below it', async () => {
  await migrate(db, sources());
  const files = await loadMigrations(sources());
  await write('0002_add.sql', '-- oldest-service: 0.2.0\nalter table a add column m int;');
  const mismatch = async () => (await readSchemaState(db, files, '0.2.0')).mismatch;
  expect(await mismatch()).toBeUndefined();
  await migrate(db, sources(), { version: '0.3.0' });
  expect(await mismatch()).toBeUndefined();
});

test('a table of version 0.1 gets the new column, and version 0.1 can still write to it', async () => {
  await db.run(
    raw(`
    create table svc_migration (source text not null, number int not null, name text not null,
      checksum text not null, primary key (source, number))`),
  );
  expect(await atHead()).toBe(false);
  await migrate(db, sources());
  await db.run(sql`
    insert into svc_migration (source, number, name, checksum) values ('older', 1, '0001_x', 'y')`);
  expect(await atHead()).toBe(true);
  expect(
    await rowsOf(db, sql`select source, oldest_service from svc_migration order by source`),
  ).toEqual([
    { source: 'older', oldest_service: null },
    { source: 'server', oldest_service: null },
  ]);
});

test.each([
  ['-- oldest-service: 4', 'write "-- oldest-service: 1.2.3"'],
  ['-- oldest-service: 0.2.0\n-- contract:', 'give the reason after "-- contract:"'],
  ['-- backfill: a', 'write "-- backfill: <table> by <column>"'],
])('the header %j is refused before anything runs', async (header, sentence) => {
  await write('0002_header.sql', `${header}\nselect 1;`);
  await expect(migrate(db, sources())).rejects.toThrow(`server/0002_header.sql: ${sentence}`);
  expect(await oneRowOf(db, sql`select to_regclass('a') as a`)).toEqual({ a: null });
});

const INDEX =
  '-- oldest-service: 0.2.0\n-- no-transaction\ncreate unique index concurrently a_n on a (n);\n';
const indexes = () =>
  rowsOf(db, sql`select indisvalid as valid from pg_index where indrelid = 'a'::regclass`);

test('a statement outside a transaction is recorded, also when a crash hid that it was done', async () => {
  await write('0002_index.sql', INDEX);
  await migrate(db, sources());
  await db.run(sql`delete from svc_migration where number = 2`);
  expect(await migrate(db, sources())).toEqual(['server/0002_index']);
  expect(await indexes()).toEqual([{ valid: true }]);
});

test('an index that cannot be built is removed, and the error says what to do', async () => {
  await migrate(db, sources());
  await db.run(sql`insert into a values (1)`);
  await write('0002_index.sql', INDEX);
  const error = await migrate(db, sources()).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(MigrationFailed);
  expect((error as Error).message).toBe(
    'server/0002_index failed and left nothing behind: could not create unique index "a_n". Remove the cause, then apply the migrations again.',
  );
  expect(await indexes()).toEqual([]);
  await db.run(sql`delete from a`);
  expect(await migrate(db, sources())).toEqual(['server/0002_index']);
  expect(await indexes()).toEqual([{ valid: true }]);
});

test('an invalid index that a killed run left behind is built again', async () => {
  await migrate(db, sources());
  await db.run(raw('create index a_n on a (n)'));
  await db.run(raw(`update pg_index set indisvalid = false where indexrelid = 'a_n'::regclass`));
  await write('0002_index.sql', INDEX);
  const lines: string[] = [];
  await migrate(db, sources(), { report: (line) => lines.push(line) });
  expect(lines[0]).toBe('removing the unfinished index a_n');
  expect(await indexes()).toEqual([{ valid: true }]);
});

const BACKFILL = `
-- oldest-service: 0.2.0
-- backfill: a by id, 10 rows
update a set visits = visits + 1, m = 100 / (n - 25) where id between $1 and $2;
`;

/** 28 rows; the one with n = 25 cannot be updated, so the first run stops in its third batch. */
async function prepareBackfill(): Promise<void> {
  await write(
    '0001_first.sql',
    `create table a (id text primary key, n int, m int, visits int not null default 0);
     insert into a select 'a-' || lpad(n::text, 3, '0'), n from generate_series(1, 28) as n;`,
  );
  await migrate(db, sources());
  await write('0002_fill.sql', BACKFILL);
}

test('a backfill that fails keeps its batches, and the next run continues after them', async () => {
  await prepareBackfill();
  await expect(migrate(db, sources())).rejects.toThrow(
    'server/0002_fill stopped, and the batches before stay: division by zero. Remove the cause',
  );
  expect(await readBackfills(db)).toMatchObject([
    { migration: 'server/0002_fill', last_key: 'a-020', rows_done: 20 },
  ]);
  expect(await atHead()).toBe(false);
  await db.run(sql`update a set n = 26 where n = 25`);
  expect(await migrate(db, sources())).toEqual(['server/0002_fill']);
  expect(await readBackfills(db)).toEqual([]);
  expect(await rowsOf(db, sql`select visits, count(*) from a group by visits`)).toEqual([
    { visits: 1, count: 28 },
  ]);
});

test('a backfill stops between two batches when it is asked to', async () => {
  await prepareBackfill();
  await db.run(sql`update a set n = 26 where n = 25`);
  const stop = new AbortController();
  const options: MigrateOptions = { signal: stop.signal, report: () => stop.abort() };
  await expect(migrate(db, sources(), options)).rejects.toThrow(
    'Stopped before the end of server/0002_fill: apply the migrations again to continue there.',
  );
  expect(await readBackfills(db)).toMatchObject([{ last_key: 'a-010', rows_done: 10 }]);
  expect(await migrate(db, sources())).toEqual(['server/0002_fill']);
});

/** Copies the folder's migrations into a new subfolder, which is removed with the folder. Returns its path. */
async function copyOf(from: string, name: string): Promise<string> {
  const to = join(from, name);
  await mkdir(to);
  for (const file of await readdir(from)) {
    if (file.endsWith('.sql')) await cp(join(from, file), join(to, file));
  }
  return to;
}
