import type { Sql } from '@svc/db';
import { areRows } from './partner-of-rows.ts';

/** Identifies a tenant. The key of each of the tenant's rows begins with the partner. */
export interface TenantKey {
  readonly partnerId: string;
  readonly tenantId: string;
}

/**
 * The condition that two columns, the ids of a partner and of a tenant, name one of these tenants.
 * @example sql`where ${areTenants([sql`p.partner_id`, sql`p.tenant_id`], tenants)}`
 */
export function areTenants(columns: [partner: Sql, tenant: Sql], tenants: readonly TenantKey[]) {
  return areRows(
    columns,
    tenants.map(({ partnerId, tenantId }) => ({ partnerId, id: tenantId })),
  );
}
