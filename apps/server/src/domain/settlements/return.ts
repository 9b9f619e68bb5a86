import type { SettlementOutput, SettlementReturnInput } from '@svc/contract';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { emit } from '../events/emit.ts';
import { reverse } from '../ledger/post.ts';
import { debitName, debitsSent } from './debits.ts';
import { lockSettlement } from './lock.ts';
import { readSettlement } from './read.ts';
import { refuseInPayout } from './refuse-in-payout.ts';
import { eventsOf, requireMove } from './update.ts';

interface Input {
  readonly id: string;
  readonly input: SettlementReturnInput;
}

const transferRow = row('transfer to reverse', { id: text });

/**
 * Records that the bank returned a debit days after it had arrived. Reverses the debit's entries, so that we
 * owe the portal again; the tenant's plan does not change. Repeating the call changes nothing.
 */
export async function returnSettlement(
  ctx: Ctx<PartnerActor>,
  { id, input }: Input,
): Promise<SettlementOutput> {
  const { settlement: before, subject, at } = await lockSettlement(ctx, id);
  if (before.status === 'returned' && before.payout_id === null) return before;
  refuseInPayout(before);
  requireMove(before.status, 'returned');
  const { partnerId } = ctx.actor;
  await ctx.tx.run(sql`
    update settlement set status = 'returned', version = version + 1, updated_at = ${ctx.now},
      failure_reason = ${input.reason ?? null}
    where partner_id = ${partnerId} and id = ${id}`);
  const debit = debitName(id, await debitsSent(ctx.tx, { partnerId, settlementId: id }));
  const transfers = await ctx.tx.many(
    transferRow,
    sql`
    select l.transfer_id as id from ledger_transfer_source l
    where l.partner_id = ${partnerId} and l.source_id = ${debit}
      and l.kind in ('settlement_sent', 'settlement_arrived')
      and not exists (select from ledger_transfer_source r
        where r.partner_id = ${partnerId} and r.source_id = l.transfer_id and r.kind = 'reversal')
    order by l.transfer_id`,
  );
  for (const { id: transferId } of transfers) await reverse(ctx, { partnerId, transferId }, at);
  const after = await readSettlement(ctx, { id });
  emit(ctx, subject, eventsOf(before.status, after));
  return after;
}
