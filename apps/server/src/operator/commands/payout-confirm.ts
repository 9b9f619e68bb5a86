import { argument, defineCommand, option } from '../command.ts';
import { dollars } from '../format.ts';
import { readLine } from '../read-values.ts';
import { movePayout, readPayoutId } from './payout-send.ts';

export const payoutConfirm = defineCommand({
  name: 'payout confirm',
  summary: 'the bank has paid a payout',
  input: {
    payout_id: argument('<payout id>', readPayoutId),
    reference: option(
      '--reference <text>',
      'the bank’s id, as its statement shows it',
      readLine('--reference', { most: 100 }),
    ),
  },
  effect: 'control',
  console: { needs: 'money', partner: 'payout_id' },
  money: 'once',
  run: (ctx, { payout_id, reference }) => movePayout(ctx, payout_id, { status: 'paid', reference }),
  describe: ({ id, amount_in_cents }) => `${id} is paid: $${dollars(amount_in_cents)}.\n`,
});
