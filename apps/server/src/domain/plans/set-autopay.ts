import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { emit } from '../events/emit.ts';
import { type Changed, nothingChanged } from './changed.ts';
import { mailFactsOf, planData, subjectOf } from './live-plan.ts';
import { lockOpenPlan } from './lock-plan.ts';
import { saveChange } from './save-change.ts';
import { scheduleDue } from './schedule-due.ts';

/** Turns automatic payments on or off. */
export async function setAutopay(
  ctx: Ctx<TenantActor>,
  planId: string,
  { enabled }: { readonly enabled: boolean },
): Promise<Changed> {
  const { plan: before, at } = await lockOpenPlan(ctx, planId);
  if (before.autopay === enabled) return nothingChanged;
  const kind = enabled ? ('autopay_enabled' as const) : ('autopay_disabled' as const);
  const after = { ...before, autopay: enabled };
  const plan = saveChange(ctx, { before, after, at, history: [{ kind }] });
  await scheduleDue(ctx.tx, plan);
  const { version } = plan;
  const mail = mailFactsOf(plan);
  emit(ctx, subjectOf(plan, at), [
    enabled
      ? { type: 'autopay.enabled', version, data: { plan_id: plan.id }, mail }
      : { type: 'autopay.disabled', version, data: { plan_id: plan.id }, mail },
    { type: 'plan.updated', version, data: { ...planData(plan), change: kind } },
  ]);
  return { ...nothingChanged, change: { plan_id: planId, change: kind } };
}
