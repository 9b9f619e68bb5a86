import type { RefundOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { readSettlement } from '../settlements/read.ts';

type Row = Omit<RefundOutput, 'created_at'> & { created_at: Date };

/** Refunds of one settlement, newest first. There are few, so no paging. */
export async function listRefunds(
  ctx: Ctx<PartnerActor>,
  { id }: { id: string },
): Promise<{ items: RefundOutput[]; next_cursor: null }> {
  await readSettlement(ctx, { id });
  const rows = await ctx.tx.many<Row>(sql`
    ${refunds} where r.settlement_id = ${id} order by r.id desc`);
  return { items: rows.map(view), next_cursor: null };
}

export async function findRefund({ tx }: Pick<Ctx, 'tx'>, id: string): Promise<RefundOutput> {
  return view(await tx.one<Row>(sql`${refunds} where r.id = ${id}`));
}

const refunds = sql`
  select r.id, r.settlement_id, s.plan_id, r.amount_in_cents, r.credited_in_cents,
    r.paid_back_in_cents, r.charge_id, r.processor_transaction_id, r.reason, r.created_at
  from refund r join settlement s on s.id = r.settlement_id`;

function view(row: Row): RefundOutput {
  return { ...row, created_at: row.created_at.toISOString() };
}
