import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStage, type Stage } from '../../test/support/open-stage.ts';
import type { Ctx, RequestSteps } from '../context.ts';
import type { PartnerActor, TenantActor } from './access/actor.ts';
import { createKey } from './access/api-keys.ts';
import { addPaymentMethod } from './applications/add-payment-method.ts';
import { submitApplication } from './applications/submit-application.ts';
import { exchangeToken } from './intake/exchange-token.ts';
import { recordPortalInfo } from './intake/record-portal-info.ts';
import { verifyLedger } from './ledger/verify.ts';
import { acceptPlan } from './offers/accept.ts';
import { listQuotes } from './offers/list-quotes.ts';
import { cancelPendingPlan } from './plans/cancel.ts';
import { loadOpenPlan } from './plans/live-plan.ts';
import { payInstallments } from './plans/pay.ts';
import { reschedulePart } from './plans/reschedule.ts';
import { rescheduleDays } from './plans/reschedule-days.ts';
import { Refusal } from './refusal.ts';
import { advanceClock } from './simulation/advance-clock.ts';
import { setUnderwritingResult } from './simulation/set-underwriting-result.ts';

/** How often each race runs. CONTRIBUTING asks for a thousand by hand. `test/journeys` has these races through HTTP. */
const rounds = Number(process.env.SVC_RACE_ROUNDS ?? 1);
const limit = 60_000 + rounds * 5_000;
const runners = 50;
/** Tenants that race at the same time. While the calls of one wait for its row, another's run. */
const lanes = 3;
const day = '2026-02-01';
const busy = /(lock|statement) timeout|timeout exceeded when trying to connect/;

let stage: Stage;
let partner: PartnerActor;
let key: string;

// The embedded database has one session, so nothing runs concurrently there.
describe.runIf(process.env.SVC_TEST_DB === 'postgres')(
  'of fifty concurrent calls one has an effect',
  () => {
    beforeAll(async () => {
      const { db, run, runSteps, ...rest } = await openStage();
      stage = {
        ...rest,
        db,
        run: (actor, verb) => retryWhileBusy(() => run(actor, verb)),
        // A step that timed out is repeated alone: the ones before it have committed.
        runSteps: (actor, verb) =>
          runSteps(actor, (steps) =>
            verb({ ...steps, step: (work) => retryWhileBusy(() => steps.step(work)) }),
          ),
      };
      partner = await stage.newPartner();
      const made = await stage.run({ kind: 'system' }, (ctx) =>
        createKey(ctx, { pms: partner.pms }),
      );
      key = made.api_key;
    });
    afterAll(() => stage.close());

    test(
      'the exchange of one token, then the accept, the move and the payment of one plan',
      () =>
        inLanes(async (round) => {
          const externalId = `t-${round}`;
          const tenant = await exchangedAtOnce(externalId);
          const accept = await readyToAccept(tenant);
          const accepted = await raceSteps(tenant, accept);
          expect(new Set(accepted.map((it) => it.settlement?.settlement_id)).size).toBe(1);
          const plan = await openPlan(tenant);
          const [, second] = plan.parts;
          const last = plan.parts.at(-1);
          if (!second || !last) throw new Error('a plan of one part');
          const [due_date = ''] = rescheduleDays(plan, last, day);
          const move = { installment_id: last.id, due_date, reason: 'other' };
          const moved = await race(tenant, (ctx) => reschedulePart(ctx, plan.id, move));
          expect(moved.filter((it) => it.change !== null)).toHaveLength(1);
          const parts = { installment_ids: [second.id] };
          const paid = await raceSteps(tenant, (steps) => payInstallments(steps, plan.id, parts));
          expect(paid.filter((it) => it.repayment !== null)).toHaveLength(1);
          expect(await eventCounts(externalId)).toMatchObject({
            'plan.created': 1,
            'plan.activated': 1,
            'settlement.created': 1,
            'installment.rescheduled': 1,
            'installment.paid': 2,
            'repayment.created': 1,
          });
          expect(await paymentsOf(plan.id)).toEqual({ payments: 2, posted: 2, advanced: 1 });
        }),
      limit,
    );

    test(
      'the cancel of one plan, also against the bank’s answer',
      () =>
        inLanes(async (round) => {
          const alone = `t-alone-${round}`;
          const [tenant, waiting] = await withPendingPlan(alone);
          const canceled = await race(tenant, (ctx) => cancelPendingPlan(ctx, waiting.id));
          expect(canceled.filter((it) => it.change !== null)).toHaveLength(1);
          expect((await eventCounts(alone))['plan.canceled']).toBe(1);
          expect(await paymentsOf(waiting.id)).toEqual({ payments: 0, posted: 0, advanced: 0 });

          const both = `t-both-${round}`;
          const [other, plan] = await withPendingPlan(both);
          const answer = { external_id: both, input: { by: 'P1D' } };
          await Promise.all([
            race(other, (ctx) => cancelPendingPlan(ctx, plan.id), runners / 2),
            raceSteps(partner, (steps) => advanceClock(steps, answer), runners / 2),
          ]);
          const { 'plan.canceled': ends = 0, 'plan.activated': begins = 0 } =
            await eventCounts(both);
          expect(ends + begins).toBe(1);
          const { payments, posted, advanced } = await paymentsOf(plan.id);
          expect([payments > 0, posted > 0, advanced]).toEqual([begins > 0, begins > 0, begins]);
        }),
      limit,
    );

    test('after all of them the ledger is consistent', async () => {
      expect((await stage.db.transaction(verifyLedger)).faults).toEqual([]);
    });
  },
);

