import { type Database, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterEach, expect, test } from 'vitest';
import type { ClosedDay } from '../src/domain/books/close-day.ts';
import type { Imported } from '../src/domain/books/import-statements.ts';
import type { BookException, Exceptions } from '../src/domain/books/list-exceptions.ts';
import type { Statement, StatementLine } from '../src/domain/books/statement.ts';
import type { BooksReport } from '../src/domain/books/verify-books.ts';
import { updateSettlement } from '../src/domain/settlements/update.ts';
import { isBankingDay, nextBankingDay } from '../src/domain/tenants/banking-days.ts';
import { addDays } from '../src/domain/tenants/calendar.ts';
import type { TenantTime } from '../src/domain/tenants/time.ts';
import { administer, type OperatorRequest } from '../src/operator/administer.ts';
import type { VerifiedLedger } from '../src/operator/commands/ledger-verify.ts';
import { BadFile } from '../src/statements/bad-file.ts';
import { parseStatements, type StatementFormat } from '../src/statements/parse-statements.ts';
import { writeStatements } from '../src/statements/write-statements.ts';
import { playAch } from './payments/play-ach.ts';
import { day as dayMs, playPayments } from './payments/play-payments.ts';
import { playPayouts } from './payments/play-payouts.ts';
import { openStage, type Stage } from './support/open-stage.ts';

// A month of two portals, closed day by day through the operator's commands. One debits each settlement,
// the other gets payouts. The bank and the processor send files, some of them wrong.

/** A processor whose month is closed. */
interface Adapter {
  readonly name: string;
  open(now: string): Promise<Opened>;
  /** The errors that the bank makes on a day, and the findings that must follow. */
  readonly errors: Readonly<Record<string, BankError>>;
  /** How many entries and lines of the bank account those errors leave open. */
  readonly openAtBank: number;
}

interface BankError {
  readonly change: Change;
  readonly found: RegExp;
}

interface Opened {
  readonly stage: Stage;
  /** Moves wall time and does everything that is due. Undefined if only the lanes have work. */
  readonly pass?: (ms: number) => Promise<void>;
  /** The bank's bookings for the processor, in place of the simulator's deposits. */
  readonly booked?: (from: string, to: string) => readonly StatementLine[];
  /** Returns the cents of debits at the bank that can still be returned. */
  readonly inFlight?: () => Promise<number>;
  /** Makes a tenant's bank return a payment. Undefined if the simulator does so itself. */
  readonly returnCharge?: () => void;
  close(): Promise<void>;
}

const simulated: Adapter = {
  name: 'the simulator',
  async open(now) {
    const opened = await openStage({ now });
    return { stage: opened, close: opened.close };
  },
  get errors() {
    return bankErrors;
  },
  openAtBank: 6,
};

/** ACH has no processor's report: the bank's statement has everything. */
const byFiles: Adapter = {
  name: 'ACH files',
  async open(now) {
    const { returnCharge, ...ach } = await playAch(now);
    return { ...ach, returnCharge: () => returnCharge(disputedAccount, 'R10') };
  },
  get errors() {
    return achErrors;
  },
  openAtBank: 9,
};

const disputedAccount = '000222220009';
const bouncingAccount = '000111110001';

let opened: Opened;
let stage: Stage;
afterEach(() => opened.close());

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

async function answerTo(request: OperatorRequest) {
  const { db, service } = stage as { db: Database } & Stage;
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const commands = { db, clock, vault: service.vault, service };
  const parts = { commands, service, log: quiet, revoked: () => {} };
  return administer(parts, request, { user: 'anna', reason: 'a month of tests' });
}

