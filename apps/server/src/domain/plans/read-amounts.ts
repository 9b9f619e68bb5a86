import { type Sql, sql } from '@svc/db';
import { isOfAccount } from '../ledger/is-of-account.ts';
import { returnSuffix } from '../payments/entry-key.ts';
import { lossOf } from './plan-loss.ts';

// PostgreSQL plans a join with the ledger's entries for each of their partitions, on every new connection.
// So each statement joins them as few times as it can.

/**
 * Returns a query for the cents that payment `y` of the partner paid of its plan (`applied`), those that went back to
 * the tenant because a won dispute was no longer owed (`returned`), and those that banks have taken back and that we
 * did not win (`taken`). Every subquery compares the partner's id itself, so that a statement about one partner runs
 * on one shard of a cluster.
 */
export function appliedPayment(partnerId: string): Sql {
  const partner = { partnerId: sql`${partnerId}` };
  return sql`
    select case when y.outcome in ('succeeded', 'returned') then y.amount_in_cents else 0 end
        - b.taken - b.returned as applied, b.returned, b.taken
    from (
      select coalesce(-sum(e.amount_in_cents) filter (
            where l.kind in ('payment_taken_back', 'payment_won')
              and ${isOfAccount('processor_clearing', partner)}), 0)::int8 as taken,
          coalesce(sum(e.amount_in_cents) filter (
            where l.kind = 'paid_back'
              and ${isOfAccount('tenant_receivable', partner)}), 0)::int8 as returned
      from processor_event v
        join ledger_transfer_source l on l.partner_id = v.partner_id
          and l.source_id in (v.id, v.id || ${returnSuffix})
        join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
      where v.partner_id = ${partnerId} and v.payment_id = y.id) b`;
}

/** The cents of plan `p` that an operator gave back at our loss. */
const givenBackByOperator = (partnerId: string) => sql`
  (select coalesce(sum(e.amount_in_cents), 0) from ledger_transfer_source l
    join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
      and ${isOfAccount('credit_loss', { partnerId: sql`${partnerId}` })}
    where l.partner_id = ${partnerId} and l.kind = 'paid_back' and l.source_id = any(array(
      select c.source_id from installment i
        join payment y on y.partner_id = i.partner_id and y.installment_id = i.id
        join processor_call c on c.partner_id = y.partner_id and c.payment_id = y.id
          and c.kind = 'refund' and starts_with(c.source_id, 'prf_')
      where i.partner_id = ${partnerId} and i.plan_id = p.id)))`;

/** Returns a SQL expression for the input of `planAmounts`, as JSON, for plan `p` of the partner. */
export function amountsInput(partnerId: string): Sql {
  const loss = lossOf({ partnerId: sql`${partnerId}`, planId: sql`p.id` });
  return sql`
    (select json_build_object('state', p.state,
        'parts', (select json_agg(json_build_object('number', i.number, 'state', i.state,
            'amountInCents', i.amount_in_cents, 'agreedInCents', i.agreed_in_cents,
            'partPaidInCents', i.part_paid_in_cents,
            'creditedInCents', i.credited_in_cents) order by i.number)
          from installment i where i.partner_id = ${partnerId} and i.plan_id = p.id),
        'creditedInCents', f.credited + v.waived, 'waivedInCents', v.waived,
        'refundedInCents', f.paid_back + w.returned + ${givenBackByOperator(partnerId)},
        'lostInCents', case when p.state = 'charged_off' then (${loss}) else 0 end,
        'received', w.received)
      from (
        select coalesce(sum(r.credited_in_cents), 0) as credited,
          coalesce(sum(r.paid_back_in_cents), 0) as paid_back
        from refund r join settlement s on s.partner_id = r.partner_id and s.id = r.settlement_id
        where s.partner_id = ${partnerId} and s.plan_id = p.id) f, (
        select coalesce(sum(h.amount_in_cents), 0) as waived from plan_history h
        where h.partner_id = ${partnerId} and h.plan_id = p.id and h.kind = 'fee_waived') v, (
        select coalesce(sum(r.returned), 0) as returned,
          coalesce(json_agg(r.number) filter (where r.applied > r.part_paid_in_cents), '[]')
            as received
        from (
          select i.number, i.part_paid_in_cents, sum(w.applied) as applied,
            sum(w.returned) as returned
          from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id,
            lateral (${appliedPayment(partnerId)}) w
          where i.partner_id = ${partnerId} and i.plan_id = p.id
          group by i.number, i.part_paid_in_cents) r) w)`;
}
