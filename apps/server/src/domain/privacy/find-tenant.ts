import { instant, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { findPartnerByPms } from '../partners/find-partner.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';

/** A tenant as an operator names it. */
export interface NamedTenant {
  readonly pms: string;
  readonly external_id: string;
}

const tenantRow = row('tenant of a request', { id: text, erasedAt: nullable(instant) });

interface FoundTenant extends TenantKey {
  readonly erasedAt: Date | null;
}

/** Finds the tenant and locks its row, so that nothing about it changes until the commit. */
export async function lockNamedTenant(
  { tx }: Pick<Ctx, 'tx'>,
  { pms, external_id }: NamedTenant,
): Promise<FoundTenant> {
  const partner = await findPartnerByPms(tx, pms);
  if (!partner) throw new Refusal('not_found', { message: `There is no partner ${pms}.` });
  const found = await tx.maybe(
    tenantRow,
    sql`
    select id, erased_at from tenant
    where partner_id = ${partner.id} and external_id = ${external_id}
    for update`,
  );
  if (!found) {
    const message = `The partner ${pms} has no tenant ${external_id}. Check the external id; erased tenants are in "audit list ${pms} --action tenant.erased".`;
    throw new Refusal('tenant_not_found', { message });
  }
  return { partnerId: partner.id, tenantId: found.id, erasedAt: found.erasedAt };
}
