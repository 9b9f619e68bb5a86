import { argument, defineCommand } from '../command.ts';
import { describeCarriedForward, movePayout, readPayoutId } from './payout-send.ts';

export const payoutFail = defineCommand({
  name: 'payout fail',
  summary: 'a payout did not arrive: carry it forward',
  input: { payout_id: argument('<payout id>', readPayoutId) },
  effect: 'control',
  console: { needs: 'money', partner: 'payout_id' },
  money: 'once',
  run: (ctx, { payout_id }) =>
    movePayout(ctx, payout_id, { status: 'failed', reason: ctx.by.reason }),
  describe: describeCarriedForward,
});
