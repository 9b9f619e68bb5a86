import { bigint, nullable, type RowOf, row, sql, text } from '@svc/db';
import { type Condition, findClaimCondition, isReachable } from '../cluster.ts';
import {
  claimUndecided,
  declineUndecided,
  postponeUndecided,
} from '../domain/applications/decline-undecided.ts';
import type { Review } from '../domain/applications/review.ts';
import { isApplicable, runProcessorEvents } from '../domain/disputes/run-processor-events.ts';
import { emitEligibilityOf } from '../domain/eligibility/emit-eligibility.ts';
import { postponeEvents } from '../domain/payments/record-return.ts';
import { runDue } from '../domain/plans/run-due.ts';
import { claimByClock } from '../domain/tenants/claim-by-clock.ts';
import { postponeDue } from '../domain/tenants/due.ts';
import { setEligibilityCheck } from '../domain/tenants/store-tenant.ts';
import { tenantTime } from '../domain/tenants/time.ts';
import type { TenantWork } from './run-tenant-batch.ts';

const tenantRow = row('due tenant', {
  partnerId: text,
  tenantId: text,
  clockOffsetMs: nullable(bigint),
});
const checkedTenantRow = row('tenant to check', { partnerId: text, tenantId: text, pms: text });

/** Due actions of open plans: reminders, collections, overdue and past-due states. */
export const dueActions: TenantWork<RowOf<typeof tenantRow>> = {
  name: 'a due action',
  async claim({ tx, now }, limit) {
    const due = sql`
      /* all partners */
      from tenant_due d join tenant t on t.partner_id = d.partner_id and t.id = d.tenant_id
      where d.due_at <= ${now}`;
    const among = await findClaimCondition(tx, { of: 'd', joined: ['t'], due });
    if (!among) return [];
    return tx.many(
      tenantRow,
      sql`
      /* all partners */
      select t.partner_id, t.id as tenant_id, t.clock_offset_ms
      ${due} and ${among('d')}
      order by d.due_at limit ${limit} for update of t, d skip locked`,
    );
  },
  run(uow, tenants) {
    const due = tenants.map((tenant) => {
      const at = tenantTime(tenant, uow.now);
      return { ...tenant, from: at, until: at };
    });
    return runDue(uow, due);
  },
  postpone: postponeDue,
};

/** Returns of payments and won disputes that the processor has reported. */
export const processorEvents: TenantWork<RowOf<typeof tenantRow>> = {
  name: 'a processor event',
  async claim({ tx, now }, limit) {
    const tenants = await claimByClock({ at: sql`e.occurs_at`, now }, async (isDue) => {
      const due = sql`
        /* all partners */
        from processor_event e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
        where e.handled_at is null and ${isDue}`;
      const isReadable: Condition = (alias) => isReachable(tx, alias);
      const among = await findClaimCondition(tx, {
        of: 'e',
        joined: ['t'],
        due: sql`${due} and ${isApplicable(tx, isReadable)}`,
      });
      if (!among) return [];
      return tx.many(
        tenantRow,
        sql`
        /* many rows: all tenants with a simulated clock */
        /* all partners */
        select t.partner_id, t.id as tenant_id, t.clock_offset_ms
        ${due} and ${among('e')} and ${isApplicable(tx, among)}
        order by e.occurs_at limit ${limit} for update of t skip locked`,
      );
    });
    // The statement returns a tenant once for each of its events.
    return [...new Map(tenants.map((it) => [it.tenantId, it])).values()];
  },
  async run(uow, tenants) {
    // One tenant after another: disputes are too rare to be worth batched statements.
    for (const tenant of tenants) {
      await runProcessorEvents(uow, { ...tenant, at: tenantTime(tenant, uow.now) });
    }
    return [];
  },
  postpone: postponeEvents,
};

/** Applications that were in review until their rent cycle closed. */
export const undecidedReviews: TenantWork<Review> = {
  name: 'a review without a decision',
  claim: (uow, limit) => claimUndecided(uow, { limit }),
  async run(uow, reviews) {
    await declineUndecided(uow, reviews);
    return [];
  },
  postpone: postponeUndecided,
};

/** Tenants whose eligibility changes with time: a rent cycle opens or closes, a waiting period ends. */
export const eligibilityChecks: TenantWork<RowOf<typeof checkedTenantRow>> = {
  name: 'an eligibility check',
  async claim({ tx, now }, limit) {
    const due = sql`
      /* all partners */
      from tenant t join partner p on p.id = t.partner_id where t.turns_at <= ${now}`;
    const among = await findClaimCondition(tx, { of: 't', due });
    if (!among) return [];
    return tx.many(
      checkedTenantRow,
      sql`
      /* all partners */
      select t.partner_id, t.id as tenant_id, p.pms ${due} and ${among('t')}
      order by t.turns_at limit ${limit} for update of t skip locked`,
    );
  },
  async run(uow, tenants) {
    await emitEligibilityOf(uow, tenants);
    return [];
  },
  postpone: setEligibilityCheck,
};
