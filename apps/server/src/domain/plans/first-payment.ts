import { sql } from '@svc/db';
import type { Ctx, UnitOfWork } from '../../context.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { charge } from '../payments/charge.ts';
import { findPaymentMethod } from '../payments/payment-methods.ts';
import { readPaidCharges } from '../settlements/paid-charges.ts';
import type { TenantTime } from '../tenants/time.ts';
import { activate } from './activate.ts';
import { type LivePlan, payerOf, planData, subjectOf } from './live-plan.ts';
import { type HistoryLine, movePart, movePlan, saveChange, withPart } from './save-change.ts';

/** The bank has answered a pending first payment: the plan becomes active, or is canceled. */
export async function settleFirst(
  ctx: UnitOfWork,
  before: LivePlan,
  at: TenantTime,
): Promise<LivePlan> {
  const { pending } = before;
  const [first] = before.parts;
  if (!pending || !first) throw new Error(`plan ${before.id} waits for no payment`);
  const payer = await paidFrom(ctx, before, pending.methodId);
  const { result, rest } = await charge(ctx, payerOf(payer), { at, isFirst: true });
  if (result.outcome === 'failed') {
    const { returnCode } = result;
    return endBeforeStart(ctx, before, { at, reason: 'first_payment_failed', returnCode });
  }
  await endPayment(ctx, before, 'succeeded');
  const paid = movePart(first, ['paid'], { paidMs: at.getTime() });
  const after = {
    ...movePlan(withPart(before, paid), 'active'),
    pending: null,
    pendingFailures: rest,
  };
  const { number, amountInCents } = first;
  const history = [{ kind: 'paid', number, amountInCents }] as const;
  const plan = await saveChange(ctx, { before, after, at, history });
  const { id: paymentId, methodId } = pending;
  const charges = await readPaidCharges(ctx, { partnerId: plan.partnerId, planId: plan.id });
  const subject = subjectOf(plan, at);
  const { method, detailsSealed } = payer;
  await activate(
    ctx,
    { ...plan, method, detailsSealed },
    { paymentId, methodId, at, paid: charges, subject },
  );
  return plan;
}

/** The plan with the method that the pending payment uses; the tenant may have chosen another since. */
async function paidFrom(ctx: UnitOfWork, plan: LivePlan, methodId: string): Promise<LivePlan> {
  if (plan.method.id === methodId) return plan;
  const { detailsSealed, ...method } = await findPaymentMethod(ctx.tx, {
    partnerId: plan.partnerId,
    id: methodId,
  });
  return { ...plan, method, detailsSealed };
}

interface Ending {
  readonly at: TenantTime;
  readonly reason: string;
  /** The bank's code, if the payment failed. */
  readonly returnCode?: string;
}

/** Cancels a plan whose first payment did not succeed: no money has moved, nothing is owed. */
export async function endBeforeStart(
  ctx: UnitOfWork,
  before: LivePlan,
  { at, reason, returnCode }: Ending,
): Promise<LivePlan> {
  const { pending } = before;
  if (!pending) throw new Error(`plan ${before.id} has begun`);
  await endPayment(ctx, before, returnCode ? 'failed' : 'canceled', returnCode);
  const parts = before.parts.map((it) => movePart(it, ['canceled']));
  const after = { ...movePlan(before, 'canceled'), parts, pending: null };
  const history: HistoryLine[] = [
    ...(returnCode ? [{ kind: 'failed', number: 1, returnCode } as const] : []),
    { kind: 'canceled' },
  ];
  const plan = await saveChange(ctx, { before, after, at, history });
  const data = { ...planData(plan), reason };
  const event: NewEvent = { type: 'plan.canceled', version: plan.version, data };
  emit(ctx, subjectOf(plan, at), [event]);
  return plan;
}

async function endPayment(
  { tx }: Pick<Ctx, 'tx'>,
  { partnerId, pending }: LivePlan,
  outcome: 'succeeded' | 'failed' | 'canceled',
  returnCode?: string,
): Promise<void> {
  await tx.run(sql`
    update payment set outcome = ${outcome}, return_code = ${returnCode ?? null}
    where partner_id = ${partnerId} and id = ${pending?.id} and outcome = 'pending'`);
}
