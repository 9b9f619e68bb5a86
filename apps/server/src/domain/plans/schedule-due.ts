import type { Tx } from '@svc/db';
import type { TenantKey } from '../tenant-key.ts';
import { clearDue, setDue } from '../tenants/due.ts';
import { type LivePlan, loadOpenPlans } from './live-plan.ts';
import { nextAction } from './next-action.ts';

interface Tenant extends TenantKey {
  readonly clockOffsetMs: number | null;
  /** The plan to schedule by, as it is after the change; undefined if none is open. */
  readonly plan: LivePlan | undefined;
}

/** Stores when the next action of the tenant's open plan falls due, after a change of `plan`. */
export async function scheduleDue(tx: Tx, plan: LivePlan): Promise<void> {
  const { partnerId, tenantId, clockOffsetMs } = plan;
  await scheduleDueOf(tx, [{ partnerId, tenantId, clockOffsetMs, plan }]);
}

/**
 * Stores for each tenant when the next action falls due, in wall time, so that the tick finds it by
 * an index. Removes the entry of a tenant that has nothing due.
 */
export async function scheduleDueOf(tx: Tx, tenants: readonly Tenant[]): Promise<void> {
  // Next to a plan that is over, or that a returned payment reopened, another one may be running.
  const unsure = tenants.filter(({ plan }) => plan && (plan.reopened || isOver(plan)));
  const running = await loadOpenPlans(tx, unsure);
  const all = tenants.map((tenant) => {
    const plan = unsure.includes(tenant) ? running.get(tenant.tenantId) : tenant.plan;
    const action = plan && nextAction(plan);
    const { partnerId, tenantId, clockOffsetMs } = tenant;
    const dueAt = action ? new Date(action.at.getTime() - (clockOffsetMs ?? 0)) : null;
    return { partnerId, tenantId, dueAt };
  });
  const over = all.filter((it) => it.dueAt === null);
  const due = all.flatMap(({ dueAt, ...it }) => (dueAt === null ? [] : [{ ...it, dueAt }]));
  if (over.length > 0) clearDue(tx, over);
  if (due.length > 0) setDue(tx, due);
}

export function isOver({ state }: LivePlan): boolean {
  return state !== 'created' && state !== 'active' && state !== 'past_due';
}
