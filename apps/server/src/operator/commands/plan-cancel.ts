import { cancelForTenant } from '../../domain/plans/cancel.ts';
import { argument, defineCommand } from '../command.ts';
import { dollars } from '../format.ts';

export const planCancel = defineCommand({
  name: 'plan cancel',
  summary: 'cancel a plan whose first payment has not gone through',
  input: { plan_id: argument('<plan id>') },
  effect: 'control',
  console: { needs: 'support', partner: 'plan_id' },
  money: 'once',
  async run(ctx, { plan_id: planId }) {
    const { partner_id, ...canceled } = await cancelForTenant(ctx, planId);
    const { plan_id: _, changed, ...details } = canceled;
    const entry = { action: 'plan.canceled', subject_id: planId, details } as const;
    if (changed) await ctx.record(partner_id, entry);
    return canceled;
  },
  describe: ({ first_payment_in_cents, changed }, { plan_id }) =>
    changed
      ? `${plan_id} is canceled, and nothing is owed. The first payment of $${dollars(first_payment_in_cents)} is stopped. If it arrives anyway, it is given back.\n`
      : `${plan_id} was canceled already, so nothing changed.\n`,
});
