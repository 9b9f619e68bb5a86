import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksStage } from '../../testing/books-stage.ts';
import { openStage, type Stage } from '../../testing/open-stage.ts';

let stage: Stage;
let books: ReturnType<typeof booksStage>;
beforeAll(async () => {
  stage = await openStage({ now: '2026-03-12T15:00:00Z' });
  books = booksStage(stage);
});
afterAll(() => stage.close());

const linesOf = (bank: string) =>
  rowsOf<{ day: string; reference: string; cents: number }>(
    stage.db,
    sql`
    select l.booked_on as day, l.reference, l.amount_in_cents as cents
    from bank_line l join bank_account b on b.id = l.bank_account_id
    where b.name = ${bank} order by l.booked_on, l.number`,
  );

test('a statement is stored with all its lines, and equal lines stay two', async () => {
  await books.addBank('doubles');
  const statement = books.statementOf('doubles', '2026-03-02', [
    ['R1', 500],
    ['R1', 500],
  ]);
  expect(await books.load('doubles', statement)).toEqual({
    bank: 'doubles',
    imported: 1,
    lines: 2,
    known: 0,
    imported_through: '2026-03-02',
    closing_in_cents: 1_000,
  });
  expect(await linesOf('doubles')).toEqual([
    { day: '2026-03-02', reference: 'R1', cents: 500 },
    { day: '2026-03-02', reference: 'R1', cents: 500 },
  ]);
});

test('importing a file again changes nothing, also with a day behind it', async () => {
  await books.addBank('again');
  const monday = books.statementOf('again', '2026-03-02', [['R1', 500]]);
  const tuesday = books.statementOf('again', '2026-03-03', [['R2', -200]]);
  await books.load('again', monday);
  expect(await books.load('again', monday)).toMatchObject({ imported: 0, known: 1, lines: 0 });
  expect(await books.load('again', monday, tuesday)).toMatchObject({ imported: 1, known: 1 });
  expect(await linesOf('again')).toHaveLength(2);
});

test('two imports of one file at once store it once', async () => {
  await books.addBank('at-once');
  const statement = books.statementOf('at-once', '2026-03-02', [['R1', 500]]);
  const results = await Promise.all([1, 2, 3].map(() => books.load('at-once', statement)));
  expect(results.reduce((sum, it) => sum + it.imported, 0)).toBe(1);
  expect(await linesOf('at-once')).toHaveLength(1);
});

test('another content for days that are stored is refused', async () => {
  await books.addBank('changed');
  const statement = books.statementOf('changed', '2026-03-02', [['R1', 500]]);
  await books.load('changed', statement);
  const changed = books.statementOf('changed', '2026-03-02', [['R1', 600]], { openingInCents: 0 });
  await expect(books.load('changed', changed)).rejects.toThrow(
    'Line 2: the statement from 2026-03-02 to 2026-03-02 was imported before with another content, so nothing of changed was changed.',
  );
});

test.each([
  [
    'another currency',
    { currency: 'CAD' },
    'Line 2: the statement is in CAD, but wrong is in USD.',
  ],
  [
    'another account',
    { account: '000-11-1234' },
    'Line 2: the statement is of an account that ends with 1234, but wrong ends with 6789.',
  ],
  [
    'a day before the account begins',
    { from: '2026-02-27' },
    'Line 2: it begins on 2026-02-27, before wrong, on 2026-03-02.',
  ],
  [
    'a later day than the first',
    { from: '2026-03-03', to: '2026-03-03' },
    'Line 2: it begins on 2026-03-03, but the statement of 2026-03-02 is missing. Import that one first.',
  ],
])('%s is refused', async (_, change, message) => {
  await books.addBank('wrong').catch(() => {});
  const statement = books.statementOf('wrong', '2026-03-02', [], change);
  await expect(books.load('wrong', statement)).rejects.toThrow(message);
});

test('a gap between two days is found by the calendar and by the balance', async () => {
  await books.addBank('gap');
  const [first, second, third] = ['02', '03', '04'].map((it, index) =>
    books.statementOf('gap', `2026-03-${it}`, [[`R${it}`, (index + 1) * 100]]),
  );
  if (!first || !second || !third) throw new Error('unreachable');
  await books.load('gap', first);
  await expect(books.load('gap', third)).rejects.toThrow('the statement of 2026-03-03 is missing');
  const off = { ...second, openingInCents: 200, closingInCents: 400 };
  await expect(books.load('gap', off)).rejects.toThrow(
    'it opens with 200 cents, but the one before, of 2026-03-02, closed with 100 cents',
  );
  // Together: the second statement of a file is bad, so the first one is not stored either.
  await expect(books.load('gap', second, { ...third, currency: 'EUR' })).rejects.toThrow('in EUR');
  expect(await linesOf('gap')).toHaveLength(1);
  await books.load('gap', second, third);
  expect(await linesOf('gap')).toHaveLength(3);
});

test('a weekend needs no statement', async () => {
  await books.addBank('weekend', { starts_on: '2026-03-06' });
  await books.load('weekend', books.statementOf('weekend', '2026-03-06', [['R1', 100]]));
  await books.load('weekend', books.statementOf('weekend', '2026-03-09', [['R2', 100]]));
  expect(await linesOf('weekend')).toHaveLength(2);
});

test('an unknown account and a second one of a name are named', async () => {
  await books.addBank('known');
  await expect(books.addBank('known')).rejects.toThrow('There is an account known already.');
  await expect(books.load('unknown')).rejects.toThrow(
    /There is no account unknown. There are: .*known/,
  );
  await expect(books.addBank('euro', { currency: 'EUR' })).rejects.toThrow('The ledger is in USD');
});

test('stored lines and statements cannot be changed', async () => {
  await books.addBank('frozen');
  await books.load('frozen', books.statementOf('frozen', '2026-03-02', [['R1', 500]]));
  for (const change of [
    sql`update bank_line set amount_in_cents = 1`,
    sql`update bank_line set reference = 'x'`,
    sql`delete from bank_line`,
    sql`update bank_statement set closing_in_cents = 1`,
    sql`delete from bank_statement`,
  ]) {
    await expect(stage.db.run(change)).rejects.toThrow('cannot be changed');
  }
});
