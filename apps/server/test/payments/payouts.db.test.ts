import { type Database, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PartnerActor } from '../../src/domain/access/actor.ts';
import type { PayoutRail } from '../../src/domain/payouts/rail.ts';
import { returnPayout, updatePayout } from '../../src/domain/payouts/report-payout.ts';
import { readPayoutStatementAsCsv } from '../../src/domain/payouts/statement.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { returnSettlement } from '../../src/domain/settlements/return.ts';
import { updateSettlement } from '../../src/domain/settlements/update.ts';
import { resetSimulation } from '../../src/domain/simulation/reset.ts';
import { payoutsLane } from '../../src/jobs/pay-out.ts';
import { measureStored } from '../../src/metrics/measure-stored.ts';
import { openStage, type Stage } from '../support/open-stage.ts';
import { createKiller, Killed } from './killable.ts';
import { minute, playPayments } from './play-payments.ts';
import { playPayouts } from './play-payouts.ts';

// 1 February 2026 is a Sunday. The cut-off is at 17:00 in New York, which is 22:00 in UTC.
const rent = 152_012;
// A sample of the points at which a process can be killed. `npm run test:payments` runs all of them.
const every = Number(process.env.SVC_KILL_EVERY ?? 15);
const hour = 60 * minute;
const killer = createKiller();
let wrapRail: (rail: PayoutRail) => PayoutRail | null = (it) => it;
let stage: Stage;
let partner: PartnerActor;
let play: ReturnType<typeof playPayments>;
let payouts: ReturnType<typeof playPayouts>;

beforeEach(async () => {
  stage = await openStage({
    now: '2026-02-01T15:00:00Z',
    wrap: killer.database,
    rail: (it) => wrapRail(it),
  });
  partner = await stage.newPartner();
  play = playPayments(stage, partner);
  payouts = playPayouts(stage, partner);
});
afterEach(async () => {
  wrapRail = (it) => it;
  await stage.close();
});

async function begin(externalId: string) {
  const tenant = await play.toPlanChoice(externalId);
  await play.accept(tenant);
  return tenant;
}

/** Passes to an instant, in steps of six hours. */
async function until(at: string): Promise<void> {
  const left = () => new Date(at).getTime() - stage.clock.now.getTime();
  while (left() > 0) await play.pass(Math.min(left(), 6 * hour));
}

const refused = (verb: Promise<unknown>) =>
  verb.then(
    () => 'not refused',
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return `${error.code}: ${error.message}`;
    },
  );

/** The metrics as Prometheus sees them. */
async function measured() {
  const db = stage.plain as Database;
  const { svc_payouts_overdue, svc_payouts_failing } = await measureStored(db, stage.clock.now);
  const [pending, sent] = svc_payouts_overdue.map((it) => it.value);
  return { pending, sent, failing: svc_payouts_failing[0]?.value };
}

test('a payout that waits for the operator is overdue after a banking day, then until it is confirmed', async () => {
  wrapRail = () => null;
  await stage.close();
  stage = await openStage({ now: '2026-02-06T15:00:00Z', rail: () => null });
  partner = await stage.newPartner();
  play = playPayments(stage, partner);
  payouts = playPayouts(stage, partner);
  await payouts.schedule('maple operating');
  await begin('t-1');
  await until('2026-02-09T23:00:00Z');
  const [waiting] = await payouts.payouts();
  expect(waiting).toMatchObject({ status: 'pending', day: '2026-02-06' });
  // The weekend does not count.
  expect(await measured()).toEqual({ pending: 0, sent: 0, failing: 0 });
  await until('2026-02-10T06:00:00Z');
  expect(await measured()).toMatchObject({ pending: 1, sent: 0 });
  await payouts.run({ command: 'payout send', payout_id: waiting?.id ?? '' });
  await until('2026-02-13T04:00:00Z');
  expect(await measured()).toEqual({ pending: 0, sent: 0, failing: 0 });
  await until('2026-02-13T06:00:00Z');
  expect(await measured()).toMatchObject({ pending: 0, sent: 1 });
  await payouts.run({ command: 'payout confirm', payout_id: waiting?.id ?? '' });
  expect(await measured()).toEqual({ pending: 0, sent: 0, failing: 0 });
});

