import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { booksStage } from '../../../test/support/books-stage.ts';
import { changeTriggers } from '../../../test/support/change-triggers.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import { adjustItem } from './adjust.ts';
import { reconcile } from './close-day.ts';
import { listExceptions } from './list-exceptions.ts';
import { assignItem } from './match-by-hand.ts';
import { matchItems } from './match-items.ts';
import { unmatch } from './unmatch.ts';
import { verifyBooks } from './verify-books.ts';

let stage: Stage;
let books: ReturnType<typeof booksStage>;
let partnerId: string;
let pms: string;
beforeEach(async () => {
  stage = await openStage({ now: '2026-03-04T15:00:00Z' });
  books = booksStage(stage);
  ({ partnerId, pms } = await stage.newPartner());
  await books.addBank('bank');
});
afterEach(() => stage.close());

const by = { user: 'anna', reason: 'checked with the bank' };
const open = () =>
  books.run((ctx) => listExceptions(ctx.tx, { today: '2026-03-04' })).then((it) => it.items);
const reasons = () =>
  rowsOf<{ rule: string; reason: string }>(
    stage.db,
    sql`select rule, reason from book_match order by id`,
  );

test('reference, amount and sign match one by one, so a doubled line stays open', async () => {
  await books.postEntry(partnerId, ['R1', 500]);
  await books.postEntry(partnerId, ['R2', -700]);
  await books.load(
    'bank',
    books.statementOf('bank', '2026-03-02', [
      ['R1', 500],
      ['R1', 500],
      ['R2', -700],
    ]),
  );
  expect(await books.run(reconcile)).toEqual({
    collected: 2,
    reference: 2,
    same_reference: 0,
    amount: 0,
    batch: 0,
  });
  expect(await open()).toMatchObject([
    {
      bank: 'bank',
      amount_in_cents: 500,
      reference: 'R1',
      age_in_days: 2,
      owner: null,
      why: 'Another line with this reference and amount is matched: it may be doubled.',
    },
  ]);
  expect(await books.run(reconcile)).toMatchObject({ collected: 0, reference: 0 });
});

test('two equal lines that are real match two entries', async () => {
  await books.postEntry(partnerId, ['R1.a', 500]);
  await books.postEntry(partnerId, ['R1.b', 500]);
  await books.load(
    'bank',
    books.statementOf('bank', '2026-03-02', [
      ['R1', 500],
      ['R1', 500],
    ]),
  );
  expect(await books.run(reconcile)).toMatchObject({ reference: 2 });
  expect(await open()).toEqual([]);
});

test('another amount, another sign and a missing line stay open on both sides', async () => {
  await books.postEntry(partnerId, ['R1', 500]);
  await books.postEntry(partnerId, ['R2', 600]);
  await books.postEntry(partnerId, ['R3', 700]);
  await books.load(
    'bank',
    books.statementOf('bank', '2026-03-02', [
      ['R1', 510],
      ['R2', -600],
    ]),
  );
  await books.run(reconcile);
  const found = (await open()).map((it) => [it.reference, it.amount_in_cents, it.why]);
  expect(found).toHaveLength(5);
  expect(found).toEqual(
    expect.arrayContaining([
      ['R1', 500, 'The statements have other amounts for this reference: $5.10.'],
      ['R1', 510, 'The ledger has other amounts for this reference: $5.00.'],
      ['R2', -600, 'The ledger has other amounts for this reference: $6.00.'],
      ['R2', 600, 'The statements have other amounts for this reference: −$6.00.'],
      ['R3', 700, 'No statement has this reference.'],
    ]),
  );
});

