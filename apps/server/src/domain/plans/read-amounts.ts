import { type Sql, sql } from '@svc/db';
import { returnSuffix } from '../payments/entry-key.ts';
import { lossOf } from './plan-loss.ts';

/** The cents of payment `y` that banks have taken back and that we did not win. */
export const takenBack = (partnerId: string) => sql`
  coalesce((select -sum(e.amount_in_cents) from processor_event v
    join ledger_transfer_source l on l.partner_id = v.partner_id and l.source_id = v.id
      and l.kind in ('payment_taken_back', 'payment_won')
    join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
      and a.kind = 'processor_clearing'
    where v.partner_id = ${partnerId} and v.payment_id = y.id), 0)::int8`;

/** The part of a won dispute that was no longer owed and went back to the tenant. */
const sentBack = (partnerId: string) => sql`
  coalesce((select sum(e.amount_in_cents) from processor_event v
    join ledger_transfer_source l on l.partner_id = v.partner_id
      and l.source_id = v.id || ${returnSuffix} and l.kind = 'paid_back'
    join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
      and a.kind = 'tenant_receivable'
    where v.partner_id = ${partnerId} and v.payment_id = y.id), 0)::int8`;

/**
 * The cents that payment `y` of the partner paid of its plan, and those that were returned to the tenant.
 * Every subquery compares the partner's id itself, so that a statement about one partner runs on one
 * shard of a cluster.
 */
export function appliedPayment(partnerId: string): Sql {
  return sql`
    select case when y.outcome in ('succeeded', 'returned') then y.amount_in_cents else 0 end
        - ${takenBack(partnerId)} - ${sentBack(partnerId)} as applied,
      ${sentBack(partnerId)} as returned`;
}

/** The cents of plan `p` that an operator gave back at our loss. */
const givenBackByOperator = (partnerId: string) => sql`
  (select coalesce(sum(e.amount_in_cents), 0) from installment i
    join payment y on y.partner_id = i.partner_id and y.installment_id = i.id
    join processor_call c on c.partner_id = y.partner_id and c.payment_id = y.id
      and c.kind = 'refund' and starts_with(c.source_id, 'prf_')
    join ledger_transfer_source l on l.partner_id = c.partner_id and l.source_id = c.source_id
      and l.kind = 'paid_back'
    join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
      and a.kind = 'credit_loss'
    where i.partner_id = ${partnerId} and i.plan_id = p.id)`;

/** The input of `planAmounts` for plan `p` of the partner, as JSON, for statements that read more. */
export function amountsInput(partnerId: string): Sql {
  const loss = lossOf({ partnerId: sql`${partnerId}`, planId: sql`p.id` });
  return sql`
    json_build_object('state', p.state,
      'parts', (select json_agg(json_build_object('number', i.number, 'state', i.state,
          'amountInCents', i.amount_in_cents, 'agreedInCents', i.agreed_in_cents,
          'partPaidInCents', i.part_paid_in_cents,
          'creditedInCents', i.credited_in_cents) order by i.number)
        from installment i where i.partner_id = ${partnerId} and i.plan_id = p.id),
      'creditedInCents', (select coalesce(sum(r.credited_in_cents), 0)
        from refund r join settlement s on s.partner_id = r.partner_id and s.id = r.settlement_id
        where s.partner_id = ${partnerId} and s.plan_id = p.id),
      'refundedInCents', (select coalesce(sum(r.paid_back_in_cents), 0)
          from refund r join settlement s on s.partner_id = r.partner_id and s.id = r.settlement_id
          where s.partner_id = ${partnerId} and s.plan_id = p.id)
        + (select coalesce(sum(w.returned), 0) from payment y
            join installment i on i.partner_id = y.partner_id and i.id = y.installment_id,
            lateral (${appliedPayment(partnerId)}) w
            where i.partner_id = ${partnerId} and i.plan_id = p.id)
        + ${givenBackByOperator(partnerId)},
      'lostInCents', case when p.state = 'charged_off' then (${loss}) else 0 end,
      'received', (select coalesce(json_agg(r.number), '[]') from (
          select i.number from payment y
            join installment i on i.partner_id = y.partner_id and i.id = y.installment_id,
            lateral (${appliedPayment(partnerId)}) w
          where i.partner_id = ${partnerId} and i.plan_id = p.id
          group by i.number, i.part_paid_in_cents
          having sum(w.applied) > i.part_paid_in_cents) r))`;
}
