import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  bigint,
  boolean,
  bytes,
  type Database,
  date,
  double,
  instant,
  integer,
  json,
  listOf,
  nullable,
  oneOf,
  openDatabase,
  type Row,
  type RowOf,
  raw,
  recordset,
  row,
  type Sql,
  sql,
  text,
} from './index.ts';
import { countReads, openTestDatabase, type TestDatabase, testTarget } from './testing.ts';

let opened: TestDatabase;
let db: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  db = opened.db;
});
afterAll(() => opened.close());

const labelSchema = {
  '~standard': {
    types: undefined as { readonly input: { readonly label: string } } | undefined,
    validate: (value: unknown) => {
      const { label } = value as { label?: unknown };
      if (typeof label === 'string') return { value };
      return { issues: [{ message: 'expected a string', path: ['label'] }] };
    },
  },
};
const everything = row('everything', {
  name: text,
  small: integer,
  cents: bigint,
  share: double,
  open: boolean,
  day: date,
  at: instant,
  key: bytes,
  state: oneOf('open', 'paid'),
  names: listOf(text),
  amounts: listOf(bigint),
  paid_on: nullable(date),
  lease: json(labelSchema),
});
const charge = row('charge', { id: text, unit_label: text });

test('each column type accepts what PostgreSQL returns for it, and gives the TypeScript type', async () => {
  const found = await db.one(
    everything,
    sql`
    select 'a' as name, 1 as small, 2::bigint as cents, 0.5::float8 as share, true as open,
      date '2026-03-08' as day, timestamptz '2026-03-08T15:30:00Z' as at, '\\x01'::bytea as key,
      'paid' as state, array['a', 'b'] as names, array[1::bigint] as amounts,
      null::date as paid_on, '{"label":"2B"}'::json as lease`,
  );
  expect(found).toEqual({
    name: 'a',
    small: 1,
    cents: 2,
    share: 0.5,
    open: true,
    day: '2026-03-08',
    at: new Date('2026-03-08T15:30:00Z'),
    key: Buffer.from([1]),
    state: 'paid',
    names: ['a', 'b'],
    amounts: [1],
    paid_on: null,
    lease: { label: '2B' },
  });
  expectTypeOf(found.state).toEqualTypeOf<'open' | 'paid'>();
  expectTypeOf(found.paid_on).toEqualTypeOf<string | null>();
  expectTypeOf(found.lease).toEqualTypeOf<{ readonly label: string }>();
  expectTypeOf<RowOf<typeof charge>>().toEqualTypeOf<{
    readonly id: string;
    readonly unit_label: string;
  }>();
});

describe('a statement fails by the name of the column', () => {
  test.each([
    ['it lacks', `select '1' as id`, 'returns no column "unit_label", which row "charge" declares'],
    [
      'it adds',
      `select '1' as id, '2B' as unit_label, 3 as extra`,
      'returns a column "extra", which row "charge" does not declare',
    ],
    [
      'has another type',
      `select '1' as id, 2 as unit_label`,
      'returns the column "unit_label" with the type 23, but row "charge" declares text (25',
    ],
    ['comes twice', `select '1' as id, '2' as id, 'x' as unit_label`, 'the column "id" twice'],
    ['is an inherited property', `select '1' as "toString"`, 'returns a column "toString"'],
  ])('that %s, with and without rows', async (_, statement, message) => {
    await expect(db.many(charge, raw(statement))).rejects.toThrow(message);
    await expect(db.maybe(charge, raw(`${statement} where false`))).rejects.toThrow(message);
    await expect(db.transaction((tx) => tx.one(charge, raw(statement)))).rejects.toThrow(message);
  });

  test('of a write that returns nothing', async () => {
    await db.run(raw('create table written (id text)'));
    const write = sql`insert into written values (${'1'})`;
    await expect(db.maybe(charge, write)).rejects.toThrow('no column "id"');
  });
});

test('a statement whose rows are read without a declared row does not compile, and does not run', async () => {
  const statement = sql`select '1' as id`;
  // @ts-expect-error: no declared row
  await expect(db.many(statement)).rejects.toThrow('made by the `sql` tag');
  // @ts-expect-error: no declared row
  await expect(db.one<{ id: string }>(statement)).rejects.toThrow('made by the `sql` tag');
  // @ts-expect-error: no declared row
  await expect(db.maybe(statement)).rejects.toThrow('made by the `sql` tag');
});