test('an amount that nothing else has matches within five days, and shows the reason', async () => {
  await books.postEntry(partnerId, ['S1', 12_345], { day: '2026-03-03' });
  await books.postEntry(partnerId, ['S2', 5_000], { day: '2026-03-03' });
  await books.postEntry(partnerId, ['S3', 5_000], { day: '2026-03-03' });
  await books.load(
    'bank',
    books.statementOf('bank', '2026-03-02', [
      ['', 12_345],
      ['', 5_000],
    ]),
  );
  expect(await books.run(reconcile)).toMatchObject({ amount: 1 });
  expect(await reasons()).toEqual([
    {
      rule: 'amount',
      reason:
        'The amount agrees, the days are 1 apart, and nothing else has this amount within 5 days.',
    },
  ]);
  expect((await open()).map((it) => it.amount_in_cents)).toEqual([5_000, 5_000, 5_000]);
});

test('a line that names another entry is not matched by its amount', async () => {
  await books.postEntry(partnerId, ['R1', 500]);
  await books.postEntry(partnerId, ['R2', 600]);
  // The amounts are exchanged: an error of somebody, not a coincidence.
  await books.load(
    'bank',
    books.statementOf('bank', '2026-03-02', [
      ['R1', 600],
      ['R2', 500],
    ]),
  );
  await books.run(reconcile);
  expect(await open()).toHaveLength(4);
});

test('one line is the sum of the deposits of all partners of a day', async () => {
  const { partnerId: other } = await stage.newPartner();
  const kind = 'deposit' as const;
  await books.postEntry(partnerId, ['dep_1', 10_000], { kind });
  await books.postEntry(other, ['dep_2', 20_000], { kind });
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['PROCESSOR', 30_000]]));
  expect(await books.run(reconcile)).toMatchObject({ batch: 1 });
  expect(await reasons()).toEqual([
    { rule: 'batch', reason: 'The line is the sum of 2 entries (deposit) of 2026-03-02.' },
  ]);
});

test('several lines of one refund match its entry, and a refused part is counted', async () => {
  const account = 'processor_clearing' as const;
  await books.addBank('processor', { ledger_account: account });
  await books.postEntry(partnerId, ['rfd_1', -900], { account });
  await books.postEntry(partnerId, ['rfd_1.pay_2#refused', 300], {
    account,
    kind: 'refund_refused',
  });
  await books.postEntry(partnerId, ['rfd_3', -400], { account });
  await books.postEntry(partnerId, ['rfd_3.pay_1#refused', 400], {
    account,
    kind: 'refund_refused',
  });
  const kind = 'refund' as const;
  await books.load(
    'processor',
    books.statementOf('processor', '2026-03-02', [
      ['rfd_1', -400, { kind }],
      ['rfd_1', -200, { kind }],
    ]),
  );
  expect(await books.run(reconcile)).toMatchObject({ same_reference: 2 });
  expect((await reasons()).map((it) => it.reason).sort()).toEqual([
    '2 lines and 2 entries of one reference have the same sum.',
    'The refund and its refusal cancel out.',
  ]);
  expect(await open()).toEqual([]);
});

test('of two people who match one line, one gets it and the other is told who', async () => {
  const one = await books.postEntry(partnerId, ['S1', 500], { day: '2026-03-03' });
  const two = await books.postEntry(partnerId, ['S2', 500], { day: '2026-03-03' });
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['', 500]]));
  await books.run(reconcile);
  const line = (await open()).find((it) => it.bank !== null)?.item ?? '';
  const results = await Promise.allSettled(
    [one, two].map((entry, index) =>
      books.run((ctx) =>
        matchItems(
          ctx,
          { items: [line, `${entry}/cash`] },
          {
            user: index === 0 ? 'anna' : 'ben',
            reason: 'seen',
          },
        ),
      ),
    ),
  );
  expect(results.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find((it) => it.status === 'rejected');
  expect(String(refused?.reason)).toMatch(
    /bln_\w+ was matched by (anna|ben) at 2026-03-04 15:00 UTC, as mat_\w+\. If that is wrong, undo it with "svc-admin books unmatch mat_\w+"\./,
  );
  expect(await open()).toHaveLength(1);
});

