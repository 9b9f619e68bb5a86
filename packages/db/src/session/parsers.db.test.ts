import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, sql, UnsafeInteger } from '../index.ts';
import { oneRowOf } from '../testing/read-rows.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';

const ours = process.env.TZ;
let opened: TestDatabase;
let db: Database;
beforeAll(async () => {
  process.env.TZ = 'Asia/Tokyo';
  opened = await openTestDatabase();
  db = opened.db;
});
afterAll(async () => {
  if (ours === undefined) delete process.env.TZ;
  else process.env.TZ = ours;
  await opened.close();
});

test('this test runs in the time zone of Tokyo', () => {
  expect(new Date('2026-03-08T00:00:00Z').getHours()).toBe(9);
});

test('a date is text, an instant a Date, whatever the time zone', async () => {
  const row = await oneRowOf(
    db,
    sql`
    select date '2026-03-08' as day,
      timestamptz '2026-03-08T15:30:00.123Z' as instant,
      timestamp '2026-03-08 15:30:00' as unzoned,
      timestamptz '2026-03-08T15:30:00Z'::date as utc_day`,
  );
  expect(row).toEqual({
    day: '2026-03-08',
    instant: new Date('2026-03-08T15:30:00.123Z'),
    unzoned: '2026-03-08 15:30:00',
    utc_day: '2026-03-08',
  });
});

test('a Date parameter returns as the same instant', async () => {
  const instant = new Date('2026-12-31T23:59:59.999Z');
  const row = await oneRowOf<{ back: Date; day: string }>(
    db,
    sql`select ${instant}::timestamptz as back, ${'2026-02-28'}::date as day`,
  );
  expect(row).toEqual({ back: instant, day: '2026-02-28' });
});

test('int8 and count are numbers', async () => {
  const row = await oneRowOf(
    db,
    sql`
    select 9007199254740991::int8 as most, -5::int8 as below, count(*) as rows from (values (1), (2)) as v`,
  );
  expect(row).toEqual({ most: Number.MAX_SAFE_INTEGER, below: -5, rows: 2 });
});

test('an int8 that a number cannot represent throws, and the connection can be used again', async () => {
  await expect(oneRowOf(db, sql`select 9007199254740993::int8 as n`)).rejects.toThrow(
    UnsafeInteger,
  );
  expect(await oneRowOf(db, sql`select 1 as n`)).toEqual({ n: 1 });
});

test('arrays follow the type of their elements', async () => {
  const row = await oneRowOf(
    db,
    sql`
    select array[1, null, 3]::int8[] as numbers, array['2026-01-31', null]::date[] as days,
      array[timestamptz '2026-01-01T00:00:00Z'] as instants, array['a', null]::text[] as words`,
  );
  expect(row).toEqual({
    numbers: [1, null, 3],
    days: ['2026-01-31', null],
    instants: [new Date('2026-01-01T00:00:00Z')],
    words: ['a', null],
  });
});

test('bytea is a Buffer, json and jsonb are parsed, numeric stays text', async () => {
  const bytes = Buffer.from([0, 255, 10]);
  const row = await oneRowOf(
    db,
    sql`
    select ${bytes}::bytea as bytes, '{"a":[1]}'::jsonb as jsonb, '[true]'::json as json,
      12.30::numeric as exact`,
  );
  expect(row).toEqual({ bytes, jsonb: { a: [1] }, json: [true], exact: '12.30' });
});
