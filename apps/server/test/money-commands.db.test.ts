import { type Database, raw, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PartnerActor } from '../src/domain/access/actor.ts';
import { applyEvents } from '../src/domain/disputes/apply-events.ts';
import type { ProcessorEvent } from '../src/domain/payments/processor.ts';
import { receiveEvents } from '../src/domain/payments/receive-events.ts';
import { updateSettlement } from '../src/domain/settlements/update.ts';
import { type Answer, administer, type OperatorRequest } from '../src/operator/administer.ts';
import { commands } from '../src/operator/commands/index.ts';
import type { Manner } from '../src/operator/run-once.ts';
import { playPayments } from './payments/play-payments.ts';
import { runEntry } from './run-entry.ts';
import { booksStage } from './support/books-stage.ts';
import { openStage, type Stage } from './support/open-stage.ts';

let stage: Stage;
let partner: PartnerActor;
let books: ReturnType<typeof booksStage>;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

beforeAll(async () => {
  stage = await openStage({ now: '2026-02-02T15:00:00Z' });
  partner = await stage.newPartner();
  await run({
    command: 'payout schedule',
    pms: partner.pms,
    method: 'credit',
    destination: 'maple by hand',
    cut_off_hour: 17,
  });
  books = booksStage(stage);
  await books.addBank('bank');
});
afterAll(() => stage.close());

/** For each command that moves money: a request that succeeds once. */
const preparations: Readonly<Record<string, () => Promise<OperatorRequest>>> = {
  'payment refund': async () => ({
    command: 'payment refund',
    payment_id: await succeededPayment(),
    amount_in_cents: 1_000,
  }),
  'payment return': async () => ({
    command: 'payment return',
    payment_id: await succeededPayment(),
    code: 'R10',
  }),
  'plan move': async () => {
    await acceptPlan();
    return {
      command: 'plan move',
      plan_id: (await newest('plan')).id,
      payment_number: 4,
      due_date: '2026-02-25',
    };
  },
  'plan cancel': async () => {
    await acceptPlan(partner, '000111110003');
    return { command: 'plan cancel', plan_id: (await newest('plan')).id };
  },
  'plan waive-fee': async () => {
    await acceptPlan();
    return {
      command: 'plan waive-fee',
      plan_id: (await newest('plan')).id,
      amount_in_cents: 1_000,
    };
  },
  'dispute book': async () => {
    const payment = await succeededPayment();
    const dispute = `du_${payment}`;
    await report({
      kind: 'disputed',
      charge: { key: payment, ref: null },
      dispute: {
        ref: dispute,
        status: 'lost',
        returnCode: 'charged_back',
        amountInCents: 41_003,
        answerBy: null,
        withdrawnInCents: 41_003,
        reinstatedInCents: null,
        // A part of it came back, and nothing says how much.
        reinstatedAtMostInCents: 41_003,
      },
    });
    return { command: 'dispute book', dispute, amount_in_cents: 25_000 };
  },
  'settlement reopen': async () => {
    // A portal that debits us itself. The other one is paid in payouts.
    const debiting = await stage.newPartner();
    await acceptPlan(debiting);
    const { id } = await newest('settlement');
    for (const status of ['unverified', 'failed'] as const) {
      await stage.run(debiting, (ctx) => updateSettlement(ctx, { id, input: { status } }));
    }
    return { command: 'settlement reopen', settlement_id: id };
  },
  'payout create': async () => {
    await acceptPlan();
    return { command: 'payout create', pms: partner.pms };
  },
  'payout adjust': async () => ({
    command: 'payout adjust',
    pms: partner.pms,
    amount_in_cents: -4_100,
    account: 'credit_loss',
  }),
  'payout send': async () => ({ command: 'payout send', payout_id: await createPayout() }),
  'payout confirm': async () => ({
    command: 'payout confirm',
    payout_id: await createPayout('payout send'),
    reference: 'FB-77',
  }),
  'payout fail': async () => ({
    command: 'payout fail',
    payout_id: await createPayout('payout send'),
  }),
  'payout return': async () => ({
    command: 'payout return',
    payout_id: await createPayout('payout send', 'payout confirm'),
  }),
  'books adjust': async () => ({
    command: 'books adjust',
    item: await unmatchedLine('2026-03-02'),
    account: 'processing_cost',
    pms: partner.pms,
  }),
  'books write-off': async () => ({
    command: 'books write-off',
    item: await unmatchedLine('2026-03-03'),
    pms: partner.pms,
  }),
  'books match': () => matchOfDay('2026-03-04'),
  'books unmatch': async () => {
    const matched = await run(await matchOfDay('2026-03-05'));
    return { command: 'books unmatch', match_id: (matched as { match_id: string }).match_id };
  },
  'statement replace': async () => {
    const day = '2026-03-06';
    const statement = books.statementOf('bank', day, [['FEE', -100]]);
    await books.load('bank', statement);
    const corrected = {
      ...statement,
      closingInCents: statement.closingInCents - 50,
      lines: statement.lines.map((line) => ({ ...line, amountInCents: -150 })),
    };
    return {
      command: 'statement replace',
      bank: 'bank',
      statements: {
        file: 'corrected.csv',
        format: 'csv',
        statements: [corrected],
        unusable: [],
      },
    };
  },
  'ach resend': async () => ({ command: 'ach resend', file_id: await sentFile() }),
};

