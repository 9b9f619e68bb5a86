import { movePayment } from '../../domain/plans/move-payment.ts';
import { argument, defineCommand, requiredOption } from '../command.ts';
import { formatDay, formatDollars } from '../format.ts';
import { readDay, readNumber } from '../read-values.ts';

export const planMove = defineCommand({
  name: 'plan move',
  summary: 'move a payment for the tenant, to a day that the tenant is offered, too',
  input: {
    plan_id: argument('<plan id>'),
    payment_number: requiredOption(
      '--payment <number>',
      'which payment of the plan, such as 2',
      readNumber('--payment'),
    ),
    due_date: requiredOption('--to <day>', 'the new day', readDay('--to')),
  },
  effect: 'control',
  console: { needs: 'support', partner: 'plan_id' },
  money: 'once',
  async run(ctx, { plan_id: planId, payment_number: number, due_date: to }) {
    const { partner_id, ...moved } = await movePayment(ctx, { planId, number, to });
    const { plan_id: _, changed, ...details } = moved;
    const entry = { action: 'plan.payment_moved', subject_id: planId, details } as const;
    if (changed) await ctx.record(partner_id, entry);
    return moved;
  },
  describe: ({ number, from, to, amount_in_cents, changed }, { plan_id }) =>
    changed
      ? `Payment ${number} of ${plan_id}, ${formatDollars(amount_in_cents)}, moves from ${formatDay(from)} to ${formatDay(to)}. The tenant gets a mail about it.\n`
      : `Payment ${number} of ${plan_id} is due on ${formatDay(to)} already, so nothing changed.\n`,
});
