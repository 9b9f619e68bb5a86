import { type Queryable, sql } from '@svc/db';
import { type LivePlan, loadOpenPlans } from './live-plan.ts';
import { nextAction } from './next-action.ts';

interface Tenant {
  readonly tenantId: string;
  readonly clockOffsetMs: number | null;
  /** The plan to schedule by, as it is after the change; undefined if none is open. */
  readonly plan: LivePlan | undefined;
}

/** Stores when the next action of the tenant's open plan falls due, after a change of `plan`. */
export async function scheduleDue(q: Queryable, plan: LivePlan): Promise<void> {
  await scheduleDueOf(q, [{ tenantId: plan.tenantId, clockOffsetMs: plan.clockOffsetMs, plan }]);
}

/**
 * Stores for each tenant when the next action falls due, in wall time, so that the tick finds it by
 * an index. Removes the entry of a tenant for whom nothing falls due.
 */
export async function scheduleDueOf(q: Queryable, tenants: readonly Tenant[]): Promise<void> {
  // Next to a plan that is over, or that a returned payment reopened, another one may be running.
  const unsure = tenants.filter(({ plan }) => plan && (plan.reopened || isOver(plan)));
  const running = await loadOpenPlans(
    q,
    unsure.map((it) => it.tenantId),
  );
  const all = tenants.map((tenant) => {
    const plan = unsure.includes(tenant) ? running.get(tenant.tenantId) : tenant.plan;
    const action = plan && nextAction(plan);
    const { tenantId, clockOffsetMs } = tenant;
    return { tenantId, dueAt: action && new Date(action.at.getTime() - (clockOffsetMs ?? 0)) };
  });
  const over = all.filter((it) => !it.dueAt).map((it) => it.tenantId);
  const due = all.filter((it) => it.dueAt);
  await Promise.all([
    over.length > 0 && q.run(sql`delete from tenant_due where tenant_id = any(${over}::text[])`),
    due.length > 0 &&
      q.run(sql`
        insert into tenant_due (tenant_id, due_at)
        select d."tenantId", d."dueAt" from json_to_recordset(${JSON.stringify(due)}::json)
          as d("tenantId" text, "dueAt" timestamptz)
        on conflict (tenant_id) do update set due_at = excluded.due_at`),
  ]);
}

export function isOver({ state }: LivePlan): boolean {
  return state !== 'created' && state !== 'active' && state !== 'past_due';
}
