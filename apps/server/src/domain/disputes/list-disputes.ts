import { bigint, nullable, oneOf, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { type Listed, listed, mostListed } from '../listed.ts';

const disputeRow = row('dispute', {
  /** Days are in the property's time zone. */
  taken_back_on: text,
  amount_in_cents: bigint,
  reason: text,
  state: oneOf('open', 'paid_again', 'won', 'written_off', 'canceled'),
  /** When we won the dispute. */
  won_on: nullable(text),
  pms: text,
  external_id: text,
  plan_id: text,
});

/** A payment that a bank returned. */
export type Dispute = RowOf<typeof disputeRow>;

/** Returned payments of all partners with their outcome, newest first. */
export async function listDisputes({ tx }: Pick<Ctx, 'tx'>): Promise<Listed<Dispute>> {
  const rows = await tx.many(
    disputeRow,
    sql`
    /* all partners: for the operator */
    select to_char(l.occurred_at at time zone t.time_zone, 'YYYY-MM-DD') as taken_back_on,
      least(e.amount_in_cents, y.amount_in_cents) as amount_in_cents, e.return_code as reason,
      case when w.id is not null then 'won' when i.state = 'paid' then 'paid_again'
        when p.state = 'charged_off' then 'written_off' when p.state = 'canceled' then 'canceled'
        else 'open' end as state,
      to_char(w.occurs_at at time zone t.time_zone, 'YYYY-MM-DD') as won_on,
      o.pms, t.external_id, p.id as plan_id
    from ledger_transfer l
      join processor_event e on e.partner_id = l.partner_id and e.id = l.source_id
      join payment y on y.partner_id = e.partner_id and y.id = e.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
      join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
      join partner o on o.id = p.partner_id
      left join processor_event w on w.partner_id = y.partner_id and w.payment_id = y.id
        and w.kind = 'won' and w.handled_at is not null
    where l.kind = 'payment_taken_back' order by l.occurred_at desc, l.id desc
    limit ${mostListed + 1}`,
  );
  return listed(rows);
}
