import type { OwnPlanOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { readManagement } from '../plans/read-management.ts';
import { Refusal } from '../refusal.ts';
import { hideAccountOf } from './hide-account.ts';

/** Reads one of the tenant's plans, including plans that are over. */
export async function readOwnPlan(
  ctx: Ctx<TenantActor>,
  { id }: { readonly id: string },
): Promise<OwnPlanOutput> {
  const { partnerId, tenantId } = ctx.actor;
  const { tx, now, service } = ctx;
  const { vault } = service;
  const own = await readManagement(tx, { partnerId, tenantId, planId: id, now, vault });
  if (!own) throw new Refusal('plan_not_found');
  return ctx.actor.access === 'full' ? own : { ...own, management: hideAccountOf(own.management) };
}
