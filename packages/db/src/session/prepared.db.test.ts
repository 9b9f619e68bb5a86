import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bigint, type Database, openDatabase, raw, row, sql } from '../index.ts';
import { maybeRowOf, oneRowOf, rowsOf } from '../testing/read-rows.ts';
import { openTestDatabase, type TestDatabase, testTarget } from '../testing.ts';

let opened: TestDatabase;
let db: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  db = opened.db;
});
beforeEach(async () => {
  await db.run(raw('drop table if exists stamp'));
  await db.run(raw('create table stamp (id int)'));
  await db.run(sql`insert into stamp values (1)`);
});
afterAll(() => opened.close());

const stamp = () => maybeRowOf(db, sql`select * from stamp where id = ${1}`);
const stampIn = () =>
  db.transaction((tx) => oneRowOf(tx, sql`select * from stamp where id = ${1}::int`));

test('a repeated statement is planned once', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    expect(await oneRowOf(db, sql`select ${turn}::int as turn`)).toEqual({ turn });
  }
  expect(
    await rowsOf(
      db,
      raw('select statement, generic_plans + custom_plans as runs from pg_prepared_statements'),
    ),
  ).toContainEqual({ statement: 'select $1::int as turn', runs: 6 });
});

test('a statement whose columns a migration changed returns the new ones', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    expect([await stamp(), await stampIn()]).toEqual([{ id: 1 }, { id: 1 }]);
  }
  await db.run(raw('alter table stamp add face text'));
  expect(await stamp()).toEqual({ id: 1, face: null });
  for (let turn = 0; turn < 8; turn += 1) await stampIn();
  await db.run(raw('alter table stamp add year int'));
  expect(await stampIn()).toEqual({ id: 1, face: null, year: null });
});

test('a connection is replaced after its lifetime, and its plans with it', async () => {
  const { target, drop } = await testTarget();
  const short = await openDatabase(target, { pool: 1, lifetimeSeconds: 0.2 });
  const planned = row('planned', { plans: bigint });
  const plans = () =>
    short.one(planned, raw('select count(*) as plans from pg_prepared_statements'));
  try {
    await short.transaction(async (tx) => {
      for (let turn = 0; turn < 3; turn += 1) await tx.run(sql`select ${turn}::int as turn`);
      expect(
        await tx.one(planned, raw('select count(*) as plans from pg_prepared_statements')),
      ).toEqual({ plans: 1 });
    });
    await expect.poll(plans).toEqual({ plans: 0 });
  } finally {
    await short.close();
    await drop();
  }
});
