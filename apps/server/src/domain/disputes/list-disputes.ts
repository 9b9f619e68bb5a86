import { bigint, instant, nullable, oneOf, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { disputeStatuses } from '../payments/processor.ts';

const disputeRow = row('dispute', {
  /** When the bank took money back, or the processor reported the dispute. In the property's time zone. */
  began_on: text,
  /** The processor's id; null for a return that no dispute explains. */
  dispute: nullable(text),
  /** As the processor reports it. */
  status: nullable(oneOf(...disputeStatuses)),
  /** The deadline for our answer, if the bank waits for one. */
  answer_by: nullable(instant),
  /** The amount in dispute. */
  amount_in_cents: bigint,
  /** The cents that were taken from us, and those that were given back. */
  taken_in_cents: bigint,
  won_in_cents: bigint,
  reason: text,
  /** `none`: no money has moved. */
  state: oneOf('none', 'open', 'paid_again', 'won', 'won_in_part', 'written_off', 'canceled'),
  /** When money last came back. */
  won_on: nullable(text),
  pms: text,
  external_id: text,
  plan_id: text,
  payment_id: text,
});

/** A dispute of a payment, or its return by a bank. */
export interface Dispute extends Omit<RowOf<typeof disputeRow>, 'answer_by'> {
  readonly answer_by: string | null;
}

/**
 * Lists disputes and returned payments of all partners, newest first: what the bank waits for, what was taken,
 * and what came back.
 */
export async function listDisputes({ tx }: Pick<Ctx, 'tx'>): Promise<Listed<Dispute>> {
  const rows = await tx.many(
    disputeRow,
    sql`
    /* all partners: for the operator */
    with cases as (
      select partner_id, payment_id, ref, status, amount_in_cents, return_code, created_at,
        case when status in ('inquiry', 'needs_answer') then answer_by end as answer_by
      from dispute
      union all
      select partner_id, payment_id, null, null, sum(amount_in_cents)::int8, max(return_code),
        min(created_at), null
      from processor_event
      where dispute_ref is null and kind = 'taken_back' and handled_at is not null
      group by partner_id, payment_id
    )
    select to_char(coalesce(m.taken_at, c.created_at) at time zone t.time_zone, 'YYYY-MM-DD')
        as began_on,
      c.ref as dispute, c.status, c.answer_by,
      coalesce(c.amount_in_cents, y.amount_in_cents) as amount_in_cents,
      m.taken as taken_in_cents, m.won as won_in_cents, c.return_code as reason,
      case when m.taken = 0 then 'none' when m.won >= m.taken then 'won'
        when m.won > 0 then 'won_in_part' when i.state = 'paid' then 'paid_again'
        when p.state = 'charged_off' then 'written_off' when p.state = 'canceled' then 'canceled'
        else 'open' end as state,
      to_char(m.won_at at time zone t.time_zone, 'YYYY-MM-DD') as won_on,
      o.pms, t.external_id, p.id as plan_id, y.id as payment_id
    from cases c
      join payment y on y.partner_id = c.partner_id and y.id = c.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
      join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
      join partner o on o.id = p.partner_id
      cross join lateral (
        select
          coalesce(sum(coalesce(v.amount_in_cents, y.amount_in_cents))
            filter (where v.kind = 'taken_back'), 0)::int8 as taken,
          coalesce(sum(coalesce(v.amount_in_cents, y.amount_in_cents))
            filter (where v.kind = 'won'), 0)::int8 as won,
          min(v.occurs_at) filter (where v.kind = 'taken_back') as taken_at,
          max(v.occurs_at) filter (where v.kind = 'won') as won_at
        from processor_event v
        where v.partner_id = c.partner_id and v.payment_id = c.payment_id
          and v.dispute_ref is not distinct from c.ref and v.handled_at is not null) m
    order by coalesce(m.taken_at, c.created_at) desc, y.id desc
    limit ${mostListed + 1}`,
  );
  const { items, has_more } = listNewest(rows);
  return {
    items: items.map((it) => ({ ...it, answer_by: it.answer_by?.toISOString() ?? null })),
    has_more,
  };
}
