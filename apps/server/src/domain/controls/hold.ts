import { boolean, date, recordset, row, type Sql, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import { areTenants, type TenantKey } from '../tenant-key.ts';
import { localDate } from '../tenants/calendar.ts';
import { setDue } from '../tenants/due.ts';
import type { TenantTime } from '../tenants/time.ts';
import { lockControls } from './money-switch.ts';

// A tenant on hold is checked once a day. "resume" and "start" bring the check forward.
const recheckAfterMs = 86_400_000;

const pausedRow = row('tenant that is paused or was', {
  partnerId: text,
  tenantId: text,
  timeZone: text,
  paused: boolean,
});

interface Tenant extends TenantKey {
  /** The tenant's time of this run. */
  readonly from: TenantTime;
}

/**
 * Returns the ids of the tenants from which nothing may be collected now: money is stopped, or their
 * partner, property or they themselves are paused. For a tenant whose hold is over, records the day, so
 * that the days on hold do not count as late. No pause can begin or end until the transaction does.
 */
export async function findPaused(
  { tx }: Pick<UnitOfWork, 'tx'>,
  tenants: readonly Tenant[],
): Promise<ReadonlySet<string>> {
  if (tenants.length === 0) return new Set();
  const [, found] = await Promise.all([
    lockControls(tx),
    tx.many(
      pausedRow,
      sql`
      select t.partner_id, t.id as tenant_id, t.time_zone,
        m.stopped_at is not null or k.found as paused
      from tenant t cross join money_switch m
        cross join lateral (
          select count(*) > 0 as found from collection_pause k
          where k.partner_id = ${partnerOfRows(tenants, sql`t.partner_id`)} and (k.scope = 'partner'
            or k.scope = 'tenant' and k.subject = t.id
            or k.scope = 'property' and k.subject = t.lease->'property'->>'id')) k
        left join collection_hold h on h.partner_id = t.partner_id and h.tenant_id = t.id
      where ${areTenants([sql`t.partner_id`, sql`t.id`], tenants)}
        and (m.stopped_at is not null or k.found or h.held)`,
    ),
  ]);
  const released = found.filter((it) => !it.paused);
  if (released.length > 0) {
    const days = released.map(({ partnerId, tenantId, timeZone }) => {
      const from = tenants.find((it) => it.tenantId === tenantId)?.from ?? new Date(0);
      return { partnerId, tenantId, day: localDate(from, timeZone) };
    });
    await tx.run(sql`
      update collection_hold h set held = false, resumed_on = d.day
      from ${recordset(releasedRow, days, 'd')}
      where h.partner_id = ${partnerOfRows(days, sql`d.partner_id`)} and h.tenant_id = d.tenant_id`);
  }
  return new Set(found.filter((it) => it.paused).map((it) => it.tenantId));
}

const releasedRow = row('released tenant', { partnerId: text, tenantId: text, day: date });
const heldRow = row('held tenant', { partnerId: text, tenantId: text });

/**
 * SQL condition: nothing may be collected from the tenant now. It is for statements that only show it.
 * Collecting itself calls `findPaused`, under the lock of the controls.
 */
export function collectionsPaused({ partnerId, tenantId }: TenantColumns): Sql {
  return sql`
    (exists (select from money_switch where stopped_at is not null) or exists (
      select from collection_pause k join tenant u on u.partner_id = k.partner_id
      where k.partner_id = ${partnerId} and u.id = ${tenantId} and (k.scope = 'partner'
        or k.scope = 'tenant' and k.subject = u.id
        or k.scope = 'property' and k.subject = u.lease->'property'->>'id')))`;
}

interface TenantColumns {
  readonly partnerId: Sql;
  readonly tenantId: Sql;
}

/** Puts tenants on hold that have something due that must wait. */
export function putOnHold(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  tenants: readonly TenantKey[],
): void {
  if (tenants.length === 0) return;
  const dueAt = new Date(now.getTime() + recheckAfterMs);
  const held = tenants.map(({ partnerId, tenantId }) => ({ partnerId, tenantId }));
  tx.send(sql`
    insert into collection_hold (partner_id, tenant_id, held)
    select d.partner_id, d.tenant_id, true from ${recordset(heldRow, held, 'd')}
    on conflict (partner_id, tenant_id) do update set held = true`);
  setDue(
    tx,
    held.map((it) => ({ ...it, dueAt })),
  );
}
