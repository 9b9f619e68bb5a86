import { randomBytes } from 'node:crypto';
import { raw, type Sql, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { createVault, type Vault } from '@svc/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { booksStage } from '../../../test/support/books-stage.ts';
import { changeTriggers } from '../../../test/support/change-triggers.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import type { UnitOfWork } from '../../context.ts';
import { runUnitOfWork } from '../../unit-of-work.ts';
import { post } from '../ledger/post.ts';
import { closeDay, listDays, reopenDay } from './close-day.ts';
import { exportJournal } from './export-journal.ts';
import { listExceptions } from './list-exceptions.ts';
import { signBooks } from './seal-books.ts';
import { trialBalance } from './trial-balance.ts';
import { unmatch } from './unmatch.ts';
import { verifyBooks } from './verify-books.ts';

let stage: Stage;
let books: ReturnType<typeof booksStage>;
let partnerId: string;
let pms: string;
beforeEach(async () => {
  stage = await openStage({ now: '2026-03-05T15:00:00Z' });
  books = booksStage(stage);
  ({ partnerId, pms } = await stage.newPartner());
  await books.addBank('bank');
  await books.postEntry(partnerId, ['R1', 500]);
  await books.postEntry(partnerId, ['R2', 700], { day: '2026-03-03' });
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['R1', 500]]));
  await books.load('bank', books.statementOf('bank', '2026-03-03', [['R2', 700]]));
});
afterEach(() => stage.close());

const by = { user: 'anna', reason: 'matched by mistake' };
const close = (day: string) => books.run((ctx) => closeDay(ctx, day));
const reopen = (day: string) =>
  books.run((ctx) => reopenDay(ctx, { day, reason: 'wrong file', user: 'anna' }));
const verify = (vault = stage.service.vault) =>
  stage.db.transaction((tx) => verifyBooks(tx, { vault, today: '2026-03-05' }));
const faults = async () => (await verify()).faults;

test('days are closed in order, once they have ended and their statements are there', async () => {
  await expect(close('2026-03-05')).rejects.toThrow('2026-03-05 has not ended in New York.');
  await expect(close('2026-03-04')).rejects.toThrow(
    'The statement of bank for 2026-03-04 is missing (the last one ends on 2026-03-03). Import it first: svc-admin statement import <file> --bank bank.',
  );
  expect(await close('2026-03-02')).toMatchObject({ seal: 1, unmatched: [], after_close: [] });
  await books.load('bank', books.statementOf('bank', '2026-03-04', []));
  await expect(close('2026-03-04')).rejects.toThrow(
    'Close 2026-03-03 first: days are closed in order.',
  );
  await expect(close('2026-03-02')).rejects.toThrow('The books are closed through 2026-03-02.');
  expect(await close('2026-03-03')).toMatchObject({ seal: 2 });
  expect(await verify()).toMatchObject({ closed_through: '2026-03-03', seals: 2, faults: [] });
});

test('in the sandbox, days that simulated tenants have passed can be closed and have no negative age', async () => {
  await books.postEntry(partnerId, ['R9', 900], { day: '2026-03-09' });
  await books.postEntry(partnerId, ['R10', 1_000], { day: '2026-03-06' });
  for (const day of ['2026-03-04', '2026-03-05', '2026-03-06']) {
    await books.load('bank', books.statementOf('bank', day, []));
  }
  await expect(close('2026-03-09')).rejects.toThrow(
    '2026-03-09 has not ended in New York. Close it on the next day, or simulate it:',
  );
  await books.load('bank', books.statementOf('bank', '2026-03-09', [['R9', 900]]));
  const inProduction = books.run((ctx) =>
    closeDay({ ...ctx, service: { ...ctx.service, simulator: null } }, '2026-03-09'),
  );
  await expect(inProduction).rejects.toThrow('2026-03-09 has not ended in New York.');
  const { unmatched } = await close('2026-03-09');
  expect(unmatched).toMatchObject([{ reference: 'R10', day: '2026-03-06', age_in_days: 3 }]);
  const { vault } = stage.service;
  const report = await stage.db.transaction((tx) =>
    verifyBooks(tx, { vault, today: '2026-03-05', isSandbox: true }),
  );
  expect(report.faults).toEqual([]);
  expect(report.exceptions.items).toMatchObject([{ reference: 'R10', age_in_days: 3 }]);
});

