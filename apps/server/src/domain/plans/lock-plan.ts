import { type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { partnerOf } from '../operators/partner-of.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { type TenantTime, tenantTime } from '../tenants/time.ts';
import { type LivePart, type LivePlan, loadPlan } from './live-plan.ts';

/** The context of a change to a tenant's plan, by the tenant's own request or an operator's command. */
export interface OfTenant extends Omit<Ctx, 'actor'> {
  readonly actor: TenantKey;
}

interface LockedPlan {
  readonly plan: LivePlan;
  readonly at: TenantTime;
}

/** Locks the tenant's row, so that commands about one tenant run one after another, and loads the plan. */
export async function lockPlan(ctx: OfTenant, planId: string): Promise<LockedPlan> {
  const { partnerId, tenantId } = ctx.actor;
  await lockTenant(ctx.tx, ctx.actor);
  const plan = await loadPlan(ctx.tx, { partnerId, tenantId, planId });
  if (!plan) throw new Refusal('plan_not_found');
  return { plan, at: tenantTime(plan, ctx.now) };
}

/** Locks the plan and refuses one that is not active or past due. */
export async function lockOpenPlan(ctx: OfTenant, planId: string): Promise<LockedPlan> {
  const locked = await lockPlan(ctx, planId);
  requireOpenPlan(locked.plan);
  return locked;
}

export function requireOpenPlan({ state }: LivePlan): void {
  if (state === 'active' || state === 'past_due') return;
  const message =
    state === 'created'
      ? 'The first payment is on its way: until it has gone through, the plan can only be canceled.'
      : 'This plan is over: nothing can be changed.';
  throw new Refusal('step_not_allowed', { message });
}

export function findPart(plan: LivePlan, id: string, param: string): LivePart {
  const part = plan.parts.find((it) => it.id === id);
  if (part) return part;
  throw new Refusal('validation_failed', {
    errors: [{ param, code: 'invalid_value', message: 'must be an installment of this plan' }],
  });
}

const ownerRow = row('tenant of a plan', { partnerId: text, tenantId: text });

/**
 * Returns the context of an operator's command that names nothing but a plan.
 * @throws Refusal `plan_not_found`
 */
export async function asTenantOf(ctx: Ctx, planId: string): Promise<OfTenant> {
  const partnerId = await partnerOf(ctx.tx, { subject: 'plan_id', id: planId });
  const owner = await ctx.tx.maybe(
    ownerRow,
    sql`select partner_id, tenant_id from plan where partner_id = ${partnerId} and id = ${planId}`,
  );
  if (!owner) throw new Refusal('plan_not_found', { message: `There is no plan ${planId}.` });
  return { ...ctx, actor: owner };
}

const tenantRow = row('locked tenant', { id: text });

async function lockTenant(q: Queryable, { partnerId, tenantId }: TenantKey): Promise<void> {
  await q.one(
    tenantRow,
    sql`select id from tenant where partner_id = ${partnerId} and id = ${tenantId} for update`,
  );
}
