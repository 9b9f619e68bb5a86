import { type Database, type Queryable, raw, type Sql, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import type { PartnerActor, TenantActor } from '../access/actor.ts';
import { expireApplications } from '../applications/expire-applications.ts';
import { acceptPlan, addPaymentMethod, submitApplication } from '../intake/experience-commands.ts';
import { readState } from '../intake/read-state.ts';
import { recordPortalInfo } from '../intake/record-portal-info.ts';
import { readPlan } from '../plans/read-plan.ts';
import { resetSimulation } from '../simulation/reset.ts';
import { setUnderwritingResult } from '../simulation/set-underwriting-result.ts';
import { acceptPlan as accept } from './accept.ts';
import { listQuotes } from './list-quotes.ts';

let stage: Stage;
let partner: PartnerActor;
beforeAll(async () => {
  stage = await openStage();
  partner = await stage.newPartner();
});
afterAll(() => stage.close());

const due = '2026-02-01';
const account = {
  type: 'bank_account' as const,
  routing_number: '110000000',
  account_number: '000111110000',
  account_type: 'checking' as const,
};
const applicant = {
  date_of_birth: '1990-04-01',
  monthly_income_in_cents: 500_000,
  consent: true as const,
};

async function tenant(externalId: string, result: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED') {
  await stage.run(partner, (ctx) =>
    recordPortalInfo(ctx, {
      external_id: externalId,
      dry_run: false,
      input: {
        first_name: 'Ada',
        last_name: 'Lane',
        email: 'ada@example.com',
        charges: [{ id: 'C-1', due_date: due, amount_in_cents: 152_012, amount_paid_in_cents: 0 }],
      },
    }),
  );
  await stage.run(partner, (ctx) =>
    setUnderwritingResult(ctx, {
      external_id: externalId,
      input: { underwriting_result: result, rent_cycle_date: due },
    }),
  );
  const { id } = await oneRowOf<{ id: string }>(
    stage.db,
    sql`
    select id from tenant where partner_id = ${partner.partnerId} and external_id = ${externalId}`,
  );
  return stage.tenantOf(partner, id);
}

async function toPlanChoice(actor: TenantActor, accountNumber = account.account_number) {
  await stage.run(actor, (ctx) => submitApplication(ctx, applicant));
  await stage.runSteps(actor, (ctx) =>
    addPaymentMethod(ctx, { ...account, account_number: accountNumber }),
  );
  return choose(actor);
}

async function choose(actor: TenantActor) {
  const { items } = await stage.run(actor, (ctx) => listQuotes(ctx));
  const quote = items.find((it) => it.installment_count === 4);
  if (!quote?.disclosure) throw new Error('no quote');
  const input = { quote_id: quote.id, accepted_disclosure_sha256: quote.disclosure.sha256 };
  return { quote, consent: { input, ip: '127.0.0.1', userAgent: 'test' } };
}

async function eventsOf(externalId: string): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    stage.db,
    sql`
    select type from webhook_messages
    where owner = ${partner.partnerId} and subject = ${externalId} order by id`,
  );
  return rows.map((row) => row.type);
}

async function balances() {
  const rows = await rowsOf<{ kind: string; total: number }>(
    stage.db,
    sql`
    select a.kind, sum(e.amount_in_cents)::int8 as total
    from ledger_entry e join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where a.partner_id = ${partner.partnerId} group by a.kind order by a.kind`,
  );
  return Object.fromEntries(rows.map((row) => [row.kind, row.total]));
}