test('a close lists what is not matched, and the books of the day stay as they were', async () => {
  await books.postEntry(partnerId, ['R3', 900]);
  const { unmatched, sha256 } = await close('2026-03-02');
  expect(unmatched).toMatchObject([{ reference: 'R3', amount_in_cents: 900, day: '2026-03-02' }]);
  expect((await verify()).last_seal).toBe(`1 ${sha256}`);
  const matches = await rowsOf<{ id: string }>(
    stage.db,
    sql`select id from book_match where closed_by = 1`,
  );
  expect(matches).toHaveLength(1);
  await expect(books.run((ctx) => unmatch(ctx, matches[0]?.id ?? '', by))).rejects.toThrow(
    'was there when 2026-03-02 was closed. Reopen that day first: svc-admin books reopen 2026-03-02.',
  );
});

test('the last closed day can be reopened, and closed again with a new seal', async () => {
  await close('2026-03-02');
  await close('2026-03-03');
  await expect(reopen('2026-03-02')).rejects.toThrow('The last closed day is 2026-03-03.');
  expect(await reopen('2026-03-03')).toEqual({
    day: '2026-03-03',
    seal: 3,
    closed_through: '2026-03-02',
  });
  const [match] = await rowsOf<{ id: string }>(
    stage.db,
    sql`select id from book_match where closed_by is null`,
  );
  await books.run((ctx) => unmatch(ctx, match?.id ?? '', by));
  expect(await close('2026-03-03')).toMatchObject({ seal: 4, matched: { reference: 1 } });
  expect((await books.run((ctx) => listDays(ctx.tx, 10))).map((it) => [it.action, it.day])).toEqual(
    [
      ['close', '2026-03-03'],
      ['reopen', '2026-03-03'],
      ['close', '2026-03-03'],
      ['close', '2026-03-02'],
    ],
  );
  expect(await faults()).toEqual([]);
});

test('an entry of a closed day that comes later is listed until the next close counts it', async () => {
  await close('2026-03-02');
  const late = await books.postEntry(partnerId, ['R4', 100]);
  const next = await close('2026-03-03');
  expect(next.after_close).toEqual([`${late}/cash`]);
  expect(next.unmatched).toMatchObject([{ item: `${late}/cash`, after_close: true }]);
  expect(await faults()).toEqual([]);
});

test('payments that commit while a day is closed are in this close or in the next, once', async () => {
  const { now } = stage.clock;
  const posts = Array.from({ length: 40 }, (_, index) =>
    stage.db.transaction(async (tx) => {
      await post({ tx, now }, [
        {
          partnerId,
          tenantId: null,
          kind: 'refund',
          sourceId: `C${index}`,
          occurredAt: new Date('2026-03-02T18:00:00Z'),
          entries: [
            { kind: 'cash', amountInCents: 1 },
            { kind: 'fee_income', amountInCents: -1 },
          ],
        },
      ]);
    }),
  );
  const [first] = await Promise.all([close('2026-03-02'), ...posts]);
  const second = await close('2026-03-03');
  const inFirst = first?.unmatched.map((it) => it.item) ?? [];
  expect(new Set([...inFirst, ...second.after_close]).size).toBe(40);
  expect(inFirst.length + second.after_close.length).toBe(40);
  expect(second.unmatched).toHaveLength(40);
  const [sealed] = await rowsOf<{ content: string }>(
    stage.db,
    sql`select content from book_seal where number = 1`,
  );
  // The sealed balance counts exactly what the sealed cut contains.
  expect(JSON.parse(sealed?.content ?? '{}')).toMatchObject({
    trial_balance: { cash: 500 + inFirst.length },
  });
  expect(await faults()).toEqual([]);
});

test('a closed day takes no statement, and a new account begins after it', async () => {
  await close('2026-03-03');
  await expect(books.addBank('late')).rejects.toThrow('The books are closed through 2026-03-03.');
  await books.addBank('later', { starts_on: '2026-03-04' });
  await expect(close('2026-03-04')).rejects.toThrow('The statement of bank for 2026-03-04');
});

const withoutTriggers = async (table: string, change: Sql) => {
  await changeTriggers(stage.db, (tx) => tx.run(raw(`alter table ${table} disable trigger user`)));
  await stage.db.run(change);
  await changeTriggers(stage.db, (tx) => tx.run(raw(`alter table ${table} enable trigger user`)));
};

