import type { SettlementOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { findPayoutSetting } from '../partners/payout-setting.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses the report of a debit for a settlement that a payout pays or will pay, because it would be
 * paid twice. The settlement is locked, so no payout can take it.
 * @throws Refusal `settlement_transition_invalid`
 */
export async function refuseOwnDebit(
  ctx: Ctx<PartnerActor>,
  settlement: SettlementOutput,
): Promise<void> {
  refuseInPayout(settlement);
  if (settlement.status !== 'unsettled') return;
  if (!(await findPayoutSetting(ctx.tx, ctx.actor.partnerId))) return;
  throw new Refusal('settlement_transition_invalid', {
    message: 'Your settlements are paid in payouts. This one will be in the next payout.',
  });
}

/** @throws Refusal `settlement_transition_invalid` */
export function refuseInPayout({ payout_id }: SettlementOutput): void {
  if (payout_id === null) return;
  throw new Refusal('settlement_transition_invalid', {
    message: `This settlement is paid in the payout ${payout_id}, which changes its status, too.`,
  });
}
