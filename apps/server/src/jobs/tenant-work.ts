import { sql } from '@svc/db';
import { runDue } from '../domain/plans/due/run-due.ts';
import { tellEligibility } from '../domain/plans/tell-eligibility.ts';
import { tenantTime } from '../domain/tenants/time.ts';
import type { TenantWork } from './run-tenants.ts';

/** A reminder, a collection, a mark: the next step of an open plan. */
export const whatIsDue: TenantWork<{ id: string; clockOffsetMs: number | null }> = {
  name: 'what is due',
  claim: (tx, now, limit) =>
    tx.many(sql`
      select t.id, t.clock_offset_ms as "clockOffsetMs" from tenant_due d
      join tenant t on t.id = d.tenant_id where d.due_at <= ${now}
      order by d.due_at limit ${limit} for update of t, d skip locked`),
  run(ctx, { id, clockOffsetMs }) {
    const at = tenantTime({ clockOffsetMs }, ctx.now);
    return runDue(ctx, id, { from: at, until: at, clockOffsetMs });
  },
  postpone: (db, tenantId, until) =>
    db.run(sql`update tenant_due set due_at = ${until} where tenant_id = ${tenantId}`),
};

/** A cycle that opens or closes, a wait that ends: what the partner was told may be over. */
export const whatTurns: TenantWork<{ id: string; partnerId: string; pms: string }> = {
  name: 'telling the eligibility',
  claim: (tx, now, limit) =>
    tx.many(sql`
      select t.id, t.partner_id as "partnerId", p.pms
      from tenant t join partner p on p.id = t.partner_id where t.turns_at <= ${now}
      order by t.turns_at limit ${limit} for update of t skip locked`),
  run: (ctx, { id: tenantId, partnerId, pms }) =>
    tellEligibility(ctx, { tenantId, partnerId, pms }),
  postpone: (db, tenantId, until) =>
    db.run(sql`update tenant set turns_at = ${until} where id = ${tenantId}`),
};
