import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, raw, sql } from '../index.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';

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

const stamp = () => db.maybe(sql`select * from stamp where id = ${1}`);
const stampIn = () => db.transaction((tx) => tx.one(sql`select * from stamp where id = ${1}::int`));

test('what is asked again and again is planned once', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    expect(await db.one(sql`select ${turn}::int as turn`)).toEqual({ turn });
  }
  expect(
    await db.many(
      raw('select statement, generic_plans + custom_plans as runs from pg_prepared_statements'),
    ),
  ).toContainEqual({ statement: 'select $1::int as turn', runs: 6 });
});

test('a statement whose columns a migration changed answers the new ones', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    expect([await stamp(), await stampIn()]).toEqual([{ id: 1 }, { id: 1 }]);
  }
  await db.run(raw('alter table stamp add face text'));
  expect(await stamp()).toEqual({ id: 1, face: null });
  for (let turn = 0; turn < 8; turn += 1) await stampIn();
  await db.run(raw('alter table stamp add year int'));
  expect(await stampIn()).toEqual({ id: 1, face: null, year: null });
});

test('what was asked a thousand times is planned anew, and its old plan forgotten', async () => {
  await db.transaction(async (tx) => {
    for (let turn = 0; turn < 1_010; turn += 1) await tx.run(sql`select ${turn}::int8 as again`);
    const plans = await tx.many<{ runs: number }>(
      raw(`
      select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement = 'select $1::int8 as again'`),
    );
    expect(plans).toEqual([{ runs: 8 }]);
  });
});
