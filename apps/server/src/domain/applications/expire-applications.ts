import { sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { isSimulated, type TenantTime } from '../tenants/time.ts';

interface Row {
  id: string;
  partner_id: string;
  pms: string;
  external_id: string;
  clock_offset_ms: number | null;
  rent_cycle_date: string;
  product_variant: 'rent' | 'hoa';
  expires_at: Date;
  version: number;
  became_plan: boolean;
}

/**
 * Expires applications whose rent cycle has closed in the tenant's time. Emits no event for one that
 * became a plan. Returns how many expired.
 */
export async function expireApplications(
  uow: UnitOfWork,
  {
    limit,
    tenantId = null,
    until = null,
  }: { limit: number; tenantId?: string | null; until?: Date | null },
): Promise<number> {
  const rows = await uow.tx.many<Row>(sql`
    with due as (
      select a.id from application a join tenant t on t.id = a.tenant_id
      where a.state in ('submitted', 'in_review', 'approved')
        and (${tenantId}::text is null or a.tenant_id = ${tenantId})
        and a.expires_at <= coalesce(${until}::timestamptz, ${uow.now}::timestamptz
          + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond')
        -- The first payment is pending. If it fails, the application expires with an event.
        and not exists (select from plan p where p.tenant_id = a.tenant_id
          and p.application_id = a.id and p.state = 'created')
      order by a.expires_at limit ${limit} for update of a skip locked
    )
    update application a set state = 'expired', version = a.version + 1
    from due, tenant t, partner p
    where a.id = due.id and t.id = a.tenant_id and p.id = a.partner_id
    returning a.id, a.partner_id, p.pms, t.external_id, t.clock_offset_ms, a.rent_cycle_date,
      a.product_variant, a.expires_at, a.version,
      -- "offset 0" keeps the planner from reading all plans for these few rows
      exists (select from plan l where l.tenant_id = a.tenant_id and l.application_id = a.id
        and l.state <> 'canceled' offset 0) as became_plan`);
  for (const row of rows.filter((it) => !it.became_plan)) emitExpired(uow, row);
  return rows.length;
}

function emitExpired(uow: UnitOfWork, row: Row): void {
  const subject = {
    partnerId: row.partner_id,
    pms: row.pms,
    externalId: row.external_id,
    simulated: isSimulated({ clockOffsetMs: row.clock_offset_ms }),
    at: row.expires_at as TenantTime,
  };
  const { id: application_id, rent_cycle_date, product_variant, version } = row;
  emit(uow, subject, [
    {
      type: 'application.expired',
      version,
      data: { application_id, rent_cycle_date, product_variant },
    },
  ]);
}
