import { type Queryable, row, sql, text } from '@svc/db';
import { partnerOfRows } from '../partner-of-rows.ts';
import { areTenants, type TenantKey } from '../tenant-key.ts';
import { lossOf } from './plan-loss.ts';

const chargedOffRow = row('charged-off plan of a tenant', { tenantId: text, planId: text });

/** Reads, by tenant, the id of the newest plan that was charged off and is still owed. */
export async function readChargedOffPlans(
  q: Queryable,
  tenants: readonly TenantKey[],
): Promise<ReadonlyMap<string, string>> {
  if (tenants.length === 0) return new Map();
  const partnerId = partnerOfRows(tenants, sql`p.partner_id`);
  const rows = await q.many(
    chargedOffRow,
    sql`
    select distinct on (p.tenant_id) p.tenant_id as tenant_id, p.id as plan_id from plan p
    where ${areTenants([sql`p.partner_id`, sql`p.tenant_id`], tenants)} and p.state = 'charged_off'
      and (${lossOf({ partnerId, planId: sql`p.id` })}) > 0
    order by p.tenant_id, p.created_at desc, p.id desc`,
  );
  return new Map(rows.map(({ tenantId, planId }) => [tenantId, planId]));
}