test('from application to plan: state, ledger and events together', async () => {
  const actor = await tenant('t-approved', 'WILL_BE_APPROVED');
  const before = await balances();
  const { quote, consent } = await toPlanChoice(actor);
  const done = await stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent));
  expect(done.state.step).toBe('done');
  expect(done.settlement).toMatchObject({ amount_in_cents: 152_012, charges_paid: ['C-1'] });
  expect(await eventsOf('t-approved')).toEqual(
    expect.arrayContaining([
      'application.submitted',
      'application.approved',
      'plan.created',
      'plan.activated',
      'settlement.created',
      'installment.paid',
    ]),
  );
  const after = await balances();
  const moved = (kind: string) => (after[kind] ?? 0) - (before[kind] ?? 0);
  const first = quote.installments[0]?.amount_in_cents ?? 0;
  expect(moved('partner_payable')).toBe(-152_012);
  expect(moved('fee_income')).toBe(-3_000);
  expect(moved('processor_clearing')).toBe(first);
  expect(moved('tenant_receivable')).toBe(155_012 - first);
  const state = await stage.run(actor, (ctx) => readState(ctx));
  expect(state.step).toBe('manage');
});

test('the same quote accepted again returns the same plan and moves no money', async () => {
  const actor = await tenant('t-twice', 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice(actor);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent))),
  );
  expect(new Set(answers.map((it) => it.settlement?.settlement_id)).size).toBe(1);
  const { plans } = await oneRowOf<{ plans: number }>(
    stage.db,
    sql`select count(*) as plans from plan where tenant_id = ${actor.tenantId}`,
  );
  expect(plans).toBe(1);
  expect((await eventsOf('t-twice')).filter((it) => it === 'plan.created')).toHaveLength(1);
});

test('an answer that cannot be read does not undo the outcome of the payment', async () => {
  const actor = await tenant('t-unreadable', 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice(actor);
  const unreadable = () => Promise.reject(new Error('unreadable'));
  await expect(
    stage.runSteps(actor, (steps) => accept(steps, consent, unreadable)),
  ).rejects.toThrow('unreadable');
  expect(await eventsOf('t-unreadable')).toContain('installment.paid');
  const again = await stage.runSteps(actor, (steps) => acceptPlan(steps, consent));
  expect(again.settlement).toMatchObject({ amount_in_cents: 152_012 });
});

test('if one write of the outcome fails, none is kept', async () => {
  const actor = await tenant('t-refused', 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice(actor);
  const before = await balances();
  const refuse = raw(`alter table settlement add constraint refused check (false) not valid`);
  await stage.db.run(refuse);
  await expect(stage.runSteps(actor, (steps) => acceptPlan(steps, consent))).rejects.toThrow(
    // On a worker, a shard's name is the table's name and a number.
    /violates check constraint "refused(_\d+)?"/,
  );
  await stage.db.run(raw(`alter table settlement drop constraint refused`));
  expect(await balances()).toEqual(before);
  expect(await eventsOf('t-refused')).not.toContain('plan.activated');
  const { state } = await oneRowOf<{ state: string }>(
    stage.db,
    sql`select state from plan where tenant_id = ${actor.tenantId}`,
  );
  expect(state).toBe('created');
});

test.each([
  ['succeeded', '000111110000'],
  ['failed', '000111110001'],
  ['waits for the bank', '000111110003'],
])('the answer to a first payment that %s shows what is read afterwards', async (ended, number) => {
  const actor = await tenant(`t-${ended}`, 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice(actor, number);
  const { state, settlement } = await stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent));
  expect(await stage.run(actor, (ctx) => readState(ctx))).toEqual({
    ...state,
    step: settlement ? 'manage' : state.step,
  });
});

test('a changed amount makes the quote out of date', async () => {
  const actor = await tenant('t-changed', 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice(actor);
  await stage.db.run(sql`
    update charge set amount_in_cents = 160000 where tenant_id = ${actor.tenantId}`);
  await expect(stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent))).rejects.toMatchObject({
    code: 'quote_not_found',
  });
});

