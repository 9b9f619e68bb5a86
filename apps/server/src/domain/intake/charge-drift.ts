import type { EventData } from '@svc/contract';
import type { UnitOfWork } from '../../context.ts';
import type { Charge } from '../charges/charge.ts';
import type { OpenPlan } from '../eligibility/load-tenant-snapshot.ts';
import { endBeforeStart } from '../plans/first-payment.ts';
import { loadOpenPlan } from '../plans/live-plan.ts';
import { writeSteps } from '../plans/plan-step.ts';
import { saveChange } from '../plans/save-change.ts';
import { scheduleDue } from '../plans/schedule-due.ts';
import type { TenantKey } from '../tenant-key.ts';
import { monthOf } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';

export type Drift = Omit<EventData<'charge.drift_detected'>, 'object_version' | 'occurred_at'>;

/**
 * Returns the charges of an open plan that the portal has changed, and the effect on the plan. A charge that
 * the plan's settlement pays may disappear: most portals list open charges only, so they drop it, or report
 * what a credit has left of it.
 */
export function chargeDrift(
  plan: OpenPlan,
  before: readonly Charge[],
  after: readonly Charge[],
): Drift[] {
  const month = monthOf(plan.rentCycleDate);
  const paidById = new Map(plan.paidCharges.map((it) => [it.chargeId, it.amountInCents]));
  const ofPlan = (it: Charge) => paidById.has(it.id) && monthOf(it.dueDate) === month;
  return before.filter(ofPlan).flatMap((known): Drift[] => {
    const reported = after.find((it) => it.id === known.id && ofPlan(it));
    const amount = reported?.amountInCents ?? 0;
    const left = known.amountInCents - (paidById.get(known.id) ?? 0);
    const isPaid = plan.paysCharges && (amount === 0 || amount === left);
    if (amount === known.amountInCents || isPaid) return [];
    return [
      {
        plan_id: plan.id,
        charge_id: known.id,
        known_amount_in_cents: known.amountInCents,
        new_amount_in_cents: amount,
        outcome: driftCancels(plan) ? 'plan_canceled' : 'plan_unchanged',
      },
    ];
  });
}

/**
 * Returns whether a changed charge cancels the plan. It cancels only a plan that has not begun, because the
 * tenant agreed to another amount.
 */
export function driftCancels({ state }: OpenPlan): boolean {
  return state === 'created';
}

/** Cancels a plan whose first payment is pending. Adds a line to the history of any other plan. */
export async function applyDrift(
  ctx: UnitOfWork,
  { drift, at, ...tenant }: TenantKey & { drift: readonly Drift[]; at: TenantTime },
): Promise<void> {
  const plan = await loadOpenPlan(ctx.tx, tenant);
  if (!plan) return;
  if (plan.state === 'created') {
    const step = endBeforeStart(plan, { at, reason: 'charges_changed', isOnScreen: false });
    await writeSteps(ctx, [step]);
    await scheduleDue(ctx.tx, step.change.plan);
    return;
  }
  // A removed charge gets no line: the tenant has nothing to do about it.
  const history = drift
    .filter((it) => it.new_amount_in_cents !== 0)
    .map((it) => ({
      kind: 'charge_changed' as const,
      amountInCents: it.new_amount_in_cents - it.known_amount_in_cents,
    }));
  if (history.length > 0) saveChange(ctx, { before: plan, after: plan, at, history });
}
