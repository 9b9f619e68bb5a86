import { type Sql, sql } from '@svc/db';
import type { TenantKey } from '../tenant-key.ts';

interface Due {
  /** When the row falls due, in the time of its tenant `t`. */
  readonly at: Sql;
  readonly now: Date;
  /** Only this tenant's rows. */
  readonly tenant?: TenantKey | undefined;
}

/**
 * Claims rows that are due by their tenant's clock: those of tenants in real time, which an index on the time
 * finds, and if there are none, those of tenants with a simulated clock, which the index on such tenants finds.
 * One statement for both would read all rows that wait, because each could have a clock that is ahead.
 * @param claim runs a statement with the given condition
 */
export async function claimByClock<T>(
  { at, now, tenant }: Due,
  claim: (isDue: Sql) => Promise<T[]>,
): Promise<T[]> {
  const byItsClock = sql`${at} <= ${now}::timestamptz
      + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond'`;
  if (tenant) {
    const { partnerId, tenantId } = tenant;
    return claim(sql`(t.partner_id, t.id) = (${partnerId}, ${tenantId}) and ${byItsClock}`);
  }
  const inRealTime = await claim(sql`t.clock_offset_ms is null and ${at} <= ${now}`);
  if (inRealTime.length > 0) return inRealTime;
  return claim(sql`t.clock_offset_ms is not null and ${byItsClock}`);
}
