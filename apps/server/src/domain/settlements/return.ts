import type { SettlementOutput, SettlementReturnInput } from '@svc/contract';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { emit } from '../events/emit.ts';
import { reverse } from '../ledger/post.ts';
import { debitName, debitsSent } from './debits.ts';
import { lockSettlement } from './lock.ts';
import { readSettlement } from './read.ts';
import { eventsOf, requireMove } from './update.ts';

interface Input {
  readonly id: string;
  readonly input: SettlementReturnInput;
}

const transferRow = row('transfer to reverse', { id: text });

/**
 * The bank returned a debit days after it had arrived. Reverses its entries, so that we owe the portal
 * again; the tenant's plan does not change. Repeating the call changes nothing.
 */
export async function returnSettlement(
  ctx: Ctx<PartnerActor>,
  { id, input }: Input,
): Promise<SettlementOutput> {
  const { settlement: before, subject, at } = await lockSettlement(ctx, id);
  if (before.status === 'returned') return before;
  requireMove(before.status, 'returned');
  await ctx.tx.run(sql`
    update settlement set status = 'returned', version = version + 1, updated_at = ${ctx.now},
      failure_reason = ${input.reason ?? null}
    where id = ${id}`);
  const debit = debitName(id, await debitsSent(ctx.tx, id));
  const transfers = await ctx.tx.many(
    transferRow,
    sql`
    select l.id from ledger_transfer l
    where l.source_id = ${debit} and l.kind in ('settlement_sent', 'settlement_arrived')
      and not exists (select from ledger_transfer r where r.reverses_id = l.id)
    order by l.id`,
  );
  for (const transfer of transfers) await reverse(ctx, transfer.id, at);
  const after = await readSettlement(ctx, { id });
  emit(ctx, subject, eventsOf(before.status, after));
  return after;
}
