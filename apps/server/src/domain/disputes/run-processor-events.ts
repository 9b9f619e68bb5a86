import { type Queryable, type Sql, sql } from '@svc/db';
import { byKey, type Condition, isOfPartner } from '../../cluster.ts';
import type { Ctx, UnitOfWork } from '../../context.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { isOfAccount } from '../ledger/is-of-account.ts';
import { beyondSuffix } from '../payments/entry-key.ts';
import { completeAmount, markEventHandled } from '../payments/record-return.ts';
import { loadOpenPlan, loadPlan } from '../plans/live-plan.ts';
import { appliedPayment } from '../plans/read-amounts.ts';
import { scheduleDueOf } from '../plans/schedule-due.ts';
import type { TenantKey } from '../tenant-key.ts';
import type { TenantTime } from '../tenants/time.ts';
import { postBeyond } from './post-beyond.ts';
import { type ProcessorEvent, processorEventRow, splitMoved } from './processor-event.ts';
import { recordDisputeWon } from './record-dispute-won.ts';
import { reversePayment } from './reverse-payment.ts';

interface TenantAt extends TenantKey {
  readonly at: TenantTime;
}

/**
 * Handles what the processor has reported by now about one tenant's payments, oldest first. The
 * caller has locked the tenant's row. Returns how many events it handled.
 */
export async function runProcessorEvents(
  uow: UnitOfWork,
  { at, ...tenant }: TenantAt,
): Promise<number> {
  let done = 0;
  for (;;) {
    const event = await takeNext(uow, { ...tenant, at });
    if (!event) return done;
    done += 1;
    const before = await loadPlan(uow.tx, { ...tenant, planId: event.planId });
    if (!before) throw new Error(`payment ${event.paymentId} has no plan`);
    const { ofPayment, beyond } = splitMoved(event);
    const change = event.kind === 'won' ? recordDisputeWon : reversePayment;
    const moved = { ...event, amountInCents: ofPayment };
    const plan = ofPayment > 0 ? await change(uow, before, moved, at) : before;
    if (beyond > 0) await postBeyond(uow, before, { ...event, amountInCents: beyond }, at);
    const { partnerId } = tenant;
    await completeAmount(uow, { partnerId, id: event.id }, ofPayment + beyond);
    await scheduleDueOf(uow.tx, [{ ...plan, plan: await loadOpenPlan(uow.tx, tenant) }]);
    await emitEligibility(uow, { ...plan, at });
  }
}

/**
 * SQL condition: event `e` can be applied to its payment now. Events arrive in any order: a return waits until the
 * payment has succeeded, and won money until everything that was taken before is in the books and no other
 * payment is on its way. `among` is a condition on each table that is read.
 */
export const isApplicable = (q: Queryable, among: Condition): Sql => sql`
  exists (select from payment y
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where y.partner_id = e.partner_id and y.id = e.payment_id and ${among('y')} and ${among('i')}
      and case e.kind when 'won' then y.outcome = 'returned' and i.state <> 'processing'
          and not exists (select from processor_event b where b.partner_id = e.partner_id
            and ${among('b')} and b.payment_id = e.payment_id and b.kind = 'taken_back'
            and b.handled_at is null and b.occurs_at <= e.occurs_at)
        else y.outcome in ('succeeded', 'returned') end
    ${byKey(q)})`;

/** The cents that banks took beyond the partner's payment `y` and did not give back. */
const beyondPayment = (partnerId: string) => sql`
  coalesce((select sum(e.amount_in_cents) from processor_event v
    join ledger_transfer_source l on l.partner_id = v.partner_id
      and l.source_id = v.id || ${beyondSuffix}
    join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
      and ${isOfAccount('credit_loss', { partnerId: sql`${partnerId}` })}
    where v.partner_id = ${partnerId} and v.payment_id = y.id), 0)::int8`;

/** Marks the next event as handled and returns it; the lock on the tenant's row excludes other processes. */
function takeNext(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, tenantId, at }: TenantAt,
): Promise<ProcessorEvent | undefined> {
  const next = sql`
    select e.id from processor_event e
    where e.partner_id = ${partnerId} and e.tenant_id = ${tenantId} and e.handled_at is null
      and e.occurs_at <= ${at} and ${isApplicable(tx, isOfPartner(partnerId))}
    order by e.occurs_at, e.id limit 1`;
  return tx.maybe(
    processorEventRow,
    sql`
    with next as (${markEventHandled(partnerId, next, now)})
    select e.id, e.kind, e.return_code, y.id as payment_id,
      e.amount_in_cents, y.amount_in_cents as payment_in_cents,
      w.applied::int8 as applied_in_cents, w.taken as out_in_cents,
      ${beyondPayment(partnerId)} as beyond_in_cents, i.plan_id, i.id as installment_id,
      m.id as method_id, m.type as method_type
    from next e join payment y on y.partner_id = e.partner_id and y.id = e.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
      join payment_method m on m.partner_id = p.partner_id
        and m.id = coalesce(y.payment_method_id, p.payment_method_id),
      lateral (${appliedPayment(partnerId)}) w
    where y.partner_id = ${partnerId}`,
  );
}
