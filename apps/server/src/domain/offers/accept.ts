import type { AcceptOutput, QuoteOutput } from '@svc/contract';
import { nullable, row, sql, text } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { beginMoney } from '../controls/money-switch.ts';
import { lockPosition } from '../eligibility/lock-position.ts';
import { emit } from '../events/emit.ts';
import type { CallToMake } from '../payments/calls.ts';
import { newestPaymentMethod } from '../payments/payment-methods.ts';
import {
  type Acceptance,
  type AgreedText,
  firstCall,
  insertPlan,
  makePlan,
} from '../plans/insert-plan.ts';
import { planData } from '../plans/live-plan.ts';
import { findPlan } from '../plans/read-plan.ts';
import { sendCallsForTenant, waitForSent } from '../plans/send-calls.ts';
import { Refusal } from '../refusal.ts';
import { allocate, readPaidCharges } from '../settlements/paid-charges.ts';
import { keepLocale } from '../tenants/keep-locale.ts';
import { countPlans, offeredQuote } from './list-quotes.ts';

export type Accepted = Omit<AcceptOutput, 'state'>;

/**
 * Turns the tenant's consent into a plan, charges its first payment and says what became of it.
 * `finish` runs in the transaction that reads the result.
 * Accepting a quote twice (a double click, two tabs, a retry after a crash) returns the same plan.
 */
export async function acceptPlan<T>(
  steps: RequestSteps<TenantActor>,
  acceptance: Acceptance,
  finish: (ctx: Ctx<TenantActor>, accepted: Accepted) => Promise<T>,
): Promise<T> {
  const { planId, call } = await steps.step((ctx) => beginPlan(ctx, acceptance));
  if (call) await sendCallsForTenant(steps, [call]);
  else await waitForSent(steps, steps.actor);
  return steps.step(async (ctx) => finish(ctx, await answer(ctx, planId)));
}

interface Begun {
  readonly planId: string;
  /** Takes the first payment; null if an earlier call accepted this quote. */
  readonly call: CallToMake | null;
}

/** Stores the plan with the intent to charge its first payment. It is `created` until that succeeds. */
async function beginPlan(ctx: Ctx<TenantActor>, acceptance: Acceptance): Promise<Begun> {
  const [locked, method, earlierPlans] = await Promise.all([
    lockPosition(ctx),
    newestPaymentMethod(ctx.tx, ctx.actor),
    countPlans(ctx.tx, ctx.actor),
  ]);
  const { openPlan } = locked.snapshot;
  if (openPlan?.quoteId === acceptance.input.quote_id) return { planId: openPlan.id, call: null };
  if (openPlan) throw new Refusal('plan_already_exists');
  if (!method) throw new Refusal('step_not_allowed');
  const facts = { ...locked, method, earlierPlans };
  const offered = offeredQuote(ctx, facts, acceptance.input.quote_id);
  const agreed = offered && agreedText(offered.quote, acceptance.input.accepted_disclosure_sha256);
  if (!agreed) throw new Refusal('quote_not_found');
  const { quote } = offered;
  const paid = allocate(locked.cycle.charges, quote.amount_financed_in_cents);
  const draft = { offered, agreed, paid, method, acceptance };
  const made = makePlan(ctx, locked, draft);
  const { plan } = made;
  // Before the mail with the agreement is queued.
  await keepLocale(ctx.tx, ctx.actor, acceptance.input.locale ?? agreed.locale);
  emit(ctx, locked.subject, [{ type: 'plan.created', version: 1, data: planData(plan) }]);
  await Promise.all([beginMoney(ctx.tx), insertPlan(ctx, locked, draft, made)]);
  return { planId: plan.id, call: firstCall(ctx, made) };
}

/** The disclosure that was on screen. Each quote has one for each language. */
function agreedText({ disclosure }: QuoteOutput, sha256: string): AgreedText | undefined {
  return disclosure === null
    ? undefined
    : [disclosure, ...disclosure.translations].find((it) => it.sha256 === sha256);
}

const failureRow = row('failed first payment', { code: nullable(text) });

/** The plan is active, canceled, or still waits for the bank. */
async function answer(ctx: Ctx<TenantActor>, planId: string): Promise<Accepted> {
  const { partnerId } = ctx.actor;
  const [plan, paid] = await Promise.all([
    findPlan(ctx.tx, { partnerId, id: planId }),
    readPaidCharges(ctx, { partnerId, planId }),
  ]);
  if (plan?.settlement_id) {
    const settlement = {
      settlement_id: plan.settlement_id,
      amount_in_cents: plan.amount_financed_in_cents,
      charges_paid: paid.map((it) => it.charge_id),
      charges_and_amounts_paid: paid,
    };
    return { settlement, failure: null };
  }
  const failed = await ctx.tx.maybe(
    failureRow,
    sql`
    select y.return_code as code from payment y
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.partner_id = ${partnerId} and i.plan_id = ${planId} and y.outcome = 'failed'`,
  );
  if (plan?.state !== 'canceled' || !failed) return { settlement: null, failure: null };
  return {
    settlement: null,
    failure: {
      code: `first_payment_failed:${failed.code}`,
      message: 'Your bank did not make the first payment. No money moved, and no plan was made.',
    },
  };
}
