import type { OwnPlanOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { readManagement } from '../plans/read-management.ts';
import { findPlan } from '../plans/read-plan.ts';
import { Refusal } from '../refusal.ts';

/** One plan of the tenant's own, also when it is over: its papers stay readable. */
export async function readOwnPlan(
  ctx: Ctx<TenantActor>,
  { id }: { readonly id: string },
): Promise<OwnPlanOutput> {
  const { partnerId, tenantId } = ctx.actor;
  const management = await readManagement(ctx.tx, { tenantId, planId: id, now: ctx.now });
  const plan = await findPlan(ctx.tx, { partnerId, id });
  if (!management || !plan) throw new Refusal('plan_not_found');
  return { plan, management };
}