test('in the sandbox, a destination by hand is left to the operator, and an earlier payout to the rail', async () => {
  await payouts.schedule('maple operating');
  await begin('t-1');
  const payout_id = (
    await payouts.run<{ id: string }>({ command: 'payout create', pms: partner.pms })
  ).id;
  expect(await payouts.refusalOf({ command: 'payout send', payout_id })).toContain(
    `is sent by simulator, which also reports what becomes of it. To rehearse these commands, schedule the portal with a destination such as "${partner.pms} by hand".`,
  );
  await payouts.schedule('maple by hand');
  await begin('t-2');
  const byHand = await payouts.run<{ id: string }>({ command: 'payout create', pms: partner.pms });
  await play.pass(minute);
  expect((await payouts.received()).map((it) => it.key)).toEqual([payout_id]);
  const named = { payout_id: byHand.id };
  expect(await payouts.run({ command: 'payout send', ...named })).toMatchObject({ status: 'sent' });
  expect(
    await payouts.run({ command: 'payout confirm', ...named, reference: 'FB-77' }),
  ).toMatchObject({ status: 'paid', reference: 'FB-77' });
  await payouts.check();
});

test('three payouts in a row that fail are counted until one arrives', async () => {
  await payouts.schedule('maple fails');
  await begin('t-1');
  await until('2026-02-04T23:00:00Z');
  expect(await measured()).toMatchObject({ failing: 0 });
  await until('2026-02-05T23:00:00Z');
  expect(await measured()).toMatchObject({ failing: 1 });
  await payouts.schedule('maple operating');
  await until('2026-02-10T12:00:00Z');
  expect(await measured()).toEqual({ pending: 0, sent: 0, failing: 0 });
});

