import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { type Changed, nothingChanged } from './changed.ts';
import { endBeforeStart } from './first-payment.ts';
import { lockPlan } from './lock-plan.ts';
import { writeSteps } from './plan-step.ts';
import { scheduleDue } from './schedule-due.ts';

/** The tenant cancels a plan whose first payment is pending. Canceling it again changes nothing. */
export async function cancel(ctx: Ctx<TenantActor>, planId: string): Promise<Changed> {
  const { plan, at } = await lockPlan(ctx, planId);
  if (plan.state === 'canceled') return nothingChanged;
  if (plan.state !== 'created') throw alreadyStarted();
  const step = endBeforeStart(plan, { at, reason: 'canceled_by_tenant', isOnScreen: true });
  await writeSteps(ctx, [step]);
  await scheduleDue(ctx.tx, step.change.plan);
  return { ...nothingChanged, change: { plan_id: planId, change: 'canceled' } };
}

function alreadyStarted(): Refusal {
  return new Refusal('step_not_allowed', {
    message:
      'The first payment has gone through, so this plan can no longer be canceled. Paying early is always possible, at no cost.',
  });
}