test('each command that moves money has a test below', () => {
  const names = commands.filter(({ money }) => money !== undefined).map(({ name }) => name);
  expect(Object.keys(preparations).sort()).toEqual(names.sort());
});

test.each(Object.entries(preparations))(
  '%s: a dry run changes nothing, and its key moves money once',
  async (command, prepare) => {
    const request = await prepare();
    const manner = { idempotencyKey: `ticket ${command}` };
    const before = await readDatabase();
    const dry = await answerTo(request, { ...manner, dryRun: true });
    expect(dry).toMatchObject({ ok: true });
    expect(dry).not.toHaveProperty('doneAt');
    expect(await readDatabase()).toEqual(before);

    const both = await Promise.all([answerTo(request, manner), answerTo(request, manner)]);
    const [first, second] = both.sort((a, b) => doneBefore(a) - doneBefore(b));
    expect([first, second].map(doneBefore)).toEqual([0, 1]);
    expect(resultOf(second)).toEqual(resultOf(first));
    // The dry run has announced what was then done. Only the ids are new.
    expect(withoutIds(dry)).toEqual(withoutIds(first));
    const after = await readDatabase();
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(changed).toEqual(expect.arrayContaining(['audit_entry', 'operator_request']));

    stage.clock.now = new Date(stage.clock.now.getTime() + 1_000);
    for (const dryRun of [false, true]) {
      const again = await answerTo(request, { ...manner, dryRun });
      expect(doneBefore(again)).toBe(1);
      expect(resultOf(again)).toEqual(resultOf(first));
    }
    expect(await answerTo({ command: 'payout create', pms: 'another' }, manner)).toMatchObject({
      ok: false,
      message: expect.stringContaining(`ticket ${command} belongs to another command, of anna`),
    });
    expect(await readDatabase()).toEqual(after);
  },
);

function answerTo(request: OperatorRequest, manner: Manner = {}): Promise<Answer> {
  const { db, service } = stage as Stage & { db: Database };
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const commands = { db, clock, vault: service.vault, service };
  const parts = { commands, service, log: quiet, revoked: () => {} };
  return administer(parts, request, { user: 'anna', reason: 'a test' }, manner);
}

async function run(request: OperatorRequest): Promise<object> {
  return resultOf(await answerTo(request));
}

function resultOf(answer: Answer | undefined): object {
  if (!answer?.ok) throw new Error(answer?.message ?? 'no answer');
  return answer.result;
}

const doneBefore = (answer: Answer) => (answer.ok && answer.doneAt !== undefined ? 1 : 0);

