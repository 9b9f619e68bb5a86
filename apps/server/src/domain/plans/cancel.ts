import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import { type Changed, nothingChanged } from './changed.ts';
import { endBeforeStart } from './first-payment.ts';
import { asTenantOf, lockPlan, type OfTenant } from './lock-plan.ts';
import { writeSteps } from './plan-step.ts';
import { scheduleDue } from './schedule-due.ts';

/**
 * Cancels a plan whose first payment is pending, for the tenant or for an operator. Canceling it again
 * changes nothing.
 */
export async function cancelPendingPlan(
  ctx: OfTenant,
  planId: string,
  by: 'tenant' | 'operator' = 'tenant',
): Promise<Changed> {
  const { plan, at } = await lockPlan(ctx, planId);
  if (plan.state === 'canceled') return nothingChanged;
  if (plan.state !== 'created') throw alreadyStarted();
  const step = endBeforeStart(plan, {
    at,
    reason: `canceled_by_${by}`,
    isOnScreen: by === 'tenant',
  });
  await writeSteps(ctx, [step]);
  await scheduleDue(ctx.tx, step.change.plan);
  return { ...nothingChanged, change: { plan_id: planId, change: 'canceled' } };
}

interface CanceledPlan {
  readonly partner_id: string;
  readonly plan_id: string;
  /** The amount of the payment that does not happen. */
  readonly first_payment_in_cents: number;
  /** False if the plan was canceled before. */
  readonly changed: boolean;
}

/** Cancels a plan for the tenant on an operator's command, while the tenant could still cancel it. */
export async function cancelForTenant(ctx: Ctx, planId: string): Promise<CanceledPlan> {
  const ofTenant = await asTenantOf(ctx, planId);
  const { plan } = await lockPlan(ofTenant, planId);
  const { change } = await cancelPendingPlan(ofTenant, planId, 'operator');
  return {
    partner_id: plan.partnerId,
    plan_id: planId,
    first_payment_in_cents: plan.parts[0]?.amountInCents ?? 0,
    changed: change !== null,
  };
}

function alreadyStarted(): Refusal {
  return new Refusal('step_not_allowed', {
    message:
      'The first payment has gone through, so this plan can no longer be canceled. Paying early is always possible, at no cost.',
  });
}
