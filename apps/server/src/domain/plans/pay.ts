import { chargebackCodes, failureCodes } from '@svc/contract';
import type { Queryable } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { beginMoney } from '../controls/money-switch.ts';
import { newestPaymentMethod } from '../payments/payment-methods.ts';
import { type Changed, unchanged } from './changed.ts';
import { collect } from './collect.ts';
import { isOpen, type LivePlan } from './live-plan.ts';
import { findPart, lockPlan, requireOpen } from './lock-plan.ts';
import { writeSteps } from './plan-step.ts';
import { scheduleDue } from './schedule-due.ts';

/**
 * The tenant pays installments now or early, each as a separate payment. A paid installment is not
 * charged again, so a double click or a second tab charges nothing.
 */
export async function pay(
  ctx: Ctx<TenantActor>,
  planId: string,
  input: { readonly installment_ids: readonly string[] },
): Promise<Changed> {
  const { plan: found, at } = await lockPlan(ctx, planId);
  const chosen = new Set(input.installment_ids);
  const parts = [...chosen].map((id) => findPart(found, id, 'installment_ids'));
  if (!parts.some(isOpen)) return unchanged;
  requireOpen(found);
  await beginMoney(ctx.tx);
  let plan = await withNewestMethod(ctx.tx, found);
  let collected = 0;
  let failure: Changed['failure'] = null;
  for (const part of plan.parts.filter((it) => chosen.has(it.id) && isOpen(it))) {
    const step = await collect(ctx, plan, { part, kind: 'tenant', at });
    await writeSteps(ctx, [step]);
    plan = step.change.plan;
    if (step.returnCode !== null) {
      failure = describeFailure(step.returnCode);
      break;
    }
    collected += part.amountInCents;
  }
  await scheduleDue(ctx.tx, plan);
  const repayment = collected > 0 ? { plan_id: planId, amount_in_cents: collected } : null;
  return { ...unchanged, repayment, failure };
}

/** A reopened plan is paid from the newest account or card, because a payment from its own was returned. */
export async function withNewestMethod(q: Queryable, plan: LivePlan): Promise<LivePlan> {
  if (!plan.reopened) return plan;
  const newest = await newestPaymentMethod(q, plan);
  if (!newest) return plan;
  const { detailsSealed, ...method } = newest;
  return { ...plan, method, detailsSealed };
}

const failureTexts: Readonly<Record<string, string>> = { ...failureCodes, ...chargebackCodes };

export function wordsOf(returnCode: string): string {
  return failureTexts[returnCode] ?? 'The bank did not make the payment.';
}

function describeFailure(returnCode: string) {
  return {
    code: `payment_failed:${returnCode}`,
    message: `${wordsOf(returnCode)} No money moved for this payment.`,
  };
}