test.each<[string, string, Sql, RegExp]>([
  [
    'a changed line',
    'bank_line',
    sql`update bank_line set amount_in_cents = 501 where reference = 'R1'`,
    /^The statement of bank from 2026-03-02 to 2026-03-02 was changed\./m,
  ],
  [
    'a deleted line',
    'bank_line',
    sql`delete from bank_line where reference = 'R1'`,
    /^The statement of bank from 2026-03-02 to 2026-03-02 was changed\./m,
  ],
  [
    'a statement that was written again',
    'bank_statement',
    sql`update bank_statement set sha256 = ${Buffer.alloc(32)} where from_day = '2026-03-02'`,
    /^A statement of 2026-03-02 is not the one that was closed\./m,
  ],
  [
    'a match that was undone past the service',
    'bank_line',
    sql`update bank_line set match_id = null where reference = 'R1'`,
    /^The matches of 2026-03-02 are not those that were closed\./m,
  ],
  [
    'a changed copy of an entry',
    'book_item',
    sql`update book_item set amount_in_cents = 501 where reference = 'R1'`,
    /^The copied entry trf_\w+\/cash differs from the ledger\./m,
  ],
  [
    'a deleted copy of an entry',
    'book_item',
    sql`delete from book_item where reference = 'R1'`,
    /^The copied entry trf_\w+\/cash differs from the ledger\./m,
  ],
  [
    'a changed seal',
    'book_seal',
    sql`update book_seal set content = replace(content, '"unmatched":[]', '"unmatched":[1]') where number = 1`,
    /^Seal 1 of the books was changed: its content does not match its hash\./m,
  ],
  [
    'a removed seal',
    'book_seal',
    sql`delete from book_seal where number = 1`,
    /^Seal 2 of the books is not the first of its chain: seals before it are missing\./m,
  ],
])('%s is found', async (_, table, change, fault) => {
  await close('2026-03-02');
  await close('2026-03-03');
  expect(await faults()).toEqual([]);
  await withoutTriggers(table, change);
  expect((await faults()).join('\n')).toMatch(fault);
});

test('seals need a key, and are signed again when it is replaced', async () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const withVault = <T>(vault: Vault, work: (uow: UnitOfWork) => Promise<T>) =>
    runUnitOfWork({ db: stage.db, service: stage.service }, stage.clock.now, (uow) =>
      work({ ...uow, service: { ...uow.service, vault } }),
    );
  await withVault(createVault(old), (uow) => closeDay(uow, '2026-03-02'));
  // A key that is not the one of the chain cannot vouch for it.
  expect(await withVault(createVault(next), signBooks)).toBe(false);
  expect((await verify(createVault(next))).faults).toEqual([
    'No key in SVC_SECRET_KEY has signed the last seal of the books, 1. Add the key that was the first one then; if there is none, the seals were forged.',
  ]);
  expect(await withVault(createVault(next, old), signBooks)).toBe(true);
  expect(await withVault(createVault(next, old), signBooks)).toBe(false);
  expect((await verify(createVault(next))).faults).toEqual([]);
});

test('the trial balance of any day adds up, and the journal holds its entries', async () => {
  await close('2026-03-03');
  const on = (day: string) => books.run((ctx) => trialBalance(ctx, day));
  const balances = async (day: string) => {
    const { lines, debit_in_cents, credit_in_cents } = await on(day);
    expect(debit_in_cents).toBe(credit_in_cents);
    return Object.fromEntries(lines.map((it) => [it.name, it.debit_in_cents - it.credit_in_cents]));
  };
  expect(await balances('2026-03-01')).toMatchObject({ 'Cash at bank': 0 });
  expect(await balances('2026-03-02')).toMatchObject({
    'Cash at bank': 500,
    'Fees from tenants': -500,
  });
  expect(await balances('2026-03-03')).toMatchObject({ 'Cash at bank': 1_200 });
  const days = { from: '2026-03-03', to: '2026-03-03' };
  const { csv, entries } = await books.run((ctx) => exportJournal(ctx, days));
  expect(entries).toBe(2);
  const [, debit, credit] = csv.split('\r\n');
  expect(debit).toMatch(
    new RegExp(
      `^2026-03-03,2026-03-05T15:00:00.000Z,trf_\\w+,refund,R2,${pms},1000,Cash at bank,7.00,$`,
    ),
  );
  expect(credit).toMatch(/,4000,Fees from tenants,,7.00$/);
});

test('exceptions can be limited to one account, and count what is left out', async () => {
  await books.addBank('processor', { ledger_account: 'processor_clearing' });
  await books.load(
    'processor',
    books.statementOf('processor', '2026-03-02', [
      ['X1', 5],
      ['X2', 6],
    ]),
  );
  const list = (bank: string, limit?: number) =>
    books.run((ctx) => listExceptions(ctx.tx, { bank, limit, today: '2026-03-05' }));
  await close('2026-03-02').catch(() => {});
  expect(await list('processor', 1)).toMatchObject({
    count: 2,
    has_more: true,
    total_in_cents: 11,
  });
  expect((await list('bank')).items.every((it) => it.ledger_account === 'cash')).toBe(true);
});
