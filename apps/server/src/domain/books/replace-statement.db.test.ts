import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { booksStage } from '../../../test/support/books-stage.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import { adjustItem } from './adjust.ts';
import { closeDay, reconcile } from './close-day.ts';
import { listExceptions } from './list-exceptions.ts';
import { replaceStatements } from './replace-statement.ts';
import type { Statement } from './statement.ts';
import { verifyBooks } from './verify-books.ts';

let stage: Stage;
let books: ReturnType<typeof booksStage>;
let partnerId: string;
let pms: string;
let monday: Statement;
let tuesday: Statement;
beforeEach(async () => {
  stage = await openStage({ now: '2026-03-05T15:00:00Z' });
  books = booksStage(stage);
  ({ partnerId, pms } = await stage.newPartner());
  await books.addBank('bank');
  await books.postEntry(partnerId, ['R1', 500]);
  await books.postEntry(partnerId, ['R2', 700], { day: '2026-03-03' });
  monday = books.statementOf('bank', '2026-03-02', [['R1', 500]]);
  tuesday = books.statementOf('bank', '2026-03-03', [
    ['R2', 70],
    ['FEE', -30],
  ]);
  await books.load('bank', monday);
  await books.load('bank', tuesday);
  await books.run(reconcile);
});
afterEach(() => stage.close());

const by = { user: 'anna', reason: 'the bank sent it again' };
const replace = (...statements: readonly Statement[]) =>
  books.run((ctx) =>
    replaceStatements(
      ctx,
      { bank: 'bank', format: 'csv', user: 'anna', statements, unusable: [] },
      by,
    ),
  );
const open = () =>
  books.run((ctx) => listExceptions(ctx.tx, { today: '2026-03-05' })).then((it) => it.items);
const faults = async () => {
  const { vault } = stage.service;
  const report = await stage.db.transaction((tx) =>
    verifyBooks(tx, { vault, today: '2026-03-05' }),
  );
  return report.faults;
};
/** The statement with the amounts of its lines changed. */
const corrected = (statement: Statement, ...cents: readonly number[]): Statement => {
  const lines = statement.lines
    .slice(0, cents.length)
    .map((it, index) => ({ ...it, amountInCents: cents[index] ?? 0 }));
  const closingInCents = cents.reduce((sum, it) => sum + it, statement.openingInCents);
  return { ...statement, lines, closingInCents };
};

test('a wrong statement of an open day is replaced, and matched again', async () => {
  expect(await replace(corrected(tuesday, 700))).toMatchObject({
    removed: [{ from: '2026-03-03', to: '2026-03-03', lines: 2, closing_in_cents: 540 }],
    added: [{ from: '2026-03-03', to: '2026-03-03', lines: 1, closing_in_cents: 1_200 }],
    unmatched: 0,
  });
  expect(await books.run(reconcile)).toMatchObject({ reference: 1 });
  expect(await open()).toEqual([]);
  expect(await faults()).toEqual([]);
  const next = { ...tuesday, from: '2026-03-04', to: '2026-03-04', openingInCents: 1_200 };
  await books.load('bank', { ...next, lines: [], closingInCents: 1_200 });
});

test('matches of the removed lines are undone, and what they had posted is taken back', async () => {
  const fee = (await open()).find((it) => it.reference === 'FEE')?.item ?? '';
  const account = 'processing_cost' as const;
  await books.run((ctx) => adjustItem(ctx, { item: fee, account, pms }, by));
  const replaced = await replace(corrected(monday, 500), corrected(tuesday, 700));
  expect(replaced).toMatchObject({ unmatched: 2 });
  expect(replaced.reversed_by).toHaveLength(1);
  const [cost] = await rowsOf<{ cents: number }>(
    stage.db,
    sql`
    select sum(e.amount_in_cents)::int8 as cents from ledger_entry e
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where a.kind = ${account}`,
  );
  expect(cost).toEqual({ cents: 0 });
  expect(await books.run(reconcile)).toMatchObject({ reference: 2 });
  expect(await open()).toEqual([]);
  expect(await faults()).toEqual([]);
});

test('a replacement that does not fit changes nothing', async () => {
  await expect(replace(tuesday)).rejects.toThrow('is stored with this content already');
  await expect(replace(corrected(monday, 600))).rejects.toThrow(
    'it closes with 600 cents, but the next one, of 2026-03-03, opens with 500 cents. Replace both with one file.',
  );
  await expect(replace({ ...corrected(tuesday, 700), openingInCents: 501 })).rejects.toThrow(
    'it opens with 501 cents, but the one before, of 2026-03-02, closed with 500 cents',
  );
  await expect(replace({ ...corrected(tuesday, 700), to: '2026-03-04' })).rejects.toThrow(
    'Ask the bank for a file of exactly those days.',
  );
  const later = { ...tuesday, from: '2026-03-04', to: '2026-03-04' };
  await expect(replace(later)).rejects.toThrow('no statement of its days is stored');
  expect(await open()).toHaveLength(3);
  expect(await faults()).toEqual([]);
});

test('a statement of a closed day stays, also when the service is bypassed', async () => {
  await books.run((ctx) => closeDay(ctx, '2026-03-03'));
  await expect(replace(corrected(tuesday, 700))).rejects.toThrow(
    'the books are closed through 2026-03-03. Reopen that day first.',
  );
  const bypass = stage.db.transaction(async (tx) => {
    const [it] = await rowsOf<{ id: string }>(
      tx,
      sql`select id from bank_statement where to_day = '2026-03-03'`,
    );
    await tx.run(sql`select set_config('svc.replaced_statement', ${it?.id ?? ''}, true)`);
    await tx.run(sql`delete from bank_line where statement_id = ${it?.id ?? ''}`);
    await tx.run(sql`delete from bank_statement where id = ${it?.id ?? ''}`);
  });
  await expect(bypass).rejects.toThrow('bank_statement cannot be changed');
});
