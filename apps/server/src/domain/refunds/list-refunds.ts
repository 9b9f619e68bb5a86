import type { RefundOutput } from '@svc/contract';
import { bigint, boolean, instant, nullable, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { readSettlement } from '../settlements/read.ts';

const refundRow = row('refund', {
  id: text,
  settlement_id: text,
  plan_id: text,
  amount_in_cents: bigint,
  credited_in_cents: bigint,
  paid_back_in_cents: bigint,
  deducted: boolean,
  charge_id: nullable(text),
  processor_transaction_id: nullable(text),
  reason: nullable(text),
  created_at: instant,
});

/** Refunds of one settlement, newest first. There are few, so no paging. */
export async function listRefunds(
  ctx: Ctx<PartnerActor>,
  { id }: { id: string },
): Promise<{ items: RefundOutput[]; next_cursor: null }> {
  await readSettlement(ctx, { id });
  const rows = await ctx.tx.many(
    refundRow,
    sql`
    ${refunds} where r.partner_id = ${ctx.actor.partnerId} and r.settlement_id = ${id}
    order by r.id desc`,
  );
  return { items: rows.map(view), next_cursor: null };
}

export async function findRefund(
  { tx, actor }: Pick<Ctx<PartnerActor>, 'tx' | 'actor'>,
  id: string,
): Promise<RefundOutput> {
  const refund = sql`${refunds} where r.partner_id = ${actor.partnerId} and r.id = ${id}`;
  return view(await tx.one(refundRow, refund));
}

const refunds = sql`
  select r.id, r.settlement_id, s.plan_id, r.amount_in_cents, r.credited_in_cents,
    r.paid_back_in_cents, r.deducted, r.charge_id, r.processor_transaction_id, r.reason, r.created_at
  from refund r join settlement s on s.partner_id = r.partner_id and s.id = r.settlement_id`;

function view(refund: RowOf<typeof refundRow>): RefundOutput {
  return { ...refund, created_at: refund.created_at.toISOString() };
}
