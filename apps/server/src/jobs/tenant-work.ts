import { bigint, nullable, type RowOf, row, sql, text } from '@svc/db';
import { runProcessorEvents } from '../domain/disputes/run-processor-events.ts';
import { emitEligibility } from '../domain/eligibility/emit-eligibility.ts';
import { runDue } from '../domain/plans/run-due.ts';
import { tenantTime } from '../domain/tenants/time.ts';
import type { TenantWork } from './run-tenants.ts';

const tenantRow = row('due tenant', { id: text, clockOffsetMs: nullable(bigint) });
const partnerTenantRow = row('due tenant with partner', { id: text, partnerId: text, pms: text });

/** A reminder, a collection, a mark: the next step of an open plan. */
export const dueActions: TenantWork<RowOf<typeof tenantRow>> = {
  name: 'what is due',
  claim: (tx, now, limit) =>
    tx.many(
      tenantRow,
      sql`
      select t.id, t.clock_offset_ms as "clockOffsetMs" from tenant_due d
      join tenant t on t.id = d.tenant_id where d.due_at <= ${now}
      order by d.due_at limit ${limit} for update of t, d skip locked`,
    ),
  run(ctx, { id, clockOffsetMs }) {
    const at = tenantTime({ clockOffsetMs }, ctx.now);
    return runDue(ctx, id, { from: at, until: at, clockOffsetMs });
  },
  postpone: (db, tenantId, until) =>
    db.run(sql`update tenant_due set due_at = ${until} where tenant_id = ${tenantId}`),
};

/** A payment that a bank takes back after it had come, or gives us once more. */
export const processorEvents: TenantWork<RowOf<typeof tenantRow>> = {
  name: 'what the processor told',
  claim: (tx, now, limit) =>
    tx.many(
      tenantRow,
      sql`
      select t.id, t.clock_offset_ms as "clockOffsetMs" from tenant t where t.id in (
        select e.tenant_id from processor_event e join tenant o on o.id = e.tenant_id
        where e.handled_at is null and e.occurs_at <= ${now}::timestamptz
          + coalesce(o.clock_offset_ms, 0) * interval '1 millisecond')
      limit ${limit} for update of t skip locked`,
    ),
  run: (ctx, { id: tenantId, clockOffsetMs }) =>
    runProcessorEvents(ctx, { tenantId, at: tenantTime({ clockOffsetMs }, ctx.now) }),
  postpone: (db, tenantId, until) =>
    db.run(sql`
      update processor_event e set occurs_at = greatest(e.occurs_at, ${until}::timestamptz
        + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond')
      from tenant t where t.id = ${tenantId} and e.tenant_id = t.id and e.handled_at is null`),
};

/** A cycle that opens or closes, a wait that ends: what the partner was told may be over. */
export const eligibilityChecks: TenantWork<RowOf<typeof partnerTenantRow>> = {
  name: 'telling the eligibility',
  claim: (tx, now, limit) =>
    tx.many(
      partnerTenantRow,
      sql`
      select t.id, t.partner_id as "partnerId", p.pms
      from tenant t join partner p on p.id = t.partner_id where t.turns_at <= ${now}
      order by t.turns_at limit ${limit} for update of t skip locked`,
    ),
  run: (ctx, { id: tenantId, partnerId, pms }) =>
    emitEligibility(ctx, { tenantId, partnerId, pms }),
  postpone: (db, tenantId, until) =>
    db.run(sql`update tenant set turns_at = ${until} where id = ${tenantId}`),
};