test('a match by hand needs equal sums, and can be undone', async () => {
  const entry = await books.postEntry(partnerId, ['S1', 700]);
  await books.load(
    'bank',
    books.statementOf('bank', '2026-03-02', [
      ['', 500],
      ['', 200],
      ['', 1],
    ]),
  );
  await books.run(reconcile);
  const [a = '', b = '', c = ''] = (await open()).flatMap((it) => (it.bank ? [it.item] : []));
  const items = [a, b, `${entry}/cash`];
  await expect(books.run((ctx) => matchItems(ctx, { items: [...items, c] }, by))).rejects.toThrow(
    'The lines sum to 701 cents and the entries to 700 cents. Name the account of the difference of 1 cents, such as --account processing_cost, or leave out what does not belong together.',
  );
  await expect(books.run((ctx) => matchItems(ctx, { items: [a, a] }, by))).rejects.toThrow(
    'is named twice',
  );
  await expect(books.run((ctx) => matchItems(ctx, { items: [a] }, by))).rejects.toThrow(
    'at least two items',
  );
  await expect(
    books.run((ctx) => matchItems(ctx, { items: [a, 'trf_00000000000000000000000000/cash'] }, by)),
  ).rejects.toThrow('There is no line or entry trf_');
  const { match_id } = await books.run((ctx) => matchItems(ctx, { items }, by));
  expect(await open()).toHaveLength(1);
  expect(await books.run((ctx) => unmatch(ctx, match_id, by))).toMatchObject({
    rule: 'manual',
    match_reason: by.reason,
    items: [...items].sort(),
    reversed_by: [],
  });
  expect(await open()).toHaveLength(4);
  await expect(books.run((ctx) => unmatch(ctx, match_id, by))).rejects.toThrow('There is no match');
});

test('an adjustment posts a new transfer in the books of a partner and matches it', async () => {
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['FEE', -250]]));
  await books.run(reconcile);
  const item = (await open())[0]?.item ?? '';
  const account = 'processing_cost' as const;
  await expect(books.run((ctx) => adjustItem(ctx, { item, account }, by))).rejects.toThrow(
    'Name the one in whose books it is: --partner <pms>.',
  );
  await expect(
    books.run((ctx) => adjustItem(ctx, { item, account: 'cash', pms }, by)),
  ).rejects.toThrow('The other account cannot be cash.');
  const adjusted = await books.run((ctx) => adjustItem(ctx, { item, account, pms }, by));
  expect(adjusted).toMatchObject({ amount_in_cents: 250, account: 'Fees of processors and banks' });
  expect(await open()).toEqual([]);
  const entries = await rowsOf(
    stage.db,
    sql`
    select l.kind, a.kind as account, e.amount_in_cents::int8 as cents from ledger_transfer l
      join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where l.id = ${adjusted.transfer_id} order by cents`,
  );
  expect(entries).toEqual([
    { kind: 'books_adjustment', account: 'cash', cents: -250 },
    { kind: 'books_adjustment', account: 'processing_cost', cents: 250 },
  ]);
  // The copy of the new transfer is found again once it is sealed.
  expect(await books.run(reconcile)).toMatchObject({ collected: 0 });
});

test('an entry that no statement confirms is taken back by its opposite', async () => {
  const entry = await books.postEntry(partnerId, ['S1', 700]);
  await books.load('bank', books.statementOf('bank', '2026-03-02', []));
  await books.run(reconcile);
  const item = `${entry}/cash`;
  const account = 'books_difference' as const;
  await expect(books.run((ctx) => adjustItem(ctx, { item, account, pms }, by))).rejects.toThrow(
    'Leave out --partner.',
  );
  await books.run((ctx) => adjustItem(ctx, { item, account }, by));
  expect(await open()).toEqual([]);
  const vault = stage.service.vault;
  const report = await stage.db.transaction((tx) =>
    verifyBooks(tx, { vault, today: '2026-03-04' }),
  );
  expect(report.faults).toEqual([]);
  expect(report.sides[0]).toMatchObject({ ledger_in_cents: 0, statements_in_cents: 0 });
});

