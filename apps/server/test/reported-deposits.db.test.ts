import { type Database, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterEach, expect, test } from 'vitest';
import type { Exceptions } from '../src/domain/books/list-exceptions.ts';
import type { LineKind, StatementLine } from '../src/domain/books/statement.ts';
import type { BooksReport } from '../src/domain/books/verify-books.ts';
import { measureStored } from '../src/metrics/measure-stored.ts';
import { administer, type OperatorRequest } from '../src/operator/administer.ts';
import { parseStatements } from '../src/statements/parse-statements.ts';
import { writeStatements } from '../src/statements/write-statements.ts';
import { day, playPayments } from './payments/play-payments.ts';
import { openStage, type Stage } from './support/open-stage.ts';

// A processor, such as Stripe, that pays out when it likes. Only its balance report says so.

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let stage: Stage;
afterEach(() => stage.close());

async function answerTo(request: OperatorRequest) {
  const { db, service } = stage as { db: Database } & Stage;
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const parts = { commands: { db, clock, vault: service.vault, service }, service, log: quiet };
  const by = { user: 'anna', reason: 'a test of deposits' };
  return administer({ ...parts, revoked: () => {} }, request, by);
}

async function run<T>(request: OperatorRequest): Promise<T> {
  const answer = await answerTo(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as T;
}

type Draft = readonly [kind: LineKind, amountInCents: number, reference: string];

async function importDay(bank: string, last4: string, drafts: readonly Draft[]): Promise<void> {
  const lines = drafts.map(([kind, amountInCents, reference]): StatementLine => {
    const bookedOn = '2026-02-03';
    return { fileLine: 0, kind, bookedOn, amountInCents, reference, description: '' };
  });
  const closingInCents = lines.reduce((sum, it) => sum + it.amountInCents, 0);
  const days = { from: '2026-02-02', to: '2026-02-03' };
  const about = { fileLine: 0, account: last4, currency: 'USD', openingInCents: 0, closingInCents };
  const text = writeStatements({ format: 'csv', statements: [{ ...about, ...days, lines }] });
  const statements = { file: `${bank}.csv`, ...parseStatements(Buffer.from(text)) };
  await run({ command: 'statement import', bank, statements });
  await run({ command: 'books reconcile' });
}

test('a reported deposit is booked as cash of each portal, and nothing waits for another one', async () => {
  stage = await openStage({
    now: '2026-02-02T15:00:00Z',
    processor: (simulator) => ({ ...simulator, deposits: 'report' }),
  });
  const partner = await stage.newPartner();
  const other = await stage.newPartner();
  const play = playPayments(stage, partner);
  const tenant = await play.toPlanChoice('ada');
  await play.accept(tenant);
  const payment = await play.succeededPayment(tenant, () => 0);
  const others = playPayments(stage, other);
  const second = await others.toPlanChoice('ben');
  await others.accept(second);
  const paidOther = await others.succeededPayment(second, () => 0);
  await play.pass(2 * day);
  const bank = { command: 'bank add', currency: 'USD', starts_on: '2026-02-02' } as const;
  await run({ ...bank, name: 'operating', account_last4: '6789', ledger_account: 'cash' });
  await run({
    ...bank,
    name: 'processor',
    account_last4: 'sim1',
    ledger_account: 'processor_clearing',
  });
  const amount = payment?.amount ?? 0;
  const paidOut = amount + (paidOther?.amount ?? 0) - 330;
  await importDay('processor', 'sim1', [
    ['charge', amount, payment?.id ?? ''],
    ['charge', paidOther?.amount ?? 0, paidOther?.id ?? ''],
    ['fee', -330, 'fee-1'],
    ['deposit', -paidOut, 'po_1'],
  ]);
  await importDay('operating', '6789', [['entry', paidOut, 'STRIPE PO 1']]);
  const open = (await run<Exceptions>({ command: 'books exceptions', bank: 'processor' })).items;
  const itemOf = (kind: string) => open.find((it) => it.kind === kind)?.item ?? '';
  expect(open).toHaveLength(2);
  const adjust = { command: 'books adjust' } as const;
  const toCash = { ...adjust, item: itemOf('deposit'), account: 'cash' } as const;
  // Each portal's part is known only when all lines before it are explained.
  expect(await answerTo(toCash)).toMatchObject({
    ok: false,
    message: expect.stringContaining('Explain the open lines'),
  });
  const fee = { item: itemOf('fee'), account: 'processing_cost', pms: partner.pms } as const;
  await run({ ...adjust, ...fee });
  await run(toCash);
  await run({ command: 'books reconcile' });
  expect((await run<Exceptions>({ command: 'books exceptions' })).items).toEqual([]);
  const { faults, sides } = await run<BooksReport>({ command: 'books verify' });
  expect(faults).toEqual([]);
  for (const side of sides) expect(side.ledger_in_cents).toBe(side.statements_in_cents);
  // Clearing balances for each portal, not only in total.
  const clearing = await rowsOf<{ amount: number }>(
    stage.plain,
    sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as amount from ledger_entry e
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where a.kind = 'processor_clearing' group by a.partner_id`,
  );
  expect(clearing).toEqual([{ amount: 0 }, { amount: 0 }]);
  const { db, clock } = stage as { db: Database } & Stage;
  const measured = await measureStored(db, clock.now, { deposits: 'report' });
  expect(measured.svc_undeposited_cents).toEqual([{ value: 0 }]);
  expect(measured.svc_lane_lag_seconds).toContainEqual({ labels: { lane: 'deposits' }, value: 0 });

  // The tenant pays the rest; the erasure waits for the portal's debit only.
  await play.pay(tenant, [2, 3, 4]);
  await play.pass(2 * day);
  const erased = await answerTo({ command: 'tenant erase', pms: partner.pms, external_id: 'ada' });
  expect(erased).toMatchObject({
    ok: false,
    message: expect.stringContaining('has verified its debit'),
  });
});