function withoutIds(answer: Answer | undefined): unknown {
  const text = JSON.stringify(resultOf(answer));
  return JSON.parse(text.replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1'));
}

let tenants = 0;
async function acceptPlan(of = partner, account?: string): Promise<void> {
  tenants += 1;
  const play = playPayments(stage, of);
  await play.accept(await play.toPlanChoice(`t-${tenants}`, account));
}

async function succeededPayment(): Promise<string> {
  await acceptPlan();
  return (await newest('payment')).id;
}

async function report(
  disputed: Omit<Extract<ProcessorEvent, { kind: 'disputed' }>, 'id' | 'occurredAt'>,
): Promise<void> {
  const { name } = stage.service.processor ?? { name: '' };
  await stage.run({ kind: 'system' }, async (ctx) => {
    await receiveEvents(ctx, name, [{ ...disputed, id: 'evt-1', occurredAt: stage.clock.now }]);
    await applyEvents(ctx, { limit: 1 });
  });
}

/** A payout by hand, after these commands. */
async function createPayout(...moves: ('payout send' | 'payout confirm')[]): Promise<string> {
  await acceptPlan();
  const { id } = (await run({ command: 'payout create', pms: partner.pms })) as { id: string };
  for (const command of moves) await run({ command, payout_id: id });
  return id;
}

/** A line of a statement that the ledger lacks. */
async function unmatchedLine(day: string): Promise<string> {
  await books.load('bank', books.statementOf('bank', day, [['FEE', -100]]));
  return (await newest('bank_line')).id;
}

/** A match of two lines with one entry of the ledger, which the rules do not find. */
async function matchOfDay(day: string): Promise<OperatorRequest> {
  const entry = await books.postEntry(partner.partnerId, [`ref_${day}`, -300], { day });
  const drafts = [[`A ${day}`, -210] as const, [`B ${day}`, -90] as const];
  await books.load('bank', books.statementOf('bank', day, drafts));
  const lines = await rowsOf<{ id: string }>(
    stage.plain,
    sql`select id from bank_line order by id desc limit 2`,
  );
  await run({ command: 'books reconcile' });
  return { command: 'books match', items: [...lines.map(({ id }) => id), `${entry}/cash`] };
}

/** A file that the bank has not answered, with one debit. */
async function sentFile(): Promise<string> {
  const payment = await succeededPayment();
  const id = 'ach_00000000000000000000000001';
  await stage.plain.run(sql`
    insert into ach_file (id, direction, name, state, created_on, modifier, entries, created_at,
      changed_at)
    values (${id}, 'out', 'ACH-2026-02-02-A.txt', 'sent', '2026-02-02', 'A', 1, ${stage.clock.now},
      ${stage.clock.now})`);
  await stage.plain.run(sql`
    insert into ach_entry (partner_id, key, tenant_id, kind, payment_method_id, amount_in_cents,
      occasion, state, write_at, file_id, effective_on, settles_at, created_at)
    select y.partner_id, y.id, m.tenant_id, 'debit', m.id, y.amount_in_cents, 'single', 'sent',
      ${stage.clock.now}, ${id}, '2026-02-03', '2026-02-06', ${stage.clock.now}
    from payment y
      join payment_method m on m.partner_id = y.partner_id and m.id = y.payment_method_id
    where y.id = ${payment}`);
  return id;
}

function newest(table: 'settlement' | 'plan' | 'payment' | 'bank_line'): Promise<{ id: string }> {
  return oneRowOf(stage.plain, sql`select id from ${raw(table)} order by id desc limit 1`);
}

/** A digest of the rows of each table. */
async function readDatabase(): Promise<Record<string, string>> {
  const tables = await rowsOf<{ name: string }>(
    stage.plain,
    sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`,
  );
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, '' order by t::text)) as digest from "${name}" t`,
  );
  const rows = await rowsOf<{ name: string; digest: string | null }>(
    stage.plain,
    raw(digests.join(' union all ')),
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest ?? 'no rows']));
}

test('svc-admin runs a command that moves money, which outside a terminal needs a key', async () => {
  const refund = ['payment', 'refund', `pay_${'0'.repeat(26)}`, '--all', '--reason', 'a test'];
  const { code, stderr } = await runEntry('cli', { args: refund }).end();
  expect(stderr).toContain('Outside a terminal it needs --idempotency-key <key>');
  expect(code).toBe(2);
});
