import { type Sql, sql } from '@svc/db';

/** Names a tenant. The key of each of the tenant's rows begins with the partner. */
export interface TenantKey {
  readonly partnerId: string;
  readonly tenantId: string;
}

/**
 * The condition that `columns`, the ids of a partner and of a tenant, name one of these tenants.
 * @example sql`where ${areTenants(sql`(p.partner_id, p.tenant_id)`, tenants)}`
 */
export function areTenants(columns: Sql, tenants: readonly TenantKey[]): Sql {
  const [only] = tenants;
  // With arrays the planner expects 10 rows, and plans the statement anew each time.
  if (only && tenants.length === 1) return sql`${columns} = (${only.partnerId}, ${only.tenantId})`;
  const partnerIds = tenants.map((it) => it.partnerId);
  const tenantIds = tenants.map((it) => it.tenantId);
  return sql`${columns} in (select * from unnest(${partnerIds}::text[], ${tenantIds}::text[]))`;
}
