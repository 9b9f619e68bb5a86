import { instant, type Queryable, recordset, row, type Sql, sql, type Tx, text } from '@svc/db';
import { areTenants, type TenantKey } from '../tenant-key.ts';

// When the tick looks at a tenant again, in wall time. A tenant with nothing due has no row.

interface DueTenant extends TenantKey {
  readonly dueAt: Date;
}

const dueRow = row('due tenant', { partnerId: text, tenantId: text, dueAt: instant });

/** Sets the time at which the tick looks at each tenant again. */
export function setDue(tx: Tx, tenants: readonly DueTenant[]): void {
  tx.send(sql`
    insert into tenant_due (partner_id, tenant_id, due_at)
    select d.partner_id, d.tenant_id, d.due_at from ${recordset(dueRow, tenants, 'd')}
    on conflict (partner_id, tenant_id) do update set due_at = excluded.due_at`);
}

/** Records that nothing is due for these tenants. */
export function clearDue(tx: Tx, tenants: readonly TenantKey[]): void {
  tx.send(sql`
    delete from tenant_due d where ${areTenants([sql`d.partner_id`, sql`d.tenant_id`], tenants)}`);
}

/**
 * Lets the tick look at tenants again now. Returns how many.
 * @param which a condition on `d`, which compares the partner or means all
 */
export function makeDueNow(q: Queryable, now: Date, which: Sql): Promise<number> {
  return q.run(sql`
    /* all partners, or those of the condition */
    /* many rows: all tenants whose collections begin again */
    update tenant_due d set due_at = ${now} where ${which}`);
}

/** Makes the tick skip a tenant until then, because its work failed. */
export function postponeDue(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
  until: Date,
): Promise<number> {
  return q.run(sql`
    update tenant_due set due_at = ${until}
    where partner_id = ${partnerId} and tenant_id = ${tenantId}`);
}
