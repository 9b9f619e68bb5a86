import { type Queryable, sql } from '@svc/db';
import { monthOf } from './calendar.ts';
import type { Tenant } from './tenant.ts';

/** Whether somebody else is billed for this day's month of the same lease: each owes a share then. */
export async function sharesLease(
  q: Queryable,
  { id, partnerId, lease }: Tenant,
  day: string | null,
): Promise<boolean> {
  if (!lease || day === null) return false;
  const first = `${monthOf(day)}-01`;
  const { shares } = await q.one<{ shares: boolean }>(sql`
    select exists (
      select from tenant t join charge c on c.tenant_id = t.id
      where t.partner_id = ${partnerId} and t.lease->>'id' = ${lease.id} and t.id <> ${id}
        and c.due_date >= ${first}::date and c.due_date < ${first}::date + interval '1 month'
    ) as shares`);
  return shares;
}