test('a failed first payment makes no plan, no settlement and no entries; another account works', async () => {
  const actor = await tenant('t-nsf', 'WILL_BE_APPROVED');
  const before = await balances();
  const { consent } = await toPlanChoice(actor, '000111110001');
  const failed = await stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent));
  expect(failed.settlement).toBeNull();
  expect(failed.failure?.code).toBe('first_payment_failed:R01');
  expect(failed.state.step).toBe('plan_choice');
  expect(await balances()).toEqual(before);
  expect(await eventsOf('t-nsf')).toContain('plan.canceled');
  await stage.runSteps(actor, (ctx) => addPaymentMethod(ctx, account));
  const again = await choose(actor);
  const retried = await stage.runSteps(actor, (ctx) => acceptPlan(ctx, again.consent));
  expect(retried.settlement).not.toBeNull();
});

test('consent to one account never charges another that was added later, even with equal numbers', async () => {
  const actor = await tenant('t-other-tab', 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice(actor);
  await stage.runSteps(actor, (ctx) => addPaymentMethod(ctx, account));
  await expect(stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent))).rejects.toMatchObject({
    code: 'quote_not_found',
  });
});

test('a decline gives the reasons to the tenant only; a changed result allows a new application', async () => {
  const actor = await tenant('t-declined', 'WILL_BE_DECLINED');
  const state = await stage.run(actor, (ctx) => submitApplication(ctx, applicant));
  expect(state.step).toBe('declined');
  expect(state.notice?.reasons).toEqual(['Your income is too low for the amount requested']);
  expect(state.notice).toMatchObject({ applicant: 'Ada Lane', amount_in_cents: 152_012 });
  const bodies = await rowsOf<{ body: string }>(
    stage.db,
    sql`
    select body from webhook_messages where subject = 't-declined'`,
  );
  expect(bodies.some((row) => row.body.includes('income'))).toBe(false);
  await stage.run(partner, (ctx) =>
    setUnderwritingResult(ctx, {
      external_id: 't-declined',
      input: { underwriting_result: 'WILL_BE_APPROVED' },
    }),
  );
  expect((await stage.run(actor, (ctx) => readState(ctx))).step).toBe('offer');
});

test('reset cancels the plan with reversing entries and changes no other tenant', async () => {
  const other = await tenant('t-other', 'WILL_BE_APPROVED');
  const actor = await tenant('t-reset', 'WILL_BE_APPROVED');
  const before = await balances();
  const otherBefore = await stage.run(other, (ctx) => readState(ctx));
  const { consent } = await toPlanChoice(actor);
  await stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent));
  const planId = (await stage.run(actor, (ctx) => readState(ctx))).plan?.id ?? '';
  const reset = await stage.run(partner, (ctx) => resetSimulation(ctx, { external_id: 't-reset' }));
  expect(reset).toMatchObject({ underwriting_result: null, simulated_time: null });
  expect(await balances()).toEqual(before);
  expect((await stage.run(partner, (ctx) => readPlan(ctx, { id: planId }))).state).toBe('canceled');
  expect(await stage.run(other, (ctx) => readState(ctx))).toEqual(otherBefore);
});