async function run<T>(request: OperatorRequest): Promise<T> {
  const answer = await answerTo(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as T;
}

async function refusalOf(request: OperatorRequest): Promise<string> {
  const answer = await answerTo(request);
  if (answer.ok) throw new Error('It was not refused.');
  return answer.message;
}

const importing = (bank: string, text: string): OperatorRequest => ({
  command: 'statement import',
  bank,
  statements: { file: `${bank}.txt`, ...parseStatements(Buffer.from(text)) },
});

const exceptions = async (): Promise<readonly BookException[]> =>
  (await run<Exceptions>({ command: 'books exceptions' })).items;

type Change = (lines: readonly StatementLine[], day: string) => readonly StatementLine[];

/** Returns the simulator's file up to a day, with changed lines that its balance includes. */
async function fileOf(bank: string, until: string, format: StatementFormat, change: Change) {
  const { text } = await run<{ text: string }>({
    command: 'statement simulate',
    bank,
    day: until,
    format,
  });
  const { statements } = parseStatements(Buffer.from(text));
  const { booked } = opened;
  let opening = statements[0]?.openingInCents ?? 0;
  const changed = statements.map((it): Statement => {
    const real = booked ? [...it.lines.filter(isNoDeposit), ...booked(it.from, it.to)] : it.lines;
    const lines = it.to === until ? change(real, until) : real;
    const openingInCents = opening;
    opening = lines.reduce((sum, line) => sum + line.amountInCents, opening);
    return { ...it, lines, openingInCents, closingInCents: opening };
  });
  return writeStatements({ format, statements: changed });
}

const isNoDeposit = (it: StatementLine) => !it.reference.startsWith('PROCESSOR-');
const isFile = (it: StatementLine) => it.reference.startsWith('ACH-') && it.amountInCents > 0;
const isReturn = (it: StatementLine) => /^02100002\d{7}$/.test(it.reference);
const isPayout = (it: StatementLine) => it.reference.startsWith('pyt_') && it.amountInCents < 0;
const isDebit = (it: StatementLine) => it.reference.startsWith('ach-') && it.amountInCents < 0;
/** Changes the first line that meets a condition. */
const first =
  (
    matches: (line: StatementLine) => boolean,
    replace: (line: StatementLine) => StatementLine[],
  ): Change =>
  (lines) => {
    const found = lines.findIndex(matches);
    if (found === -1) throw new Error('The bank has no such line on this day.');
    return lines.flatMap((line, index) => (index === found ? replace(line) : [line]));
  };
const unchanged: Change = (lines) => lines;

interface Play {
  readonly pass: (ms: number) => Promise<void>;
  readonly debit: (day: string) => Promise<number>;
  readonly business: (number: number) => Promise<void>;
  readonly payouts: ReturnType<typeof playPayouts>;
}

/** Two portals with tenants whose payments arrive, wait, come short, are returned or refunded. */
async function playBusiness(): Promise<Play> {
  const debiting = await stage.newPartner();
  const paid = await stage.newPartner();
  const one = playPayments(stage, debiting);
  const two = playPayments(stage, paid);
  const payouts = playPayouts(stage, paid);
  await payouts.schedule('two operating');
  let debits = 0;
  const tenants = new Map<string, Awaited<ReturnType<typeof one.toPlanChoice>>>();
  const begin = async (play: typeof one, id: string, account?: string) => {
    const actor = await play.toPlanChoice(id, account);
    tenants.set(id, actor);
    await play.accept(actor);
  };
  return {
    pass: opened.pass ?? one.pass,
    /** The first portal debits what it is owed. Returns how many debits. */
    async debit(day) {
      let count = 0;
      const due = await rowsOf<{ id: string }>(
        stage.db,
        sql`
        select id from settlement
        where partner_id = ${debiting.partnerId} and status = 'unsettled'`,
      );
      for (const { id } of due) {
        debits += 1;
        const input = {
          status: 'verified' as const,
          processor_transaction_id: `ach-${day}-${debits}`,
        };
        await stage.run(debiting, (ctx) => updateSettlement(ctx, { id, input }));
        count += 1;
      }
      return count;
    },
    async business(number) {
      // Rent that is due on 1 February can be split in these days.
      if (number < 11) await begin(one, `one-${number}`);
      if (number < 11 && number % 2 === 0) {
        await begin(two, `two-${number}`, number === 0 ? disputedAccount : undefined);
      }
      if (number === 1 && opened.returnCharge) await begin(one, 'bounces', bouncingAccount);
      if (number === 2) await begin(one, 'waits', '000111110003');
      if (number === 3) await begin(two, 'short', '000111110004');
      const payer = tenants.get('one-0');
      const other = tenants.get('two-0');
      if (number === 5 && payer) await one.refund(payer, 5_000);
      if (number === 7 && payer) {
        const paid = await one.succeededPayment(payer, () => 0);
        await one.refundByOperators(paid?.id ?? '', 2_500);
      }
      if (number === 8) opened.returnCharge?.();
      if (number === 8 && other && !opened.returnCharge) {
        const paid = await two.succeededPayment(other, () => 0);
        await stage.service.simulator?.planReturn(stage.plain, {
          tenant: other,
          key: paid?.id ?? '',
          returnCode: 'R10',
          at: new Date(stage.clock.now.getTime() + dayMs) as TenantTime,
        });
      }
      if (number === 9 && other) await two.pay(other, [2]);
      // A payout fails after its webhook, one is returned, and one is less by the landlord's credit.
      if (number === 4) await payouts.schedule('two fails');
      if (number === 5) await payouts.schedule('two operating');
      if (number === 8) await payouts.schedule('two returned');
      if (number === 9) await payouts.schedule('two operating');
      if (number === 10 && other) await two.refund(other, 3_000);
    },
    payouts,
  };
}

const missing = /No statement has this reference/;
const doubled = /Another line with this reference and amount is matched: it may be doubled/;

const bankErrors: Adapter['errors'] = {
  '2026-01-28': { change: first(isDebit, () => []), found: /No statement has this reference/ },
  '2026-02-03': {
    change: first(isDebit, (it) => [it, it]),
    found: /Another line with this reference and amount is matched: it may be doubled/,
  },
  '2026-02-04': { change: first(isPayout, () => []), found: /No statement has this reference/ },
  '2026-02-05': {
    change: first(isDebit, (it) => [{ ...it, amountInCents: it.amountInCents - 900 }]),
    found: /The ledger has other amounts for this reference/,
  },
  '2026-02-09': {
    change: (lines, day) => [
      ...lines,
      {
        fileLine: 0,
        kind: 'entry',
        bookedOn: day,
        amountInCents: -1_500,
        reference: 'FEE-0209',
        description: 'Account fee',
      },
    ],
    found: /The ledger has nothing with this reference/,
  },
};

/** Payments by ACH succeed four banking days later, so the portals are paid from 30 January on. */
const achErrors: Adapter['errors'] = {
  '2026-01-29': { change: first(isReturn, (it) => [it, it]), found: doubled },
  '2026-01-30': { change: first(isFile, () => []), found: missing },
  '2026-02-02': { change: first(isDebit, () => []), found: missing },
  '2026-02-03': bankErrors['2026-02-03'] as BankError,
  '2026-02-04': bankErrors['2026-02-04'] as BankError,
  '2026-02-05': bankErrors['2026-02-05'] as BankError,
  '2026-02-09': bankErrors['2026-02-09'] as BankError,
};

const formats: readonly StatementFormat[] = ['csv', 'bai2', 'camt053'];

test.each([simulated, byFiles])(
  'a month with $name is closed day by day, and every injected error is found',
  async (adapter) => {
    opened = await adapter.open('2026-01-25T18:00:00Z');
    stage = opened.stage;
    const hasReport = !opened.booked;
    const start = '2026-01-26';
    const play = await playBusiness();
    await run({
      command: 'bank add',
      name: 'operating',
      currency: 'USD',
      account_last4: '6789',
      ledger_account: 'cash',
      starts_on: start,
    });
    if (hasReport) {
      await run({
        command: 'bank add',
        name: 'processor',
        currency: 'USD',
        account_last4: 'sim1',
        ledger_account: 'processor_clearing',
        starts_on: start,
      });
    }
    const importReport = async (until: string) => {
      if (!hasReport) return;
      const file = await fileOf('processor', until, 'csv', unchanged);
      await run<Imported>(importing('processor', file));
    };
    const found = new Map<string, BookException>();
    let refused = 0;
    let closes = 0;
    let day = start;
    for (; day <= '2026-02-24'; day = nextBankingDay(addDays(day, 1))) {
      // From the evening before over the weekend to this day's noon, and to the next day.
      while (stage.clock.now < new Date(`${day}T17:00:00Z`)) await play.pass(dayMs / 4);
      await play.business(closes);
      await play.debit(day);
      await play.pass(dayMs / 2);
      const format = formats[closes % formats.length] ?? 'csv';
      const error = adapter.errors[day];
      const bankFile = await fileOf('operating', day, format, error?.change ?? unchanged);
      if (closes === 3) {
        refused += await refuseBadFiles(bankFile, format);
        const later = nextBankingDay(addDays(day, 1));
        // Without this day's file, the next one does not follow.
        expect(
          await refusalOf({
            command: 'books close',
            day: addDays(stage.clock.now.toISOString().slice(0, 10), 5),
          }),
        ).toContain('has not ended');
        const { statements } = parseStatements(Buffer.from(bankFile));
        const gap = statements.map((it) => ({
          ...it,
          from: later,
          to: later,
          lines: [],
          closingInCents: it.openingInCents,
        }));
        expect(
          await refusalOf(
            importing('operating', writeStatements({ format, statements: gap.slice(-1) })),
          ),
        ).toMatch(new RegExp(`the statement of ${day} is missing`));
        refused += 1;
      }
      await run<Imported>(importing('operating', bankFile));
      await importReport(day);
      expect(await run<Imported>(importing('operating', bankFile))).toMatchObject({
        imported: 0,
        lines: 0,
      });
      await play.pass(dayMs / 4);
      const closed = await run<ClosedDay>({ command: 'books close', day });
      closes += 1;
      for (const it of closed.unmatched) found.set(it.item, it);
      if (error) expect(closed.unmatched.map((it) => it.why).join('\n')).toMatch(error.found);
    }
    expect(closes).toBe(21);
    expect(refused).toBe(5);
    expect(isBankingDay('2026-02-16')).toBe(false);

    // What was on its way on the last evening arrives on the next day.
    await play.pass(dayMs / 2);
    await run(importing('operating', await fileOf('operating', day, 'csv', unchanged)));
    await importReport(day);
    await run({ command: 'books reconcile' });
    await expectOnlyInjected([...found.values()], adapter.openAtBank);
    await resolveAll();
    const report = await run<BooksReport>({ command: 'books verify' });
    expect(report.faults).toEqual([]);
    expect(report.exceptions.items).toEqual([]);
    expect(report.seals).toBe(21);
    const compared = report.sides.filter(
      (it) => hasReport || it.ledger_account !== 'processor_clearing',
    );
    for (const side of compared) expect(side.ledger_in_cents).toBe(side.statements_in_cents);
    if (hasReport) {
      const { ledger_in_cents, processor_in_cents, bank_in_cents } = report.deposits;
      expect([processor_in_cents, bank_in_cents]).toEqual([ledger_in_cents, ledger_in_cents]);
      expect(ledger_in_cents).toBeGreaterThan(500_000);
    } else {
      await expectClearing();
    }
    const ledger = await run<VerifiedLedger>({ command: 'ledger verify', full: true });
    expect(ledger.faults).toEqual([]);
    expect(ledger.books).toEqual(report);
    await expectPayouts(play.payouts);
    const kinds = await rowsOf<{ kind: string }>(
      stage.db,
      sql`select distinct kind from bank_line order by kind`,
    );
    expect(kinds.map((it) => it.kind)).toEqual(
      hasReport ? ['charge', 'deposit', 'entry', 'fee', 'refund', 'return'] : ['entry'],
    );
    const audited = await rowsOf<{ action: string }>(
      stage.db,
      sql`select distinct action from audit_entry where partner_id = 'operator' order by action`,
    );
    expect(audited.map((it) => it.action)).toEqual(
      expect.arrayContaining([
        'bank.added',
        'books.adjusted',
        'books.closed',
        'statement.imported',
      ]),
    );
  },
  600_000,
);

/** Checks that, of the cash from ACH files, the clearing accounts hold only what can still be returned. */
async function expectClearing(): Promise<void> {
  const { clearing, brought } = await oneRowOf<Record<string, number>>(
    stage.db,
    sql`
    select
      (select sum(e.amount_in_cents)::int8 from ledger_entry e
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
        where a.kind in ('ach_clearing', 'processor_clearing')) as clearing,
      (select sum(e.amount_in_cents)::int8 from ledger_entry e
        join ledger_transfer l on l.partner_id = e.partner_id and l.id = e.transfer_id
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
        where a.kind = 'cash' and l.kind like 'ach%') as brought`,
  );
  expect(clearing).toBe(0 - ((await opened.inFlight?.()) ?? 0));
  expect(brought).toBeGreaterThan(500_000);
}

/** Checks that the second portal has all that it is owed, and that every payout's statement adds up. */
async function expectPayouts(payouts: Play['payouts']): Promise<void> {
  await payouts.check();
  const all = await payouts.payouts();
  expect(new Set(all.map((it) => it.status))).toEqual(new Set(['paid', 'failed', 'returned']));
  expect(new Set(await payouts.settlements())).toEqual(new Set(['verified']));
  const statements = await Promise.all(all.map((it) => payouts.statement(it.id)));
  for (const { lines, amount_in_cents } of statements) {
    expect(lines.reduce((sum, it) => sum + it.amount_in_cents, 0)).toBe(amount_in_cents);
  }
  const lines = statements.flatMap((it) => it.lines);
  expect(lines.filter((it) => it.carried_from !== null).length).toBeGreaterThanOrEqual(2);
  expect(lines.filter((it) => it.kind === 'refund')).toMatchObject([{ amount_in_cents: -3_000 }]);
  const events = await payouts.events();
  expect(events.filter((it) => it === 'payout.created')).toHaveLength(all.length);
}

/** Files that are wrong as a whole. Returns how many were refused. */
async function refuseBadFiles(file: string, format: StatementFormat): Promise<number> {
  const { statements } = parseStatements(Buffer.from(file));
  const rewritten = (change: Partial<Statement>) =>
    writeStatements({ format, statements: statements.map((it) => ({ ...it, ...change })) });
  const cases: readonly (readonly [string, RegExp])[] = [
    [rewritten({ currency: 'CAD' }), /Line \d+: the statement is in CAD, but operating is in USD/],
    [
      rewritten({ account: '0000001111' }),
      /Line \d+: the statement is of an account that ends with 1111/,
    ],
    [rewritten({ closingInCents: 1 }), /Line \d+: .*closing balance/],
  ];
  for (const [text, message] of cases) {
    expect(await refusalOf(importing('operating', text))).toMatch(message);
  }
  expect(() => importing('operating', file.slice(0, -20))).toThrow(BadFile);
  return cases.length + 1;
}

/** Checks that only the injected errors, the processor's fees and money in transit were ever open. */
async function expectOnlyInjected(
  found: readonly BookException[],
  openAtBank: number,
): Promise<void> {
  const still = await exceptions();
  const names = still.map((it) => `${it.kind} ${it.amount_in_cents} ${it.why}`).join('\n');
  // Missing, a debit and a payout: their entries. Doubled: the second line. Another amount: line and entry.
  // Unknown: the line.
  const ofBank = still.filter((it) => it.ledger_account === 'cash');
  expect(ofBank.length, names).toBe(openAtBank);
  expect(ofBank.filter((it) => it.kind === 'payout_paid')).toHaveLength(1);
  const ofProcessor = still.filter((it) => it.ledger_account === 'processor_clearing');
  // Without a report, nothing is compared with the processor.
  const kinds = opened.booked ? [] : ['fee'];
  expect([...new Set(ofProcessor.map((it) => it.kind))], names).toEqual(kinds);
  expect(found.length).toBeGreaterThanOrEqual(still.length);
}

/**
 * Explains every exception as the operator: fees are costs, and the bank's errors are written off. If a line and an
 * entry have one reference and different amounts, only the difference is written off.
 */
async function resolveAll(): Promise<void> {
  const all = await exceptions();
  const lines = all.filter((it) => it.bank !== null && it.reference !== '');
  for (const line of lines) {
    const same = all.filter(
      (it) => it.reference === line.reference && it.ledger_account === line.ledger_account,
    );
    if (!same.some((it) => it.bank === null)) continue;
    const items = same.map((it) => it.item);
    await run({ command: 'books match', items, account: 'books_difference' });
  }
  for (const { item, kind, bank, reference } of await exceptions()) {
    const partner = bank === null ? {} : { pms: 'partner-1' };
    if (kind === 'fee' || reference.startsWith('FEE-')) {
      await run({ command: 'books adjust', item, account: 'processing_cost', ...partner });
    } else {
      await run({ command: 'books assign', item, owner: 'ben' });
      await run({ command: 'books write-off', item, ...partner });
    }
  }
}
