import { argument, defineCommand } from '../command.ts';
import { describeCarriedForward, movePayout, readPayoutId } from './payout-send.ts';

export const payoutReturn = defineCommand({
  name: 'payout return',
  summary: 'a payout that had arrived came back: carry it forward',
  input: { payout_id: argument('<payout id>', readPayoutId) },
  effect: 'control',
  console: { needs: 'money', partner: 'payout_id' },
  money: 'once',
  run: (ctx, { payout_id }) =>
    movePayout(ctx, payout_id, { status: 'returned', reason: ctx.by.reason }),
  describe: describeCarriedForward,
});