test('an application that became a plan ends with its cycle once, without an event', async () => {
  const actor = await tenant('t-over', 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice(actor);
  await stage.runSteps(actor, (ctx) => acceptPlan(ctx, consent));
  const aheadMs = Date.parse('2026-03-01T00:00:00Z') - stage.clock.now.getTime();
  await stage.db.run(
    sql`update tenant set clock_offset_ms = ${aheadMs} where id = ${actor.tenantId}`,
  );
  const expire = () =>
    stage.run(partner, (ctx) => expireApplications(ctx, { limit: 5, tenant: actor }));
  expect([await expire(), await expire()]).toEqual([1, 0]);
  expect(await eventsOf('t-over')).not.toContain('application.expired');
});

test('a charge that is reported again later stays paid by the plan of its month', async () => {
  const { tenantId, ...actor } = await tenant('t-again', 'WILL_BE_APPROVED');
  const { consent } = await toPlanChoice({ tenantId, ...actor });
  await stage.runSteps({ tenantId, ...actor }, (ctx) => acceptPlan(ctx, consent));
  await stage.db.run(sql`update plan set state = 'completed' where tenant_id = ${tenantId}`);
  const charge = (id: string, due_date: string) => {
    return { id, due_date, amount_in_cents: 152_012, amount_paid_in_cents: 0 };
  };
  const names = { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com' };
  const report = (...charges: ReturnType<typeof charge>[]) =>
    stage.run(partner, (ctx) =>
      recordPortalInfo(ctx, {
        external_id: 't-again',
        dry_run: false,
        input: { ...names, charges },
      }),
    );
  await report(charge('C-2', '2026-03-01'));
  const { rent_cycle } = await report(charge('C-1', due), charge('C-2', '2026-03-01'));
  expect(rent_cycle).toMatchObject({ due_date: due, amount_due_in_cents: 0 });
});

test('the database refuses a transfer that does not balance, and every change of an entry', async () => {
  const lopsided = stage.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into ledger_transfer (id, partner_id, kind, source_id, occurred_at, created_at)
      values ('trf_lopsided', ${partner.partnerId}, 'advance', 'x', ${stage.clock.now},
        ${stage.clock.now})`);
    await tx.run(sql`
      insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
      select partner_id, 'trf_lopsided', id, 5 from ledger_account
      where partner_id = ${partner.partnerId} limit 1`);
  });
  await expect(lopsided).rejects.toThrow(/does not balance/);
  const addedLater = stage.db.run(sql`
    insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
    select l.partner_id, l.id, a.id, 5 from ledger_transfer l join ledger_account a
      on a.partner_id = l.partner_id
        and a.id not in (select account_id from ledger_entry
          where partner_id = ${partner.partnerId} and transfer_id = l.id)
    where l.partner_id = ${partner.partnerId} limit 1`);
  await expect(addedLater).rejects.toThrow(/does not balance/);
  await expect(
    stage.db.run(sql`update ledger_entry set amount_in_cents = amount_in_cents + 1`),
  ).rejects.toThrow(/append-only/);
  await expect(stage.db.run(sql`delete from ledger_transfer`)).rejects.toThrow(/append-only/);
});

test('accepting a plan sends at most 23 statements, and 4 more on a cluster', async () => {
  const sent: string[] = [];
  const counted = await openStage({ wrap: (db) => recordStatements(db, sent) });
  const all = { stage, partner };
  stage = counted;
  partner = await counted.newPartner();
  try {
    // The first plan of a partner also opens the partner's accounts in the ledger.
    for (const id of ['t-opens-accounts', 't-counted']) {
      const actor = await tenant(id, 'WILL_BE_APPROVED');
      const { consent } = await toPlanChoice(actor);
      sent.length = 0;
      const { settlement } = await counted.runSteps(actor, (ctx) => acceptPlan(ctx, consent));
      expect(settlement).not.toBeNull();
    }
    expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(stage.db.cluster ? 27 : 23);
  } finally {
    ({ stage, partner } = all);
    await counted.close();
  }
});

/** Adds the text of each statement in a transaction to `sent`. */
function recordStatements(db: Database, sent: string[]): Database {
  const recording = (q: Queryable): Queryable => {
    const noted =
      <Args extends unknown[]>(run: (...args: Args) => Promise<unknown>) =>
      (...args: Args) => {
        sent.push((args.at(-1) as Sql).text);
        return run(...args);
      };
    const { cluster, many, one, maybe, run } = q;
    return {
      cluster,
      many: noted(many),
      one: noted(one),
      maybe: noted(maybe),
      run: noted(run),
    } as Queryable;
  };
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(
        (tx) =>
          work({
            ...recording(tx),
            inTransaction: true,
            alone: recording(tx.alone),
            send(statement) {
              sent.push(statement.text);
              tx.send(statement);
            },
          }),
        options,
      ),
  };
}
