import { instant, nullable, type Queryable, row, type Sql, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { requirePartner } from '../partners/find-partner.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';

/** A tenant as an operator names it. */
export interface NamedTenant {
  readonly pms: string;
  readonly external_id: string;
}

const tenantRow = row('named tenant', { id: text, erasedAt: nullable(instant) });

interface FoundTenant extends TenantKey {
  readonly erasedAt: Date | null;
}

/** @throws Refusal `not_found` or `tenant_not_found` */
export function requireTenant(q: Queryable, named: NamedTenant): Promise<FoundTenant> {
  return findTenant(q, named, sql``);
}

/** Also locks the tenant's row, so that nothing about it changes until the commit. */
export function lockNamedTenant({ tx }: Pick<Ctx, 'tx'>, named: NamedTenant): Promise<FoundTenant> {
  return findTenant(tx, named, sql`for update`);
}

async function findTenant(
  q: Queryable,
  { pms, external_id }: NamedTenant,
  lock: Sql,
): Promise<FoundTenant> {
  const { id: partnerId } = await requirePartner(q, pms);
  const found = await q.maybe(
    tenantRow,
    sql`
    select id, erased_at from tenant
    where partner_id = ${partnerId} and external_id = ${external_id}
    ${lock}`,
  );
  if (found) return { partnerId, tenantId: found.id, erasedAt: found.erasedAt };
  throw new Refusal('tenant_not_found', {
    message: `${pms} has no tenant ${external_id}. Erased tenants are in "audit list ${pms} --action tenant.erased".`,
  });
}
