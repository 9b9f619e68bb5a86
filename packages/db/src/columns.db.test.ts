import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, textColumn, timeColumn } from './index.ts';
import { oneRowOf, rowsOf } from './testing/read-rows.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('texts arrive unchanged: empty, null, quoted, with braces, multibyte', async () => {
  const values = ['', null, 'null', '{a,"b"}', '\\', 'für 1 € 🏠', ' \n\t ', 'x'.repeat(100_000)];
  expect(await rowsOf(database.db, sql`select unnest(${textColumn(values)}::text[]) as v`)).toEqual(
    values.map((v) => ({ v })),
  );
});

test('a lone surrogate arrives as the replacement character that UTF-8 encodes', async () => {
  const { v } = await oneRowOf<{ v: string }>(
    database.db,
    sql`select (${textColumn(['a\ud800b'])}::text[])[1] as v`,
  );
  expect(Buffer.from(v)).toEqual(Buffer.from('a\ud800b'));
});

test('times arrive exact to the millisecond, also before 2000', async () => {
  const values = [
    '1969-12-31T23:59:59.999Z',
    '1999-12-31T23:59:59.999Z',
    '2026-01-15T12:00:00.001Z',
  ];
  const times = values.map((value) => new Date(value));
  expect(
    await rowsOf(database.db, sql`select unnest(${timeColumn(times)}::timestamptz[]) as v`),
  ).toEqual(times.map((v) => ({ v })));
});

test('no values are an empty array', async () => {
  const row = sql`select cardinality(${textColumn([])}::text[]) as texts,
    cardinality(${timeColumn([])}::timestamptz[]) as times`;
  expect(await oneRowOf(database.db, row)).toEqual({ texts: 0, times: 0 });
});

test('a NUL character is refused, not truncated', async () => {
  await expect(rowsOf(database.db, sql`select ${textColumn(['a\0b'])}::text[]`)).rejects.toThrow(
    'invalid byte sequence',
  );
});
