import type { AcceptOutput, PlanOutput, QuoteOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { post } from '../ledger/post.ts';
import { terms } from '../partners/terms.ts';
import { Refusal } from '../refusal.ts';
import { allocate, type PaidCharge } from '../settlements/allocate.ts';
import { createSettlement } from '../settlements/create.ts';
import { scheduleDue } from './due/run-due.ts';
import { insertPlan, type NewPlan } from './insert-plan.ts';
import { loadLivePlan } from './life/live-plan.ts';
import { quotesFor } from './list-quotes.ts';
import { type LockedPosition, lockPosition } from './lock-position.ts';
import { addBankingDays } from './offer/banking-days.ts';
import { pendingFailures, charge as takePayment } from './payment/charge.ts';
import { newestPaymentMethod } from './payment/payment-methods.ts';
import type { ChargeOutcome } from './payment/test-bank.ts';
import { findPlan } from './read-plan.ts';

export interface Acceptance {
  readonly input: { readonly quote_id: string; readonly accepted_disclosure_sha256: string };
  readonly ip: string;
  readonly userAgent: string | null;
}

export type Accepted = Omit<AcceptOutput, 'state'>;

/**
 * Consent becomes a plan: first payment, settlement, ledger and events, all or nothing. The same
 * quote accepted twice (double click, two tabs, a repeat after a crash) answers the same plan.
 */
export async function acceptPlan(ctx: Ctx<TenantActor>, wanted: Acceptance): Promise<Accepted> {
  const locked = await lockPosition(ctx);
  const { openPlan } = locked.dossier;
  if (openPlan?.quoteId === wanted.input.quote_id) return answerAgain(ctx, openPlan.id);
  if (openPlan) throw new Refusal('plan_already_exists');
  const quote = quotesFor(locked.dossier, locked.position, ctx.actor.productVariant).find(
    (it) => it.id === wanted.input.quote_id,
  );
  if (!quote || quote.disclosure.sha256 !== wanted.input.accepted_disclosure_sha256) {
    throw new Refusal('quote_not_found');
  }
  const method = await newestPaymentMethod(ctx.tx, ctx.actor.tenantId);
  if (!method) throw new Refusal('step_not_allowed');
  const { tenantId } = ctx.actor;
  const { result: charge } = await takePayment(ctx, {
    tenantId,
    pendingFailures: await pendingFailures(ctx.tx, tenantId),
    methodId: method.id,
    detailsSealed: method.details_sealed,
  });
  const paid = allocate(locked.cycle.charges, quote.amount_financed_in_cents);
  const plan = await insertPlan(ctx, locked, { quote, charge, paid, methodId: method.id, wanted });
  return charge.outcome === 'succeeded'
    ? activate(ctx, locked, { plan, quote, paid })
    : refuse(ctx, locked, plan, charge);
}

async function activate(
  ctx: Ctx<TenantActor>,
  { dossier: { tenant }, cycle, position, subject }: LockedPosition,
  { plan, quote, paid }: { plan: NewPlan; quote: QuoteOutput; paid: PaidCharge[] },
): Promise<Accepted> {
  const { partnerId, id: tenantId } = tenant;
  const settlement = await createSettlement(ctx, {
    partnerId,
    tenantId,
    planId: plan.id,
    amountInCents: quote.amount_financed_in_cents,
    rentCycleDate: cycle.dueDate,
    debitBy: quote.debit_by,
    staleAfter: addBankingDays(quote.debit_by, terms.staleAfterDays),
  });
  await postActivation(ctx, { partnerId, tenantId, plan, quote, at: position.at });
  const { clockOffsetMs } = tenant;
  const live = await loadLivePlan(ctx.tx, { tenantId });
  await scheduleDue(ctx, live, { tenantId, clockOffsetMs });
  const result = {
    settlement_id: settlement.id,
    amount_in_cents: quote.amount_financed_in_cents,
    charges_paid: paid.map((it) => it.charge_id),
    charges_and_amounts_paid: paid,
  };
  const { first } = plan;
  await emit(ctx, subject, [
    { type: 'plan.created', version: 1, data: plan.data },
    { type: 'plan.activated', version: 2, data: plan.data },
    {
      type: 'settlement.created',
      version: 1,
      data: {
        ...result,
        plan_id: plan.id,
        rent_cycle_date: cycle.dueDate,
        debit_by: quote.debit_by,
      },
    },
    {
      type: 'installment.paid',
      version: 2,
      data: {
        plan_id: plan.id,
        installment_id: first.id,
        number: 1,
        due_date: first.due_date,
        amount_in_cents: first.amount_in_cents,
        method: 'bank_account',
      },
    },
  ]);
  return { settlement: result, failure: null };
}

/** Debits are positive: the tenant owes us principal and fee; we owe the portal the principal. */
async function postActivation(
  ctx: Ctx<TenantActor>,
  about: {
    partnerId: string;
    tenantId: string;
    plan: NewPlan;
    quote: QuoteOutput;
    at: Date;
  },
): Promise<void> {
  const { partnerId, tenantId, plan, quote, at: occurredAt } = about;
  await post(ctx, {
    partnerId,
    tenantId,
    kind: 'advance',
    sourceId: plan.id,
    occurredAt,
    entries: [
      { kind: 'tenant_receivable', amountInCents: quote.total_of_payments_in_cents },
      { kind: 'partner_payable', amountInCents: -quote.amount_financed_in_cents },
      { kind: 'fee_income', amountInCents: -quote.fee_in_cents },
    ],
  });
  const amount = plan.first.amount_in_cents;
  await post(ctx, {
    partnerId,
    tenantId,
    kind: 'payment',
    sourceId: plan.paymentId,
    occurredAt,
    entries: [
      { kind: 'processor_clearing', amountInCents: amount },
      { kind: 'tenant_receivable', amountInCents: -amount },
    ],
  });
}

/** The first payment failed: the plan ends before it began, and the tenant may try again. */
async function refuse(
  ctx: Ctx<TenantActor>,
  { subject }: LockedPosition,
  plan: NewPlan,
  charge: Extract<ChargeOutcome, { outcome: 'failed' }>,
): Promise<Accepted> {
  const canceled: NewEvent = {
    type: 'plan.canceled',
    version: 2,
    data: { ...plan.data, reason: 'first_payment_failed' },
  };
  await emit(ctx, subject, [{ type: 'plan.created', version: 1, data: plan.data }, canceled]);
  return {
    settlement: null,
    failure: {
      code: `first_payment_failed:${charge.returnCode}`,
      message: 'Your bank did not make the first payment. No money moved, and no plan was made.',
    },
  };
}

async function answerAgain(ctx: Ctx<TenantActor>, planId: string): Promise<Accepted> {
  const { partnerId } = ctx.actor;
  const plan = (await findPlan(ctx.tx, { partnerId, id: planId })) as PlanOutput;
  const paid = await paidCharges(ctx, planId);
  return {
    settlement: {
      settlement_id: plan.settlement_id ?? '',
      amount_in_cents: plan.amount_financed_in_cents,
      charges_paid: paid.map((it) => it.charge_id),
      charges_and_amounts_paid: paid,
    },
    failure: null,
  };
}

async function paidCharges(ctx: Ctx<TenantActor>, planId: string): Promise<PaidCharge[]> {
  return ctx.tx.many<PaidCharge>(sql`
    select charge_id, amount_in_cents from plan_charge where plan_id = ${planId}
    order by charge_id`);
}