const accountsOf = () =>
  rowsOf<{ account: string; cents: number }>(
    stage.db,
    sql`
    select a.kind as account, sum(e.amount_in_cents)::int8 as cents
    from ledger_entry e join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    group by a.kind having sum(e.amount_in_cents) <> 0 order by a.kind`,
  );
const faultsNow = async () => {
  const { vault } = stage.service;
  const report = await stage.db.transaction((tx) =>
    verifyBooks(tx, { vault, today: '2026-03-04' }),
  );
  return report.faults;
};

test('of a line and an entry of one reference, only the difference is booked', async () => {
  const entry = `${await books.postEntry(partnerId, ['R1', -2_500])}/cash`;
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['R1', -3_000]]));
  await books.run(reconcile);
  const line = (await open()).find((it) => it.bank !== null)?.item ?? '';
  const account = 'processing_cost' as const;
  const advice = `sum to -3000 cents and the entries to -2500 cents. Book only the difference of -500 cents: svc-admin books match ${line},${entry} --account <account>`;
  for (const input of [
    { item: line, account, pms },
    { item: line, account: 'books_difference' as const, pms },
    { item: entry, account },
  ]) {
    await expect(books.run((ctx) => adjustItem(ctx, input, by))).rejects.toThrow(advice);
  }
  const items = [line, entry];
  await expect(books.run((ctx) => matchItems(ctx, { items, account: 'cash' }, by))).rejects.toThrow(
    'The other account cannot be cash.',
  );
  const matched = await books.run((ctx) => matchItems(ctx, { items, account }, by));
  expect(matched).toMatchObject({
    amount_in_cents: -3_000,
    difference: { amount_in_cents: -500, account, partner_id: partnerId },
  });
  expect(await open()).toEqual([]);
  expect(await accountsOf()).toEqual([
    { account: 'cash', cents: -3_000 },
    { account: 'fee_income', cents: 2_500 },
    { account: 'processing_cost', cents: 500 },
  ]);
  expect(await faultsNow()).toEqual([]);
});

test('a difference needs both sides, and a partner if the entries are of several', async () => {
  const { partnerId: other } = await stage.newPartner();
  const one = `${await books.postEntry(partnerId, ['S1', 1_000])}/cash`;
  const two = `${await books.postEntry(other, ['S2', 2_000])}/cash`;
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['', 2_900]]));
  await books.run(reconcile);
  const line = (await open()).find((it) => it.bank !== null)?.item ?? '';
  const account = 'books_difference' as const;
  const match = (input: { items: string[]; pms?: string }) =>
    books.run((ctx) => matchItems(ctx, { ...input, account }, by));
  await expect(match({ items: [one, two] })).rejects.toThrow('between lines and entries');
  await expect(match({ items: [line, one, two] })).rejects.toThrow('--partner <pms>');
  await expect(match({ items: [line, one], pms })).rejects.toThrow('Leave out --partner.');
  expect(await match({ items: [line, one, two], pms })).toMatchObject({
    difference: { amount_in_cents: -100, partner_id: partnerId },
  });
  expect(await open()).toEqual([]);
});

test('undoing a match takes back the difference that it posted, and nothing else stays open', async () => {
  const entry = `${await books.postEntry(partnerId, ['R1', -2_500])}/cash`;
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['R1', -3_000]]));
  await books.run(reconcile);
  const line = (await open()).find((it) => it.bank !== null)?.item ?? '';
  const items = [line, entry];
  const match = () =>
    books.run((ctx) => matchItems(ctx, { items, account: 'processing_cost' }, by));
  const { match_id } = await match();
  const undone = await books.run((ctx) => unmatch(ctx, match_id, by));
  expect(undone.items).toEqual(items);
  expect(undone.reversed_by).toHaveLength(1);
  expect((await open()).map((it) => it.item).sort()).toEqual([...items].sort());
  expect(await accountsOf()).toEqual([
    { account: 'cash', cents: -2_500 },
    { account: 'fee_income', cents: 2_500 },
  ]);
  expect(await books.run(reconcile)).toMatchObject({ collected: 0, reference: 0 });
  const [kept] = await rowsOf<{ id: string }>(stage.db, sql`select id from book_match`);
  await expect(books.run((ctx) => unmatch(ctx, kept?.id ?? '', by))).rejects.toThrow(
    'is an adjustment with its reversal',
  );
  await match();
  expect(await open()).toEqual([]);
  expect(await faultsNow()).toEqual([]);
});