test('settlements, a refund and an adjustment become one payout, whose statement adds up', async () => {
  await payouts.schedule('maple operating');
  const one = await begin('t-1');
  await begin('t-2');
  await until('2026-02-02T22:01:00Z');
  const [first] = await payouts.payouts();
  expect(first).toMatchObject({ status: 'sent', amount: 2 * rent, day: '2026-02-02' });
  expect(await payouts.settlements()).toEqual(['unverified', 'unverified']);
  await payouts.check();
  await until('2026-02-03T15:00:00Z');
  expect(await payouts.settlements()).toEqual(['verified', 'verified']);
  expect(await payouts.balances()).toMatchObject({ cash: expect.any(Number) });
  expect(await payouts.events()).toEqual(['payout.created', 'payout.sent', 'payout.paid']);

  await play.refund(one, 20_000);
  await payouts.run({
    command: 'payout adjust',
    pms: partner.pms,
    amount_in_cents: -1,
    account: 'books_difference',
  });
  await payouts.check();
  await begin('t-3');
  await until('2026-02-03T22:01:00Z');
  const [, second] = await payouts.payouts();
  expect(second?.amount).toBe(rent - 20_000 - 1);
  const statement = await payouts.statement(second?.id ?? '');
  expect(statement).toMatchObject({
    carried_forward_in_cents: 0,
    totals: [
      { kind: 'settlement', count: 1, amount_in_cents: rent },
      { kind: 'refund', count: 1, amount_in_cents: -20_000 },
      { kind: 'adjustment', count: 1, amount_in_cents: -1 },
    ],
    lines: [
      { number: 1, kind: 'settlement', external_id: 't-3' },
      { number: 2, kind: 'refund', external_id: 't-1' },
      { number: 3, kind: 'adjustment', external_id: null, reason: 'a test of payouts' },
    ],
  });
  const csv = await stage.run(partner, (ctx) =>
    readPayoutStatementAsCsv(ctx, { id: second?.id ?? '' }),
  );
  const rows = csv.trimEnd().split('\r\n').slice(1);
  const amounts = rows.map((it) => Number(it.replace(/'/g, '').split(',')[6]));
  expect(amounts.slice(0, -1).reduce((sum, it) => sum + it, 0)).toBe(amounts.at(-1));
  expect(amounts.at(-1)).toBe(second?.amount);
  await until('2026-02-05T15:00:00Z');
  await payouts.check();
  expect((await payouts.balances()).partner_payable).toBeUndefined();
});

test.each([
  ['fails', 'failed', ['payout.created', 'payout.sent', 'payout.failed']],
  ['refused', 'failed', ['payout.created', 'payout.failed']],
  ['returned', 'returned', ['payout.created', 'payout.sent', 'payout.paid', 'payout.returned']],
])('a payout that %s is carried forward into the next one', async (fate, status, events) => {
  await payouts.schedule(`maple ${fate}`);
  await begin('t-1');
  await until('2026-02-02T22:01:00Z');
  // The portal stops payouts, so that its lines wait until the account is right.
  await payouts.run({ command: 'money stop' });
  await until('2026-02-06T15:00:00Z');
  const [first] = await payouts.payouts();
  expect(first).toMatchObject({ status, reason: expect.stringMatching(/^R/) });
  expect(await payouts.settlements()).toEqual([status]);
  expect(await payouts.events()).toEqual(events);
  await payouts.check();

  await payouts.schedule('maple operating');
  await payouts.run({ command: 'money start' });
  await until('2026-02-06T22:01:00Z');
  expect(await payouts.settlements()).toEqual(['unverified']);
  await until('2026-02-09T15:00:00Z');
  const [, second] = await payouts.payouts();
  expect(second).toMatchObject({ status: 'paid', amount: rent });
  expect(await payouts.statement(second?.id ?? '')).toMatchObject({
    carried_forward_in_cents: rent,
    lines: [{ carried_from: first?.id }],
  });
  // The statement of the first one stays as it was.
  expect(await payouts.statement(first?.id ?? '')).toMatchObject({ amount_in_cents: rent });
  expect(await payouts.settlements()).toEqual(['verified']);
  await payouts.check();
});

test('an answer that is lost: the rail is asked, and nothing is sent twice', async () => {
  await payouts.schedule('maple lost');
  await begin('t-1');
  await until('2026-02-02T22:00:00Z');
  expect(await payouts.payouts()).toMatchObject([{ status: 'pending' }]);
  await play.pass(minute);
  expect(await payouts.payouts()).toMatchObject([{ status: 'sent' }]);
  await until('2026-02-03T15:00:00Z');
  expect(await payouts.payouts()).toMatchObject([{ status: 'paid' }]);
  expect(await payouts.received()).toHaveLength(1);
});

test('a call that the rail never received is sent again with the same key', async () => {
  const sent: string[] = [];
  wrapRail = (rail) => ({
    ...rail,
    async send(order) {
      sent.push(order.key);
      if (sent.length === 1) throw new Error('connection refused');
      return rail.send(order);
    },
  });
  await stage.close();
  stage = await openStage({ now: '2026-02-01T15:00:00Z', rail: wrapRail as never });
  partner = await stage.newPartner();
  play = playPayments(stage, partner);
  payouts = playPayouts(stage, partner);
  await payouts.schedule('maple operating');
  await begin('t-1');
  await until('2026-02-02T22:00:00Z');
  await play.pass(minute);
  expect(await payouts.payouts()).toMatchObject([{ status: 'sent' }]);
  expect(new Set(sent).size).toBe(1);
  expect(sent).toHaveLength(2);
});

describe('by the portal’s debit', () => {
  beforeEach(async () => {
    await payouts.schedule('', 'debit');
    await begin('t-1');
    await begin('t-2');
  });
  const report = (id: string, input: Parameters<typeof updatePayout>[1]['input']) =>
    stage.run(partner, (ctx) => updatePayout(ctx, { id, input }));

  test('the portal debits one amount, and the settlements follow', async () => {
    await until('2026-02-02T22:01:00Z');
    const [{ id, amount } = { id: '', amount: 0 }] = await payouts.payouts();
    expect(amount).toBe(2 * rent);
    const sent = { status: 'sent', processor_transaction_id: 'ach-1' } as const;
    expect(await report(id, sent)).toMatchObject({ reference: 'ach-1', version: 2 });
    expect(await report(id, sent)).toMatchObject({ version: 2 });
    expect(await payouts.settlements()).toEqual(['unverified', 'unverified']);
    expect(
      await refused(report(id, { status: 'paid', processor_transaction_id: 'ach-2' })),
    ).toContain('validation_failed');
    await report(id, { status: 'paid' });
    expect(await refused(report(id, { status: 'failed' }))).toBe(
      'payout_transition_invalid: A payout that is paid cannot become failed.',
    );
    await payouts.check();
    const returned = await stage.run(partner, (ctx) =>
      returnPayout(ctx, { id, input: { reason: 'R10' } }),
    );
    expect(returned).toMatchObject({ status: 'returned', failure_reason: 'R10' });
    expect(await payouts.settlements()).toEqual(['returned', 'returned']);
    await until('2026-02-03T22:01:00Z');
    expect(await payouts.payouts()).toMatchObject([
      { status: 'returned' },
      { status: 'pending', amount: 2 * rent },
    ]);
    expect(await payouts.settlements()).toEqual(['unsettled', 'unsettled']);
    await payouts.check();
  });

  test('a settlement cannot be debited beside its payout, before or after', async () => {
    const [{ id } = { id: '' }] = await rowsOf<{ id: string }>(
      stage.plain,
      sql`select id from settlement where partner_id = ${partner.partnerId}`,
    );
    const debit = () =>
      refused(
        stage.run(partner, (ctx) => updateSettlement(ctx, { id, input: { status: 'verified' } })),
      );
    expect(await debit()).toContain('Your settlements are paid in payouts');
    await until('2026-02-02T22:01:00Z');
    const [payout] = await payouts.payouts();
    expect(await debit()).toContain(`paid in the payout ${payout?.id}`);
    await report(payout?.id ?? '', { status: 'paid' });
    expect(
      await refused(stage.run(partner, (ctx) => returnSettlement(ctx, { id, input: {} }))),
    ).toContain(`paid in the payout ${payout?.id}`);
    await payouts.check();
  });

  test('the operator cannot send what the portal debits', async () => {
    await until('2026-02-02T22:01:00Z');
    const [{ id } = { id: '' }] = await payouts.payouts();
    expect(await payouts.refusalOf({ command: 'payout send', payout_id: id })).toContain(
      'There is nothing to send',
    );
  });
});

describe('sent by the operator', () => {
  test('each step is recorded, and no payout is sent twice', async () => {
    Object.assign(stage.service, { payoutRail: null });
    await payouts.schedule('Maple at First Bank');
    await begin('t-1');
    await until('2026-02-02T22:01:00Z');
    const [{ id } = { id: '' }] = await payouts.payouts();
    const send = { command: 'payout send', payout_id: id } as const;
    const moves = await Promise.allSettled([payouts.run(send), payouts.run(send)]);
    expect(moves.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await payouts.refusalOf(send)).toContain('Ask the bank before you send anything again');
    await payouts.run({ command: 'payout confirm', payout_id: id, reference: 'FB-77' });
    expect(await payouts.settlements()).toEqual(['verified']);
    expect(await payouts.refusalOf({ command: 'payout fail', payout_id: id })).toContain(
      'A payout that is paid cannot become failed.',
    );
    await payouts.run({ command: 'payout return', payout_id: id });
    expect(await payouts.events()).toEqual([
      'payout.created',
      'payout.sent',
      'payout.paid',
      'payout.returned',
    ]);
    await payouts.check();
    const audited = await payouts.run<{ items: { action: string }[] }>({
      command: 'audit list',
      pms: partner.pms,
      action: 'payout',
    });
    expect(audited.items.map((it) => it.action).reverse()).toEqual([
      'payout.scheduled',
      'payout.updated',
      'payout.updated',
      'payout.updated',
    ]);
  });
});

test('a return after the rail is no longer asked is recorded by the operator', async () => {
  await payouts.schedule('maple operating');
  await begin('t-1');
  await until('2026-02-04T15:00:00Z');
  const [{ id } = { id: '' }] = await payouts.payouts();
  const late = { command: 'payout return', payout_id: id } as const;
  expect(await payouts.refusalOf(late)).toContain('is sent by simulator, which also reports');
  await until('2026-02-20T15:00:00Z');
  await payouts.run(late);
  expect(await payouts.settlements()).toEqual(['returned']);
  await payouts.check();
});

test('refunds beyond what we owe wait, and payouts cannot end before they are deducted', async () => {
  await payouts.schedule('maple operating');
  const tenant = await begin('t-1');
  await until('2026-02-03T15:00:00Z');
  await play.refund(tenant, 30_000);
  await until('2026-02-04T15:00:00Z');
  expect(await payouts.payouts()).toHaveLength(1);
  expect(
    await payouts.refusalOf({
      command: 'payout schedule',
      pms: partner.pms,
      method: 'each',
      destination: '',
      cut_off_hour: 17,
    }),
  ).toContain('1 refunds, adjustments and settlements wait for the next one');
  await begin('t-2');
  await until('2026-02-06T15:00:00Z');
  expect(await payouts.payouts()).toMatchObject([{}, { amount: rent - 30_000, status: 'paid' }]);
  await payouts.schedule('', 'each');
  await payouts.check();
});

test('the sandbox’s reset of a tenant takes back what payouts have paid', async () => {
  await payouts.schedule('maple operating');
  const { tenantId } = await begin('t-1');
  expect(tenantId).toMatch(/^ten_/);
  await until('2026-02-03T15:00:00Z');
  await stage.run(partner, (ctx) => resetSimulation(ctx, { external_id: 't-1' }));
  await begin('t-2');
  await begin('t-3');
  await until('2026-02-04T15:00:00Z');
  expect(await payouts.payouts()).toMatchObject([
    { status: 'paid', amount: rent },
    { status: 'paid', amount: rent },
  ]);
  expect((await payouts.balances()).partner_payable).toBeUndefined();
});

test('processes that create payouts at once create one', async () => {
  await payouts.schedule('maple operating');
  await begin('t-1');
  stage.clock.now = new Date('2026-02-02T22:00:01Z');
  const { db, service } = stage;
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const stopping = new AbortController().signal;
  const lanes = [1, 2, 3, 4].map(() => payoutsLane({ db, service, clock, log }));
  await Promise.all(lanes.map((lane) => lane.batch(stopping)));
  expect(await payouts.payouts()).toHaveLength(1);
});

test('the database refuses a source in two payouts, and a statement that does not add up', async () => {
  await payouts.schedule('', 'debit');
  await begin('t-1');
  await until('2026-02-02T22:01:00Z');
  const [payout] = await payouts.payouts();
  const again = (amount: number) =>
    stage.plain.transaction(async (tx) => {
      await tx.run(sql`
        insert into payout (partner_id, id, method, status, day, amount_in_cents, line_count,
          destination, created_at, updated_at)
        select partner_id, 'pyt_second', method, 'pending', day, ${amount}, 1, destination, created_at,
          updated_at
        from payout where id = ${payout?.id}`);
      await tx.run(sql`
        insert into payout_line (partner_id, payout_id, number, kind, source_id, amount_in_cents)
        select partner_id, 'pyt_second', 1, kind,
          case when ${amount} = ${rent} then source_id else 'other' end, amount_in_cents
        from payout_line where payout_id = ${payout?.id}`);
    });
  await expect(again(rent)).rejects.toThrow(/payout_line_once/);
  await expect(again(rent - 1)).rejects.toThrow(/has 1 lines of/);
  await expect(
    stage.plain.run(sql`update settlement set status = 'verified' where payout_id = ${payout?.id}`),
  ).rejects.toThrow(/which is not verified/);
  await expect(
    stage.plain.run(
      sql`update payout_line set amount_in_cents = 1 where payout_id = ${payout?.id}`,
    ),
  ).rejects.toThrow(/cannot be changed/);
});

describe.runIf(process.env.SVC_TEST_DB === 'postgres')('a process is killed', () => {
  test.each([
    ['from the cut-off to the answer of the rail', '2026-02-02T21:59:00Z', 2 * minute],
    ['when the rail reports that it was paid', '2026-02-03T13:50:00Z', 30 * minute],
  ])(
    'at every point %s: one payout is sent',
    async (_, from, lasts) => {
      wrapRail = (rail) => killer.rail(rail);
      await stage.close();
      stage = await openStage({
        now: '2026-02-01T15:00:00Z',
        wrap: killer.database,
        rail: killer.rail,
      });
      for (let point = 1, kills = 0; ; point += every) {
        partner = await stage.newPartner();
        play = playPayments(stage, partner);
        payouts = playPayouts(stage, partner);
        stage.clock.now = new Date('2026-02-01T15:00:00Z');
        await payouts.schedule('maple operating');
        await begin(`t-${point}`);
        await until(from);
        killer.arm(point);
        await play.pass(lasts).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        const wasKilled = killer.revive();
        kills += wasKilled ? 1 : 0;
        // Another process continues: leases end, and it asks the rail.
        await play.pass(minute);
        await until('2026-02-03T15:00:00Z');
        expect(await payouts.payouts(), `point ${point}`).toMatchObject([
          { status: 'paid', amount: rent },
        ]);
        expect(await payouts.events()).toEqual(['payout.created', 'payout.sent', 'payout.paid']);
        await payouts.check();
        const keys = (await payouts.received()).map((it) => it.key);
        const ids = (await payouts.payouts()).map((it) => it.id);
        expect(keys.filter((it) => ids.includes(it))).toEqual(ids);
        await payouts.schedule('', 'each');
        if (!wasKilled) {
          expect(kills).toBeGreaterThan(20 / every);
          break;
        }
      }
    },
    600_000,
  );
});
