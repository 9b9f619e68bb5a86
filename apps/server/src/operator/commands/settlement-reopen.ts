import { reopenSettlement } from '../../domain/settlements/reopen.ts';
import { argument, defineCommand } from '../command.ts';

export const settlementReopen = defineCommand({
  name: 'settlement reopen',
  summary: 'let the portal debit us again after a debit failed or was returned',
  input: { settlement_id: argument('<id>') },
  effect: 'control',
  console: { needs: 'money', partner: 'settlement_id' },
  money: 'once',
  async run(ctx, { settlement_id }) {
    const { partner_id, ...reopened } = await reopenSettlement(ctx, { id: settlement_id });
    const { id, amount_in_cents, debit_by } = reopened;
    const details = { amount_in_cents, debit_by };
    await ctx.record(partner_id, { action: 'settlement.reopened', subject_id: id, details });
    return reopened;
  },
  approval: { when: 'above limit', facts: ({ amount_in_cents }) => ({ amount_in_cents }) },
  describe: ({ debit_by }, { settlement_id }) =>
    `${settlement_id} is unsettled again. The portal is asked to debit it by ${debit_by}.\n`,
});