test('undoing an adjustment between two compared accounts leaves no entry of it open', async () => {
  await books.addBank('processor', { ledger_account: 'processor_clearing' });
  await books.load(
    'processor',
    books.statementOf('processor', '2026-03-02', [['po_1', -900, { kind: 'deposit' }]]),
  );
  await books.run(reconcile);
  const item = (await open())[0]?.item ?? '';
  const adjust = () => books.run((ctx) => adjustItem(ctx, { item, account: 'cash', pms }, by));
  const { match_id } = await adjust();
  expect(await open()).toMatchObject([{ ledger_account: 'cash', amount_in_cents: 900 }]);
  await books.run((ctx) => unmatch(ctx, match_id, by));
  expect(await open()).toMatchObject([{ item }]);
  expect(await accountsOf()).toEqual([]);

  const again = await adjust();
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['TRANSFER', 900]]));
  await books.run(reconcile);
  expect(await open()).toEqual([]);
  const refused = books.run((ctx) => unmatch(ctx, again.match_id, by));
  await expect(refused).rejects.toThrow(/which is matched as mat_\w+. Undo that first/);
  expect(await open()).toEqual([]);
  expect(await faultsNow()).toEqual([]);
});

test('an exception has an owner until it is matched', async () => {
  const entry = await books.postEntry(partnerId, ['S1', 700]);
  await books.run(reconcile);
  const item = `${entry}/cash`;
  await books.run((ctx) => assignItem(ctx, { item, owner: 'ben', user: 'anna' }));
  await books.run((ctx) => assignItem(ctx, { item, owner: 'carol', user: 'anna' }));
  expect(await open()).toMatchObject([{ item, owner: 'carol', pms, kind: 'refund' }]);
  await books.run((ctx) => adjustItem(ctx, { item, account: 'books_difference' }, by));
  await expect(
    books.run((ctx) => assignItem(ctx, { item, owner: 'ben', user: 'anna' })),
  ).rejects.toThrow('was matched by anna');
});

test('the reference of a debit that the portal reports later is learned while it is open', async () => {
  const { now } = stage.clock;
  const name = 'stl_1';
  await stage.db.run(sql`
    insert into tenant (id, partner_id, external_id, created_at, updated_at)
    values ('ten_1', ${partnerId}, 't', ${now}, ${now})`);
  await changeTriggers(stage.db, (tx) => tx.run(sql`alter table settlement disable trigger all`));
  await stage.db.run(sql`
    insert into settlement (id, partner_id, tenant_id, plan_id, status, amount_in_cents,
      rent_cycle_date, debit_by, created_at, updated_at, stale_after)
    values (${name}, ${partnerId}, 'ten_1', 'pln_1', 'verified', 900, '2026-03-01', '2026-03-02',
      ${now}, ${now}, '2026-03-09')`);
  await books.postEntry(partnerId, [name, -900], { kind: 'settlement_arrived' });
  await books.run(reconcile);
  expect(await open()).toMatchObject([{ reference: name }]);
  await stage.db.run(sql`update settlement set processor_transaction_id = 'ach_77'`);
  await books.load('bank', books.statementOf('bank', '2026-03-02', [['ach_77', -900]]));
  expect(await books.run(reconcile)).toMatchObject({ reference: 1 });
});
