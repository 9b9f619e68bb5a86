import { bigint, nullable, type RowOf, row, sql, text } from '@svc/db';
import { runProcessorEvents } from '../domain/disputes/run-processor-events.ts';
import { emitEligibilityOf } from '../domain/eligibility/emit-eligibility.ts';
import { runDue } from '../domain/plans/run-due.ts';
import { tenantTime } from '../domain/tenants/time.ts';
import type { TenantWork } from './run-tenant-batch.ts';

const tenantRow = row('due tenant', { id: text, clockOffsetMs: nullable(bigint) });
const partnerTenantRow = row('due tenant with partner', { id: text, partnerId: text, pms: text });

/** What falls due on open plans: reminders, collections, overdue and past-due states. */
export const dueActions: TenantWork<RowOf<typeof tenantRow>> = {
  name: 'a due action',
  claim: (tx, now, limit) =>
    tx.many(
      tenantRow,
      sql`
      select t.id, t.clock_offset_ms as "clockOffsetMs" from tenant_due d
      join tenant t on t.id = d.tenant_id where d.due_at <= ${now}
      order by d.due_at limit ${limit} for update of t, d skip locked`,
    ),
  run(uow, tenants) {
    const due = tenants.map(({ id: tenantId, clockOffsetMs }) => {
      const at = tenantTime({ clockOffsetMs }, uow.now);
      return { tenantId, from: at, until: at, clockOffsetMs };
    });
    return runDue(uow, due);
  },
  postpone: (db, tenantId, until) =>
    db.run(sql`update tenant_due set due_at = ${until} where tenant_id = ${tenantId}`),
};

/** Returns of payments and won disputes that the processor has reported. */
export const processorEvents: TenantWork<RowOf<typeof tenantRow>> = {
  name: 'a processor event',
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
  async run(uow, tenants) {
    // One tenant after the other: disputes are too rare for statements of their own for batches.
    for (const { id: tenantId, clockOffsetMs } of tenants) {
      await runProcessorEvents(uow, { tenantId, at: tenantTime({ clockOffsetMs }, uow.now) });
    }
  },
  postpone: (db, tenantId, until) =>
    db.run(sql`
      update processor_event e set occurs_at = greatest(e.occurs_at, ${until}::timestamptz
        + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond')
      from tenant t where t.id = ${tenantId} and e.tenant_id = t.id and e.handled_at is null`),
};

/** Tenants whose eligibility changes with time: a rent cycle opens or closes, a waiting period ends. */
export const eligibilityChecks: TenantWork<RowOf<typeof partnerTenantRow>> = {
  name: 'an eligibility check',
  claim: (tx, now, limit) =>
    tx.many(
      partnerTenantRow,
      sql`
      select t.id, t.partner_id as "partnerId", p.pms
      from tenant t join partner p on p.id = t.partner_id where t.turns_at <= ${now}
      order by t.turns_at limit ${limit} for update of t skip locked`,
    ),
  run: (uow, tenants) =>
    emitEligibilityOf(
      uow,
      tenants.map(({ id, ...it }) => ({ ...it, tenantId: id })),
    ),
  postpone: (db, tenantId, until) =>
    db.run(sql`update tenant set turns_at = ${until} where id = ${tenantId}`),
};
