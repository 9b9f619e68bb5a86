import { AssertionError } from 'node:assert';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  isUniqueViolation,
  NestedDatabaseUse,
  raw,
  sql,
  sqlState,
} from '../index.ts';
import { maybeRowOf, oneRowOf, rowsOf } from '../testing/read-rows.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';

let opened: TestDatabase;
let db: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  db = opened.db;
  await db.run(raw('create table coin (id int constraint coin_once primary key, face text)'));
});
beforeEach(() => db.run(sql`truncate coin`));
afterAll(() => opened.close());

test('many, one, maybe and run return what they document', async () => {
  expect(await db.run(sql`insert into coin values (1, 'a'), (2, 'b')`)).toBe(2);
  expect(await rowsOf(db, sql`select id from coin order by id`)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await oneRowOf(db, sql`select face from coin where id = ${2}`)).toEqual({ face: 'b' });
  expect(await maybeRowOf(db, sql`select face from coin where id = ${3}`)).toBeUndefined();
  await expect(oneRowOf(db, sql`select 1 from coin where id = ${3}`)).rejects.toThrow(
    AssertionError,
  );
  await expect(oneRowOf(db, sql`select 1 from coin`)).rejects.toThrow(AssertionError);
  await expect(maybeRowOf(db, sql`select 1 from coin`)).rejects.toThrow('at most one row, got 2');
});

test('a nested statement is inlined and its values renumbered', async () => {
  await db.run(sql`insert into coin values (1, 'a'), (2, 'b'), (3, 'a')`);
  const face = sql`face = ${'a'}`;
  expect(
    await rowsOf(db, sql`select id from coin where id > ${1} and ${face} and id < ${9}`),
  ).toEqual([{ id: 3 }]);
});

test('after a unique violation a hundred statements still work', async () => {
  await db.run(sql`insert into coin values (1, 'a')`);
  for (let turn = 0; turn < 2; turn += 1) {
    const error = await db.run(sql`insert into coin values (1, 'b')`).catch((e: unknown) => e);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'coin_once')).toBe(true);
    expect(isUniqueViolation(error, 'coin_pkey')).toBe(false);
    expect(sqlState(error)).toBe('23505');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        oneRowOf<{ n: number }>(db, sql`select ${index}::int as n`),
      ),
    );
    expect(answers.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  }
});

test('concurrent statements never swap their results, also with long parameters', async () => {
  const long = 'x'.repeat(100_000);
  const ask = async (index: number) => {
    const row = await oneRowOf<{ n: number; size: number }>(
      db,
      sql`select ${index}::int as n, length(${long.slice(index)}::text) as size`,
    );
    expect(row).toEqual({ n: index, size: long.length - index });
  };
  await Promise.all(Array.from({ length: 200 }, (_, index) => ask(index)));
});

test('`db` inside a transaction is refused immediately', async () => {
  await expect(db.transaction(() => oneRowOf(db, sql`select 1`))).rejects.toThrow(
    NestedDatabaseUse,
  );
  await expect(db.transaction(() => db.transaction(async () => 1))).rejects.toThrow('use the `tx`');
  await expect(
    db.transaction(async (tx) => {
      await tx.run(sql`insert into coin values (1, 'a')`);
      await Promise.all([1, 2].map(async () => db.run(sql`truncate coin`)));
    }),
  ).rejects.toThrow(NestedDatabaseUse);
  expect(await rowsOf(db, sql`select * from coin`)).toEqual([]);
});

test('work started inside a transaction may use `db` after it has ended', async () => {
  let later: Promise<unknown> = Promise.resolve();
  let go = () => {};
  await db.transaction(async () => {
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    later = gate.then(() => oneRowOf(db, sql`select 7 as n`));
  });
  go();
  expect(await later).toEqual({ n: 7 });
});
