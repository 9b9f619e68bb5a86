import { adjustmentAccounts, adjustPayouts } from '../../domain/payouts/by-operator.ts';
import { argument, defineCommand, requiredOption } from '../command.ts';
import { formatDollars } from '../format.ts';
import { readAmount } from '../read-amount.ts';
import { readOneOf } from '../read-values.ts';

export const payoutAdjust = defineCommand({
  name: 'payout adjust',
  summary: 'add --amount to the next payout, or deduct it, and book it to --account',
  input: {
    pms: argument('<pms>'),
    amount_in_cents: requiredOption(
      '--amount <cents>',
      'the amount to add, or with - to deduct',
      (text) => readAmount(text, { canDeduct: true }),
    ),
    account: requiredOption(
      '--account <account>',
      `the other account: ${adjustmentAccounts.join(', ')}`,
      readOneOf('--account', adjustmentAccounts),
    ),
  },
  effect: 'control',
  console: { needs: 'money', partner: 'pms' },
  money: 'each time',
  async run(ctx, input) {
    const { partner_id, ...adjusted } = await adjustPayouts(ctx, { ...input, ...ctx.by });
    const { id, pms: _, ...details } = adjusted;
    await ctx.record(partner_id, { action: 'payout.adjusted', subject_id: id, details });
    return adjusted;
  },
  approval: {
    when: 'always',
    facts: ({ amount_in_cents, account }) => ({ amount_in_cents, account }),
  },
  describe: ({ id, pms, amount_in_cents }) =>
    `The next payout of ${pms} has ${id} of ${formatDollars(amount_in_cents)} as a line.\n`,
});