describe('in tests a value fails by the name of its column', () => {
  test.each<[string, Row<{ v: unknown }>, Sql, string]>([
    ['null', row('r', { v: text }), sql`select null::text as v`, 'is null'],
    [
      'an unknown state',
      row('r', { v: oneOf('open', 'paid') }),
      sql`select 'x' as v`,
      'is not one of open, paid',
    ],
    [
      'JSON off its schema',
      row('r', { v: json(labelSchema) }),
      sql`select '{"label":1}'::jsonb as v`,
      'at "label" does not match its schema: expected a string',
    ],
    ['null in a list', row('r', { v: listOf(text) }), sql`select array['a', null] as v`, 'is null'],
  ])('%s', async (_, declared, statement, message) => {
    await expect(db.one(declared, statement)).rejects.toThrow(
      `the column "v" of row "r" ${message}`,
    );
  });

  test('a service compares only the columns', async () => {
    const nothing = row('r', { v: text });
    const { target, drop } = await testTarget();
    const service = await openDatabase(target);
    try {
      expect(await service.one(nothing, sql`select null::text as v`)).toEqual({ v: null });
      await expect(service.one(nothing, sql`select 1 as v`)).rejects.toThrow('declares text');
    } finally {
      await service.close();
      await drop();
    }
  });
});

describe('a recordset', () => {
  const line = row('line', {
    id: text,
    'paid"On': nullable(date),
    cents: bigint,
    lease: json(labelSchema),
  });
  const written = { id: "1'", 'paid"On': '2026-03-08', cents: 2, lease: { label: '2B' } };
  const back = (lines: readonly RowOf<typeof line>[]) =>
    db.many(line, sql`select l.* from ${recordset(line, lines, 'l')} order by id`);

  test('returns the passed rows, also after other values of the statement', async () => {
    const rows = [written, { ...written, id: '2', 'paid"On': null }];
    expect(await back(rows)).toEqual(rows);
    expect(await back([])).toEqual([]);
    const count = row('count', { wanted: text, lines: bigint });
    expect(
      await db.one(
        count,
        sql`
        select ${'two'} as wanted, count(*) as lines from ${recordset(line, rows, 'l')}`,
      ),
    ).toEqual({ wanted: 'two', lines: 2 });
  });

  test('finds the rows of a table by their key in a database without statistics', async () => {
    await db.run(raw('create table part (partner text, id text, primary key (partner, id))'));
    await db.run(raw(`insert into part select 'p', n::text from generate_series(1, 10000) n`));
    const part = row('part', { partner: text, id: text });
    const parts = ['1', '2', '3'].map((id) => ({ partner: 'p', id }));
    const { rows } = await countReads(db, (q) =>
      q.many(
        part,
        sql`select part.* from ${recordset(part, parts, 'r')}
          join part on part.partner = ${'p'} and part.id = r.id`,
      ),
    );
    expect(rows).toBeLessThan(20);
  });

  test('refuses a missing, an unknown and a null key by name', () => {
    const { cents, ...without } = written;
    expect(cents).toBe(2);
    // @ts-expect-error `cents` is missing.
    expect(() => recordset(line, [without], 'l')).toThrow(
      'has no "cents", which row "line" declares',
    );
    const extra = { ...written, amount: 2 };
    expect(() => recordset(line, [extra], 'l')).toThrow('has "amount", which row "line" does not');
    // @ts-expect-error `cents` may not be null.
    expect(() => recordset(line, [{ ...written, cents: null }], 'l')).toThrow('null as "cents"');
  });
});

test('a key in camelCase is the column in snake_case, in rows that are read and in rows to write', async () => {
  const part = row('part', {
    partId: text,
    amountInCents: nullable(bigint),
    sha256: text,
    facts: json(),
  });
  const parts = [
    { partId: 'a', amountInCents: 5, sha256: 'x', facts: { dueDate: 'b', due_date: 'c' } },
    { partId: 'b', amountInCents: null, sha256: 'y', facts: {} },
  ];
  const read = await db.many(
    part,
    sql`
    select p.part_id, p.amount_in_cents, p.sha256, p.facts
    from ${recordset(part, parts, 'p')} order by part_id`,
  );
  expect(read).toEqual(parts);
  await expect(db.many(part, sql`select 'a' as part_id, 1::int8 as cents`)).rejects.toThrow(
    'returns a column "cents", which row "part" does not declare',
  );
  await expect(db.many(part, sql`select 'a' as part_id`)).rejects.toThrow(
    'returns no column "amount_in_cents", which row "part" declares',
  );
});
