import { type Database, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterEach, expect, test } from 'vitest';
import type { Exceptions } from '../src/domain/books/list-exceptions.ts';
import type { StatementLine } from '../src/domain/books/statement.ts';
import type { BooksReport } from '../src/domain/books/verify-books.ts';
import { verifyLedger } from '../src/domain/ledger/verify.ts';
import { measureStored } from '../src/metrics/measure-stored.ts';
import { administer, type OperatorRequest } from '../src/operator/administer.ts';
import { listFiles, resendFile } from '../src/processors/ach/manage-files.ts';
import { parseStatements } from '../src/statements/parse-statements.ts';
import { writeStatements } from '../src/statements/write-statements.ts';
import { playAch } from './payments/play-ach.ts';
import { playPayments } from './payments/play-payments.ts';

// The bank moves our account when ACH entries settle and when they come back. The ledger's cash follows it
// to the day, and the clearing accounts are empty once every entry has its outcome.

const hourMs = 3_600_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let ach: Awaited<ReturnType<typeof playAch>>;
afterEach(() => ach.close());

async function run<T>(request: OperatorRequest): Promise<T> {
  const { stage } = ach;
  const { db, service } = stage as { db: Database } & typeof stage;
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const parts = { commands: { db, clock, vault: service.vault, service }, service, log: quiet };
  const by = { user: 'anna', reason: 'a test of deposits' };
  const answer = await administer({ ...parts, revoked: () => {} }, request, by);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as T;
}

/** Cents of all partners. */
async function balances() {
  const rows = await rowsOf<{ kind: string; amount: number }>(
    ach.stage.plain,
    sql`
    select a.kind, sum(e.amount_in_cents)::int8 as amount from ledger_entry e
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where a.kind in ('cash', 'ach_clearing', 'processor_clearing') group by a.kind`,
  );
  return {
    cash: 0,
    ach_clearing: 0,
    processor_clearing: 0,
    ...Object.fromEntries(rows.map((it) => [it.kind, it.amount])),
  };
}

/** Two portals with a tenant each, and a tenant whose first debit comes back, on a Monday. */
async function begin() {
  ach = await playAch('2026-02-02T17:00:00Z');
  const { stage } = ach;
  const one = playPayments(stage, await stage.newPartner());
  const two = playPayments(stage, await stage.newPartner());
  await one.accept(await one.toPlanChoice('pays', '000222220001'));
  await two.accept(await two.toPlanChoice('pays', '000222220002'));
  await one.accept(await one.toPlanChoice('bounces', '000111110001'));
  await run({
    command: 'bank add',
    name: 'operating',
    currency: 'USD',
    account_last4: '6789',
    ledger_account: 'cash',
    starts_on: '2026-02-02',
  });
}

async function importLines(to: string, lines: readonly StatementLine[]): Promise<void> {
  const text = writeStatements({
    format: 'csv',
    statements: [
      {
        fileLine: 0,
        account: '006789',
        currency: 'USD',
        from: '2026-02-02',
        to,
        openingInCents: 0,
        closingInCents: lines.reduce((sum, it) => sum + it.amountInCents, 0),
        lines,
      },
    ],
  });
  const statements = { file: 'bank.csv', ...parseStatements(Buffer.from(text)) };
  await run({ command: 'statement import', bank: 'operating', statements });
  await run({ command: 'books reconcile' });
}

const asSent = (line: StatementLine): StatementLine => line;
const withoutReference = (line: StatementLine): StatementLine => ({ ...line, reference: '' });

test.each([
  ['names files and traces', asSent],
  ['has no references', withoutReference],
])('a settled day empties clearing and matches a statement that %s', async (_, change) => {
  await begin();
  // Monday's file settles on Tuesday morning, before anybody knows what comes back.
  await ach.pass(25 * hourMs);
  const settled = await balances();
  expect(settled.cash).toBeGreaterThan(0);
  expect(settled).toMatchObject({ ach_clearing: -settled.cash, processor_clearing: 0 });
  // One debit is returned. On Friday the others become payments, which are deposited on Monday.
  await ach.pass(6 * 24 * hourMs);
  const after = await balances();
  expect(after.cash).toBeGreaterThan(0);
  expect(after.cash).toBeLessThan(settled.cash);
  expect(after).toMatchObject({ ach_clearing: 0, processor_clearing: 0 });
  const lines = ach.booked('2026-02-02', '2026-02-09').map(change);
  expect(lines).toHaveLength(2);
  await importLines('2026-02-09', lines);
  expect((await run<Exceptions>({ command: 'books exceptions' })).items).toEqual([]);
  const books = await run<BooksReport>({ command: 'books verify' });
  expect(books.faults).toEqual([]);
  expect(books.sides[0]).toMatchObject({ ledger_in_cents: after.cash, open_lines: 0 });
  expect((await ach.stage.plain.transaction(verifyLedger)).faults).toEqual([]);
  // Nothing waits for a deposit: neither an erasure nor SvcMoneyUndeposited nor SvcLaneLate.
  const { db, clock } = ach.stage as { db: Database } & typeof ach.stage;
  const measured = await measureStored(db, clock.now);
  expect(measured.svc_undeposited_cents).toEqual([{ value: 0 }]);
  expect(measured.svc_lane_lag_seconds).toContainEqual({ labels: { lane: 'deposits' }, value: 0 });

  // After the tenant's bank returns a payment weeks later, only the next debits are left there.
  ach.returnCharge('000222220001', 'R10');
  const before = (await balances()).cash;
  await ach.pass(2 * 24 * hourMs);
  const late = await balances();
  const inFlight = await ach.inFlight();
  expect(late).toMatchObject({ ach_clearing: -inFlight, processor_clearing: 0 });
  expect(late.cash - inFlight).toBeLessThan(before);
  expect((await ach.stage.plain.transaction(verifyLedger)).faults).toEqual([]);
});

test('a file that the bank refuses after its settlement day moved no money', async () => {
  await begin();
  await ach.pass(25 * hourMs);
  expect((await balances()).cash).toBeGreaterThan(0);
  const { db, clock } = ach.stage as { db: Database } & typeof ach.stage;
  const [file] = (await listFiles(db, clock.now)).items;
  await ach.stage.run({ kind: 'system' }, (ctx) => resendFile(ctx, file?.id ?? ''));
  expect(await balances()).toEqual({ cash: 0, ach_clearing: 0, processor_clearing: 0 });
  await importLines('2026-02-03', []);
  expect((await run<Exceptions>({ command: 'books exceptions' })).items).toEqual([]);
  expect((await run<BooksReport>({ command: 'books verify' })).faults).toEqual([]);
});
