import type { Ctx } from '../../../context.ts';
import type { TenantActor } from '../../access/actor.ts';
import { emit } from '../../events/emit.ts';
import { tenantTime } from '../../tenants/time.ts';
import { type BankAccount, insertPaymentMethod } from '../payment/payment-methods.ts';
import { loadLivePlan, planData, subjectOf } from './live-plan.ts';
import { lockTenant } from './lock-plan.ts';
import { saveChange } from './save-change.ts';

/** An open plan is paid from another account from now on. False when there is none. */
export async function changePaymentMethod(
  ctx: Ctx<TenantActor>,
  account: BankAccount,
): Promise<boolean> {
  const { tenantId } = ctx.actor;
  await lockTenant(ctx.tx, tenantId);
  const before = await loadLivePlan(ctx.tx, { tenantId });
  if (!before) return false;
  const at = tenantTime(before, ctx.now);
  const { id, label } = await insertPaymentMethod(ctx, account);
  const kind = 'payment_method' as const;
  const after = { ...before, method: { id, label, type: account.type } };
  const plan = await saveChange(ctx, { before, after, at, history: [{ kind }] });
  const data = { ...planData(plan), change: kind };
  await emit(ctx, subjectOf(plan, at), [{ type: 'plan.updated', version: plan.version, data }]);
  return true;
}
