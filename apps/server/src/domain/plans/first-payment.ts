import { sql } from '@svc/db';
import type { Ctx, UnitOfWork } from '../../context.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { cancelCall } from '../payments/calls.ts';
import { findPaymentMethod } from '../payments/payment-methods.ts';
import { readPaidCharges } from '../settlements/paid-charges.ts';
import type { TenantTime } from '../tenants/time.ts';
import { activate } from './activate.ts';
import { type LivePlan, planData, subjectOf } from './live-plan.ts';
import { type HistoryLine, movePart, movePlan, saveChange, withPart } from './save-change.ts';

/** Begins a plan, because its first payment succeeded or, by our terms, is on its way. */
export async function beginPlan(
  uow: UnitOfWork,
  before: LivePlan,
  { at, isPaid }: { readonly at: TenantTime; readonly isPaid: boolean },
): Promise<LivePlan> {
  const { pending } = before;
  const [first] = before.parts;
  if (!pending || !first) throw new Error(`plan ${before.id} waits for no payment`);
  const paid = isPaid ? movePart(first, ['paid'], { paidMs: at.getTime() }) : first;
  const after = { ...movePlan(withPart(before, paid), 'active'), pending: null };
  const { number, amountInCents } = first;
  const history = isPaid ? [{ kind: 'paid', number, amountInCents } as const] : [];
  const [plan, charges] = await Promise.all([
    saveChange(uow, { before, after, at, history }),
    readPaidCharges(uow, { partnerId: before.partnerId, planId: before.id }),
    isPaid && endPayment(uow, before, 'succeeded'),
  ]);
  const { id: paymentId, methodId } = pending;
  const firstPayment = isPaid ? { paymentId, methodId } : null;
  await activate(uow, await paidFrom(uow, plan, methodId), { at, paid: charges, firstPayment });
  return plan;
}

/** The plan with the method that the pending payment uses; the tenant may have chosen another since. */
async function paidFrom(uow: UnitOfWork, plan: LivePlan, methodId: string): Promise<LivePlan> {
  if (plan.method.id === methodId) return plan;
  const { detailsSealed, ...method } = await findPaymentMethod(uow.tx, {
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
  /** The tenant waits for the answer, and so sees it on screen. */
  readonly isOnScreen: boolean;
}

/**
 * Cancels a plan whose first payment did not succeed, so that nothing is owed. If the payment is still
 * on its way, the processor is asked to stop it; money that arrives anyway is given back.
 */
export async function endBeforeStart(
  ctx: UnitOfWork,
  before: LivePlan,
  { at, reason, returnCode, isOnScreen }: Ending,
): Promise<LivePlan> {
  const { pending } = before;
  if (!pending) throw new Error(`plan ${before.id} has begun`);
  await endPayment(ctx, before, returnCode ? 'failed' : 'canceled', returnCode);
  if (!returnCode) await cancelCall(ctx, { partnerId: before.partnerId, key: pending.id });
  const parts = before.parts.map((it) => movePart(it, ['canceled']));
  const after = { ...movePlan(before, 'canceled'), parts, pending: null };
  const history: HistoryLine[] = [
    ...(returnCode ? [{ kind: 'failed', number: 1, returnCode } as const] : []),
    { kind: 'canceled' },
  ];
  const plan = await saveChange(ctx, { before, after, at, history });
  const data = { ...planData(plan), reason };
  const mail = { amount_in_cents: before.parts[0]?.amountInCents ?? 0 };
  const event: NewEvent = {
    type: 'plan.canceled',
    version: plan.version,
    data,
    ...(isOnScreen ? {} : { mail }),
  };
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
