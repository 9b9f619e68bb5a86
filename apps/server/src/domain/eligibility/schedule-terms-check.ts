import { row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { areTenants } from '../tenant-key.ts';

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
 * other limits and another window. A simulated clock may be past that day: then the check is due now.
 * Returns the last tenant of the batch; undefined if none was left.
 *
 * Raises the tenants' versions: a portal_info that read the tenant before the terms were stored would
 * otherwise replace the time with one that does not know of them. It reads again instead.
 */
export async function scheduleTermsCheck(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, effective, after, limit }: Batch,
): Promise<TenantCursor | undefined> {
  const tenants = await tx.many(
    tenantRow,
    sql`
    /* all partners, unless the terms are for one */
    select partner_id as "partnerId", id as "tenantId" from tenant
    where (partner_id, id) > (${after.partnerId}, ${after.tenantId})
      and eligibility_state is not null
      and (${partnerId}::text is null or partner_id = ${partnerId})
    order by partner_id, id limit ${limit} for update`,
  );
  if (tenants.length === 0) return undefined;
  await tx.run(sql`
    update tenant t set version = t.version + 1, turns_at = least(t.turns_at,
      ${effective}::date::timestamp at time zone t.time_zone
        - coalesce(t.clock_offset_ms, 0) * interval '1 millisecond')
    where ${areTenants([sql`t.partner_id`, sql`t.id`], tenants)}`);
  return tenants.at(-1);
}