async function inLanes(run: (round: number) => Promise<void>): Promise<void> {
  let begun = 0;
  let done = 0;
  const lane = async () => {
    while (begun < rounds) {
      begun += 1;
      await run(begun);
      done += 1;
      if (done % 100 === 0) process.stdout.write(`${done} of ${rounds} rounds\n`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Starts all calls at once and returns the answers, without the refusals. */
function race<A extends TenantActor | PartnerActor, T>(
  actor: A,
  verb: (ctx: Ctx<A>, runner: number) => Promise<T>,
  count = runners,
): Promise<T[]> {
  return answersOf(count, (runner) => stage.run(actor, (ctx) => verb(ctx, runner)));
}

/** Like `race`, for calls of several transactions. */
function raceSteps<A extends TenantActor | PartnerActor, T>(
  actor: A,
  verb: (steps: RequestSteps<A>, runner: number) => Promise<T>,
  count = runners,
): Promise<T[]> {
  return answersOf(count, (runner) => stage.runSteps(actor, (steps) => verb(steps, runner)));
}

async function answersOf<T>(count: number, call: (runner: number) => Promise<T>): Promise<T[]> {
  const answers = Array.from({ length: count }, (_, runner) =>
    call(runner).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    }),
  );
  return (await Promise.all(answers)).filter((it) => it !== undefined);
}

/** Repeats what timed out on a busy machine while it waited for the row's lock or a connection. */
async function retryWhileBusy<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Error) || !busy.test(error.message)) throw error;
    }
  }
}

/** A tenant whose token fifty frames exchanged at once. */
async function exchangedAtOnce(externalId: string): Promise<TenantActor> {
  const { token, tenant } = await visit(externalId);
  const { pms } = partner;
  const signature = await signWidget({ apiKey: key, pms, externalId });
  const identity = { pms, external_id: externalId, signature, product_variant: 'rent' as const };
  const exchanged = await race(partner, (ctx, runner) =>
    exchangeToken(ctx, { input: { ...identity, token, nonce: `nonce-of-frame-${runner}` } }),
  );
  expect(exchanged).toHaveLength(1);
  const sessions = sql`
    select count(*) as count from experience_session where tenant_id = ${tenant.tenantId}`;
  expect(await retryWhileBusy(() => oneRowOf(stage.db, sessions))).toEqual({ count: 1 });
  return tenant;
}

