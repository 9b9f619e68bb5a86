import type { AcceptOutput, QuoteOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { beginMoney } from '../controls/money-switch.ts';
import type { TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { type LockedPosition, lockPosition } from '../eligibility/lock-position.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { chargeFirst } from '../payments/charge.ts';
import { newestPaymentMethod } from '../payments/payment-methods.ts';
import { activate } from '../plans/activate.ts';
import {
  type Acceptance,
  type AgreedText,
  insertPlan,
  makePlan,
  type NewPlan,
} from '../plans/insert-plan.ts';
import { planData } from '../plans/live-plan.ts';
import { findPlan } from '../plans/read-plan.ts';
import { scheduleDue } from '../plans/schedule-due.ts';
import { Refusal } from '../refusal.ts';
import { allocate, readPaidCharges } from '../settlements/paid-charges.ts';
import { offeredQuote } from './list-quotes.ts';

export interface Accepted extends Omit<AcceptOutput, 'state'> {
  /** The tenant with the new plan. */
  readonly snapshot?: TenantSnapshot;
}

/**
 * Turns the tenant's consent into a plan: first payment, settlement, ledger and events, all or
 * nothing. Accepting a quote twice (a double click, two tabs, a retry after a crash) returns the same
 * plan.
 */
export async function acceptPlan(ctx: Ctx<TenantActor>, acceptance: Acceptance): Promise<Accepted> {
  const [locked, method] = await Promise.all([
    lockPosition(ctx),
    newestPaymentMethod(ctx.tx, ctx.actor),
  ]);
  const { openPlan } = locked.snapshot;
  if (openPlan?.quoteId === acceptance.input.quote_id) return answerAgain(ctx, openPlan.id);
  if (openPlan) throw new Refusal('plan_already_exists');
  if (!method) throw new Refusal('step_not_allowed');
  const quote = offeredQuote(ctx, { ...locked, method }, acceptance.input.quote_id);
  const agreed = quote && agreedText(quote, acceptance.input.accepted_disclosure_sha256);
  if (!agreed) throw new Refusal('quote_not_found');
  const { pendingFailures, timeZone } = locked.snapshot.tenant;
  const payer = {
    partnerId: ctx.actor.partnerId,
    tenantId: ctx.actor.tenantId,
    pendingFailures,
    methodId: method.id,
    detailsSealed: method.detailsSealed,
    timeZone,
  };
  await beginMoney(ctx.tx);
  const charge = await chargeFirst(ctx, payer, locked.position.at);
  const paid = allocate(locked.cycle.charges, quote.amount_financed_in_cents);
  const draft = { quote, agreed, charge, paid, method, acceptance };
  const made = makePlan(ctx, locked, draft);
  const [, accepted] = await Promise.all([
    insertPlan(ctx, locked, draft, made),
    charge.outcome === 'failed'
      ? refuse(ctx, locked, made, charge.returnCode)
      : begin(ctx, locked, made),
  ]);
  return { ...accepted, snapshot: snapshotAfter(locked.snapshot, made, acceptance) };
}

/** The snapshot with the new plan, unless its first payment failed. */
function snapshotAfter(
  before: TenantSnapshot,
  { plan: { id, state, rentCycleDate }, paid }: NewPlan,
  { input }: Acceptance,
): TenantSnapshot {
  if (state !== 'created' && state !== 'active') return before;
  const chargeIds = paid.map((it) => it.charge_id);
  return { ...before, openPlan: { id, state, rentCycleDate, quoteId: input.quote_id, chargeIds } };
}

/** The disclosure that was on screen. Each quote has one for each language. */
function agreedText({ disclosure }: QuoteOutput, sha256: string): AgreedText | undefined {
  return [disclosure, ...disclosure.translations].find((it) => it.sha256 === sha256);
}

/** The plan is active at once, or created while the first payment is pending. */
async function begin(
  ctx: Ctx<TenantActor>,
  { position: { at }, subject }: LockedPosition,
  { plan, paymentId, paid }: NewPlan,
): Promise<Accepted> {
  const methodId = plan.method.id;
  emit(ctx, subject, [{ type: 'plan.created', version: 1, data: planData(plan) }]);
  const [settlement] = await Promise.all([
    plan.pending ? null : activate(ctx, plan, { paymentId, methodId, at, paid, subject }),
    scheduleDue(ctx.tx, plan),
  ]);
  return { settlement, failure: null };
}

/** The first payment failed: the plan is canceled, and the tenant may try again. */
async function refuse(
  ctx: Ctx<TenantActor>,
  { subject }: LockedPosition,
  { plan }: NewPlan,
  returnCode: string,
): Promise<Accepted> {
  const data = planData(plan);
  const canceled: NewEvent = {
    type: 'plan.canceled',
    version: 2,
    data: { ...data, reason: 'first_payment_failed' },
  };
  emit(ctx, subject, [{ type: 'plan.created', version: 1, data }, canceled]);
  return {
    settlement: null,
    failure: {
      code: `first_payment_failed:${returnCode}`,
      message: 'Your bank did not make the first payment. No money moved, and no plan was made.',
    },
  };
}

async function answerAgain(ctx: Ctx<TenantActor>, planId: string): Promise<Accepted> {
  const { partnerId } = ctx.actor;
  const plan = await findPlan(ctx.tx, { partnerId, id: planId });
  if (!plan?.settlement_id) return { settlement: null, failure: null };
  const paid = await readPaidCharges(ctx, { partnerId, planId });
  return {
    settlement: {
      settlement_id: plan.settlement_id,
      amount_in_cents: plan.amount_financed_in_cents,
      charges_paid: paid.map((it) => it.charge_id),
      charges_and_amounts_paid: paid,
    },
    failure: null,
  };
}
