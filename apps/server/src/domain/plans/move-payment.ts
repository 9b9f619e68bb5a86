import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import { localDate } from '../tenants/calendar.ts';
import { isInFlight, isOpen, type LivePart, type LivePlan } from './live-plan.ts';
import { asTenantOf, lockPlan } from './lock-plan.ts';
import { reschedulePart } from './reschedule.ts';
import { rescheduleDays } from './reschedule-days.ts';

interface MovedPayment {
  readonly partner_id: string;
  readonly plan_id: string;
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly amount_in_cents: number;
  /** False if the payment was due on that day already. */
  readonly changed: boolean;
}

interface Request {
  readonly planId: string;
  readonly number: number;
  readonly to: string;
}

/** Moves a payment for the tenant on an operator's command, to one of the days that the tenant is offered. */
export async function movePayment(
  ctx: Ctx,
  { planId, number, to }: Request,
): Promise<MovedPayment> {
  const ofTenant = await asTenantOf(ctx, planId);
  const { plan, at } = await lockPlan(ofTenant, planId);
  const part = plan.parts.find((it) => it.number === number);
  if (!part)
    throw refused(`This plan has ${plan.parts.length} payments, so there is no ${number}.`);
  const { id, dueDate: from, amountInCents } = part;
  if (to !== from) requireOffered(plan, part, { to, today: localDate(at, plan.timeZone) });
  await reschedulePart(ofTenant, planId, { installment_id: id, due_date: to }, 'operator');
  return {
    partner_id: plan.partnerId,
    plan_id: planId,
    number,
    from,
    to,
    amount_in_cents: amountInCents,
    changed: to !== from,
  };
}

function requireOffered(
  plan: LivePlan,
  part: LivePart,
  { to, today }: { readonly to: string; readonly today: string },
): void {
  const days = rescheduleDays(plan, part, today);
  if (days.includes(to)) return;
  if (days.length > 0) {
    throw refused(`Payment ${part.number} can move to: ${days.join(', ')}.`);
  }
  if (isInFlight(part)) {
    throw refused('This payment is on its way. Move it if the bank refuses it.');
  }
  if (!isOpen(part)) throw refused(`This payment is ${part.state}, so it cannot move.`);
  throw refused(
    plan.state === 'created'
      ? 'The first payment is on its way. Until it has gone through, the plan can only be canceled.'
      : 'There is no banking day before the next rent that is far enough from the other payments.',
  );
}

function refused(message: string): Refusal {
  return new Refusal('step_not_allowed', { message });
}
