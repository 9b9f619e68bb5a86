import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  DatabaseTooNew,
  MigrationChanged,
  migrate,
  migrationsAtHead,
  openDatabase,
  probeWrite,
  raw,
  sql,
} from './index.ts';
import { openTestDatabase, runFolder, type TestDatabase, testKind } from './testing.ts';

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
  await db.run(raw('drop table if exists a, b, half, svc_migration'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const sources = () => [{ name: 'server', folder }];
const rows = () => db.many(sql`select n from a order by n`);

test('applies each file once, in order, and what is new later', async () => {
  expect(await migrationsAtHead(db, sources())).toBe(false);
  expect(await migrate(db, sources())).toEqual(['server/0001_first']);
  expect(await migrationsAtHead(db, sources())).toBe(true);
  expect(await migrate(db, sources())).toEqual([]);
  await write('0002_second.sql', 'insert into a values (2);');
  await write('0003_third.sql', 'update a set n = n * 10;');
  expect(await migrationsAtHead(db, sources())).toBe(false);
  expect(await migrate(db, sources())).toEqual(['server/0002_second', 'server/0003_third']);
  expect(await rows()).toEqual([{ n: 10 }, { n: 20 }]);
});

test('a write probe fails before the first migration and leaves the migrations as they are', async () => {
  await expect(probeWrite(db)).rejects.toThrow('svc_migration');
  await migrate(db, sources());
  await probeWrite(db);
  expect(await migrationsAtHead(db, sources())).toBe(true);
});

test.skipIf(testKind() === 'pglite')('a write probe fails where writes do', async () => {
  await migrate(db, sources());
  const refusing = db.transaction(async (tx) => {
    await tx.run(raw('set transaction read only'));
    await probeWrite(tx);
  });
  await expect(refusing).rejects.toThrow('read-only transaction');
});

test('sources keep numbers of their own', async () => {
  const other = join(folder, 'other');
  await mkdir(other);
  await writeFile(join(other, '0001_else.sql'), 'create table b (n int);');
  const both = [...sources(), { name: 'webhooks', folder: other }];
  expect(await migrate(db, both)).toEqual(['server/0001_first', 'webhooks/0001_else']);
  expect(await migrationsAtHead(db, both)).toBe(true);
});

test('a file that fails leaves nothing behind, and those before it stay', async () => {
  await write('0002_bad.sql', 'insert into a values (2); create table half (n int); select 1/0;');
  await expect(migrate(db, sources())).rejects.toThrow('division by zero');
  expect(await rows()).toEqual([{ n: 1 }]);
  expect(await db.one(sql`select to_regclass('half') as half`)).toEqual({ half: null });
  expect(await migrationsAtHead(db, sources())).toBe(false);
});

test('a changed file is refused; other line ends are no change', async () => {
  await write('0002_lines.sql', '-- one\n-- two\nselect 1;\n');
  await migrate(db, sources());
  await write('0002_lines.sql', '-- one\r\n-- two\r\nselect 1;\r\n');
  expect(await migrationsAtHead(db, sources())).toBe(true);
  await write('0001_first.sql', 'create table a (n bigint);');
  await expect(migrate(db, sources())).rejects.toThrow(MigrationChanged);
  await expect(migrate(db, sources())).rejects.toThrow('restore the file and add a new one');
  expect(await migrationsAtHead(db, sources())).toBe(false);
});

test('a database newer than the code is refused', async () => {
  const older = join(await runFolder(), 'older');
  await cp(folder, older, { recursive: true });
  await write('0002_second.sql', 'insert into a values (2);');
  await migrate(db, sources());
  const old = [{ name: 'server', folder: older }];
  await expect(migrate(db, old)).rejects.toThrow(DatabaseTooNew);
  await expect(migrate(db, old)).rejects.toThrow('server/0002_second');
  expect(await migrationsAtHead(db, old)).toBe(false);
  await rm(older, { recursive: true });
});

test('a gap or a strange name is refused before anything runs', async () => {
  await write('0003_gap.sql', 'select 1;');
  await expect(migrate(db, sources())).rejects.toThrow('0003_gap.sql should be named 0002_');
  await rm(join(folder, '0003_gap.sql'));
  await write('2_Odd.sql', 'select 1;');
  await expect(migrate(db, sources())).rejects.toThrow('should be named 0002_');
  expect(await db.one(sql`select to_regclass('a') as a`)).toEqual({ a: null });
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
