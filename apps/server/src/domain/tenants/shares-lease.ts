import { boolean, type Queryable, row, type Sql, sql } from '@svc/db';
import { monthOf } from './calendar.ts';
import type { Tenant } from './tenant.ts';

type Lessee = Pick<Tenant, 'id' | 'partnerId' | 'lease'>;

const sharesRow = row('shared lease', { shares: boolean });

/** Returns whether another tenant of the lease is billed for the month of this day, so that each owes a share. */
export async function sharesLease(
  q: Queryable,
  tenant: Lessee,
  day: string | null,
): Promise<boolean> {
  if (!tenant.lease || day === null) return false;
  const { shares } = await q.one(sharesRow, sql`select ${isLeaseShared(tenant, day)} as shares`);
  return shares;
}

/** The result of `sharesLease` as an expression, for use in a larger statement. */
export function isLeaseShared({ id, partnerId, lease }: Lessee, day: string): Sql {
  if (!lease) return sql`false`;
  const first = `${monthOf(day)}-01`;
  return sql`exists (
    select from tenant t join charge c on c.partner_id = t.partner_id and c.tenant_id = t.id
    where t.partner_id = ${partnerId} and t.lease->>'id' = ${lease.id} and t.id <> ${id}
      and c.due_date >= ${first}::date and c.due_date < ${first}::date + interval '1 month')`;
}
