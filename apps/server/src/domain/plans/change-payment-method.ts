import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { emit } from '../events/emit.ts';
import { insertPaymentMethod, type PaymentMethod } from '../payments/payment-methods.ts';
import type { Registered } from '../payments/processor.ts';
import { Refusal } from '../refusal.ts';
import { tenantTime } from '../tenants/time.ts';
import { loadOpenPlan, mailFactsOf, planData, subjectOf } from './live-plan.ts';
import { saveChange } from './save-change.ts';

/** Switches the open plan to another account or card. The tenant's row is locked. */
export async function changePaymentMethod(
  ctx: Ctx<TenantActor>,
  registered: Registered,
): Promise<PaymentMethod> {
  const before = await loadOpenPlan(ctx.tx, ctx.actor);
  if (!before) throw new Refusal('step_not_allowed');
  const at = tenantTime(before, ctx.now);
  const method = await insertPaymentMethod(ctx, ctx.actor, registered);
  const kind = 'payment_method' as const;
  const after = { ...before, method };
  const plan = saveChange(ctx, { before, after, at, history: [{ kind }] });
  const data = { ...planData(plan), change: kind };
  const mail = mailFactsOf(plan);
  emit(ctx, subjectOf(plan, at), [{ type: 'plan.updated', version: plan.version, data, mail }]);
  return method;
}
