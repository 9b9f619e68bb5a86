import { createPayoutNow } from '../../domain/payouts/by-operator.ts';
import { argument, defineCommand } from '../command.ts';
import { dollars } from '../format.ts';

export const payoutCreate = defineCommand({
  name: 'payout create',
  summary: 'create a payout now, in addition to the schedule',
  input: { pms: argument('<pms>') },
  effect: 'control',
  console: { needs: 'money', partner: 'pms' },
  money: 'once',
  async run(ctx, { pms }) {
    const { partner_id, ...created } = await createPayoutNow(ctx, { pms });
    const { id, amount_in_cents, line_count } = created;
    const details = { amount_in_cents, line_count };
    await ctx.record(partner_id, { action: 'payout.created', subject_id: id, details });
    return created;
  },
  approval: {
    when: 'above limit',
    facts: ({ amount_in_cents, line_count }) => ({ amount_in_cents, line_count }),
  },
  describe: ({ id, amount_in_cents, line_count }) =>
    `Created ${id}: $${dollars(amount_in_cents)} in ${line_count} lines.\n`,
});
