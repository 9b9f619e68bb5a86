import { row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { checkEligibilityOn } from '../tenants/store-tenant.ts';

interface Batch {
  /** Null for the tenants of all partners. */
  readonly partnerId: string | null;
  /** The day, at each property, from which other terms apply. */
  readonly effective: string;
  /** The last tenant of the batch before, or empty keys for the first batch. */
  readonly after: TenantCursor;
  readonly limit: number;
}

export interface TenantCursor {
  readonly partnerId: string;
  readonly tenantId: string;
}

const tenantRow = row('tenant to check', { partnerId: text, tenantId: text });

/**
 * Schedules a check of eligibility for when the day begins at the property, because new terms may have
 * other limits and another window. Returns the last tenant of the batch; undefined if none was left.
 */
export async function scheduleTermsCheck(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, effective, after, limit }: Batch,
): Promise<TenantCursor | undefined> {
  const tenants = await tx.many(
    tenantRow,
    sql`
    /* all partners, unless the terms are for one */
    select partner_id, id as tenant_id from tenant
    where (partner_id, id) > (${after.partnerId}, ${after.tenantId})
      and eligibility_state is not null
      and (${partnerId}::text is null or partner_id = ${partnerId})
    order by partner_id, id limit ${limit}`,
  );
  if (tenants.length === 0) return undefined;
  await checkEligibilityOn(tx, effective, tenants);
  return tenants.at(-1);
}