async function visit(externalId: string): Promise<{ token: string; tenant: TenantActor }> {
  const result = { underwriting_result: 'WILL_BE_APPROVED' as const, rent_cycle_date: day };
  const charge = { id: 'C-1', due_date: day, amount_in_cents: 152_012, amount_paid_in_cents: 0 };
  const ada = { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com' };
  const { token } = await stage.run(partner, async (ctx) => {
    await setUnderwritingResult(ctx, { external_id: externalId, input: result });
    const input = { ...ada, charges: [charge] };
    return recordPortalInfo(ctx, { external_id: externalId, dry_run: false, input });
  });
  const found = sql`
    select id from tenant where partner_id = ${partner.partnerId} and external_id = ${externalId}`;
  const { id } = await retryWhileBusy(() => oneRowOf<{ id: string }>(stage.db, found));
  return { token: token ?? '', tenant: stage.tenantOf(partner, id) };
}

/** Takes the tenant to the choice of a plan. Returns a function with which each runner accepts another quote. */
async function readyToAccept(tenant: TenantActor, accountNumber = '000111110000') {
  const income = { date_of_birth: '1990-04-01', monthly_income_in_cents: 500_000 };
  await stage.run(tenant, (ctx) => submitApplication(ctx, { ...income, consent: true }));
  await stage.runSteps(tenant, (steps) =>
    addPaymentMethod(steps, {
      type: 'bank_account',
      routing_number: '110000000',
      account_number: accountNumber,
      account_type: 'checking',
    }),
  );
  const { items } = await stage.run(tenant, (ctx) => listQuotes(ctx));
  return async (steps: RequestSteps<TenantActor>, runner: number) => {
    const quote = items[runner % items.length];
    if (!quote?.disclosure) throw new Error('no quote');
    const input = { quote_id: quote.id, accepted_disclosure_sha256: quote.disclosure.sha256 };
    const acceptance = { input, ip: '127.0.0.1', userAgent: null };
    const [accepted] = await acceptPlan(steps, acceptance, async () => undefined);
    return accepted;
  };
}

/** A plan whose first payment the bank has not answered. */
async function withPendingPlan(externalId: string) {
  const { tenant } = await visit(externalId);
  const accept = await readyToAccept(tenant, '000111110003');
  await stage.runSteps(tenant, (steps) => accept(steps, 0));
  return [tenant, await openPlan(tenant)] as const;
}

async function openPlan(tenant: TenantActor) {
  const plan = await retryWhileBusy(() => loadOpenPlan(stage.db, tenant));
  if (!plan) throw new Error('no plan');
  return plan;
}

/** The number of events of each type about a tenant. */
async function eventCounts(externalId: string): Promise<Record<string, number>> {
  const counts = sql`
    select type, count(*) as count from webhook_messages
    where owner = ${partner.partnerId} and subject = ${externalId} group by type`;
  const rows = await retryWhileBusy(() =>
    rowsOf<{ type: string; count: number }>(stage.db, counts),
  );
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

/** The number of a plan's successful payments, of those in the ledger, and of its settlements. */
function paymentsOf(planId: string) {
  const { partnerId } = partner;
  const facts = sql`
    select count(y.id) as payments, count(l.id) as posted,
      (select count(*) from settlement s
        where s.partner_id = ${partnerId} and s.plan_id = ${planId}) as advanced
    from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      left join ledger_transfer l
        on l.partner_id = y.partner_id and l.kind = 'payment' and l.source_id = y.id
    where y.partner_id = ${partnerId} and i.plan_id = ${planId} and y.outcome = 'succeeded'`;
  return retryWhileBusy(() =>
    oneRowOf<{ payments: number; posted: number; advanced: number }>(stage.db, facts),
  );
}
