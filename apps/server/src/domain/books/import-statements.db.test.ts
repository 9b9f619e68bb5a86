import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksStage } from '../../../test/support/books-stage.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import type { Statement } from './statement.ts';

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
    other_accounts: 0,
    notes: [],
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

test('an opening balance dated on the day before does not make the days overlap', async () => {
  await books.addBank('day-before');
  const monday = books.statementOf('day-before', '2026-03-02', [['R1', 500]]);
  const tuesday = books.statementOf('day-before', '2026-03-03', [['R2', -200]]);
  const wednesday = books.statementOf('day-before', '2026-03-04', []);
  // The first one seems to begin before the account, and each later one on a day that is stored.
  const first = { ...monday, from: '2026-03-01' };
  const second = { ...tuesday, from: '2026-03-02' };
  expect(await books.load('day-before', first)).toMatchObject({ imported: 1 });
  expect(
    await books.load('day-before', second, { ...wednesday, from: '2026-03-03' }),
  ).toMatchObject({
    imported: 2,
    imported_through: '2026-03-04',
  });
  expect(await books.load('day-before', first, second, tuesday)).toMatchObject({
    imported: 0,
    known: 3,
  });
  const days = await rowsOf<{ from: string; to: string }>(
    stage.db,
    sql`
    select s.from_day as from, s.to_day as to from bank_statement s
    join bank_account b on b.id = s.bank_account_id where b.name = 'day-before' order by 1`,
  );
  expect(days).toEqual(
    ['02', '03', '04'].map((it) => ({ from: `2026-03-${it}`, to: `2026-03-${it}` })),
  );
});

test('a statement that overlaps and has another line or balance is refused', async () => {
  await books.addBank('overlap');
  await books.load('overlap', books.statementOf('overlap', '2026-03-02', [['R1', 500]]));
  const tuesday = books.statementOf('overlap', '2026-03-03', [['R2', -200]]);
  const line = { ...tuesday.lines[0], bookedOn: '2026-03-02' } as Statement['lines'][number];
  const overlapping = { ...tuesday, from: '2026-03-02' };
  const imported = 'was imported before with another content';
  await expect(books.load('overlap', { ...overlapping, lines: [line] })).rejects.toThrow(imported);
  const other = { ...overlapping, openingInCents: 0, closingInCents: -200 };
  await expect(books.load('overlap', other)).rejects.toThrow(imported);
});

test('of a file with several accounts, the statements of this one are imported', async () => {
  await books.addBank('several');
  const ours = books.statementOf('several', '2026-03-02', [['R1', 500]]);
  const other = { ...ours, account: '5551234' };
  const bad = { fileLine: 9, account: '5559999', reason: 'it has no balance.' };
  expect(
    await books.loadFile('several', { statements: [other, ours], unusable: [bad] }),
  ).toMatchObject({
    imported: 1,
    other_accounts: 2,
  });
  const twins = [ours, { ...ours, account: '987656789' }];
  await expect(books.loadFile('several', { statements: twins, unusable: [] })).rejects.toThrow(
    'the file has 2 accounts that end with 6789. Ask the bank for a file of several alone.',
  );
  const unusable = [{ ...bad, account: '0006789' }];
  await expect(books.loadFile('several', { statements: [ours], unusable })).rejects.toThrow(
    'Line 9: it has no balance.',
  );
  await expect(books.loadFile('several', { statements: [other], unusable: [bad] })).rejects.toThrow(
    'Line 2: the statement is of an account that ends with 1234, 9999, but several ends with 6789.',
  );
});

test('what was left out of new statements is reported once', async () => {
  await books.addBank('noted');
  const statement = books.statementOf('noted', '2026-03-02', [['R1', 500]], { notes: ['A note.'] });
  expect(await books.load('noted', statement)).toMatchObject({ notes: ['A note.'] });
  expect(await books.load('noted', statement)).toMatchObject({ notes: [] });
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
    'Line 2: the statement from 2026-03-02 to 2026-03-02 was imported before with another content, so nothing of changed was changed. Ask the bank for a file of the days after that.',
  );
});

const feeOf = (bookedOn: string) =>
  ({
    fileLine: 3,
    kind: 'entry',
    bookedOn,
    amountInCents: -100,
    reference: '',
    description: '',
  }) as const;

test.each<[string, Partial<Statement>, string]>([
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
    { from: '2026-02-27', lines: [feeOf('2026-02-27')], closingInCents: -100 },
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
