import { bigint, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { lossOf } from './plan-loss.ts';

const lossRow = row('charged-off plan', {
  /** The day in the property's time zone. */
  written_off_on: text,
  written_off_in_cents: bigint,
  /** The amount written off, minus payments recovered since, plus payments that a bank returned. */
  still_owed_in_cents: bigint,
  pms: text,
  external_id: text,
  plan_id: text,
});

/** A plan that was charged off. */
type Loss = RowOf<typeof lossRow>;

/** Lists the losses of these partners, or of all, newest first. */
export async function listLosses(
  { tx }: Pick<Ctx, 'tx'>,
  partnerIds: readonly string[] | null = null,
  limit: number = mostListed,
): Promise<Listed<Loss>> {
  const stillOwed = lossOf({ partnerId: sql`p.partner_id`, planId: sql`p.id` });
  const rows = await tx.many(
    lossRow,
    sql`
    /* all partners */
    /* many rows: a report over all losses */
    select to_char(l.occurred_at at time zone t.time_zone, 'YYYY-MM-DD') as written_off_on,
      h.amount_in_cents as written_off_in_cents, (${stillOwed}) as still_owed_in_cents,
      o.pms, t.external_id, p.id as plan_id
    from plan p
      join ledger_transfer_source s on s.partner_id = p.partner_id and s.source_id = p.id
        and s.kind = 'charge_off'
      join ledger_transfer l on l.partner_id = s.partner_id and l.id = s.transfer_id
      join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
      join partner o on o.id = p.partner_id
      join plan_history h on h.partner_id = p.partner_id and h.plan_id = p.id
        and h.kind = 'charged_off'
    where p.state = 'charged_off'
      and (${partnerIds}::text[] is null or p.partner_id = any(${partnerIds}::text[]))
    order by l.occurred_at desc, l.id desc limit ${limit + 1}`,
  );
  return listNewest(rows, limit);
}
