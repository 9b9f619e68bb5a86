import { raw, sql } from '@svc/db';
import { oneRowOf, openTestDatabase, testKind } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyzeGrown, vacuumWorst } from './vacuum.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

test.skipIf(testKind() !== 'pglite')(
  'the table that changed most gets new statistics',
  async () => {
    const { db } = opened;
    await db.run(raw('create table "Odd Name" (id int); create table calm (id int)'));
    await db.run(sql`insert into calm select generate_series(1, ${10}::int)`);
    await db.run(sql`insert into "Odd Name" select generate_series(1, ${2000}::int)`);
    // The statistics are written once a second, or at the next statement when asked for.
    await db.run(raw('select pg_stat_force_next_flush()'));
    expect(await vacuumWorst(db)).toBe('"Odd Name"');
    expect(
      await oneRowOf(
        db,
        sql`select reltuples::int as rows from pg_class where relname = 'Odd Name'`,
      ),
    ).toEqual({ rows: 2000 });
    await db.run(raw('select pg_stat_force_next_flush()'));
    expect(await vacuumWorst(db)).toBeUndefined();
  },
);

test('a table is analyzed as soon as it has rows, and again each time they have doubled', async () => {
  const { db } = opened;
  await db.run(raw('create table "Fresh One" (id int)'));
  const grow = async (rows: number) => {
    await db.run(sql`insert into "Fresh One" select generate_series(1, ${rows}::int)`);
    await db.run(raw('select pg_stat_force_next_flush()'));
    return analyzeGrown(db);
  };
  expect(await grow(50)).toContain('"Fresh One"');
  expect(await grow(49)).not.toContain('"Fresh One"');
  expect(await grow(1)).toContain('"Fresh One"');
  expect(await grow(1)).not.toContain('"Fresh One"');
});
