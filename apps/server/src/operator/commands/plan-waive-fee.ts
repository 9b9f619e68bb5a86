import { waiveFee } from '../../domain/refunds/waive-fee.ts';
import { argument, defineCommand, flag, option } from '../command.ts';
import { formatDay, formatDollars } from '../format.ts';
import { readAmount } from '../read-amount.ts';

export const planWaiveFee = defineCommand({
  name: 'plan waive-fee',
  summary: 'take the fee off what a tenant still owes, in part or in full',
  input: {
    plan_id: argument('<plan id>'),
    amount_in_cents: option('--amount <cents>', 'waive only this much', readAmount),
    all: flag('--all', 'waive the whole fee, or all that is still owed if that is less'),
  },
  effect: 'control',
  console: { needs: 'money', partner: 'plan_id' },
  money: 'once',
  refuse: ({ amount_in_cents, all = false }) =>
    (amount_in_cents === undefined) !== all
      ? 'needs --amount <cents>, or --all to waive the whole fee'
      : undefined,
  async run(ctx, { plan_id: planId, amount_in_cents: amountInCents }) {
    const { partner_id, ...waiver } = await waiveFee(ctx, {
      planId,
      ...(amountInCents !== undefined && { amountInCents }),
    });
    const { amount_in_cents, fee_in_cents, left_in_cents } = waiver;
    const details = { amount_in_cents, fee_in_cents, left_in_cents };
    await ctx.record(partner_id, { action: 'plan.fee_waived', subject_id: planId, details });
    return waiver;
  },
  approval: { when: 'above limit', facts: ({ amount_in_cents }) => ({ amount_in_cents }) },
  describe: ({ amount_in_cents, fee_in_cents, left_in_cents, changed }, { plan_id }) =>
    [
      `${formatDollars(amount_in_cents)} of the fee of ${formatDollars(fee_in_cents)} is waived for ${plan_id}. The tenant gets a mail about it.`,
      ...changed.map(
        (it) =>
          `Payment ${it.number}, due ${formatDay(it.due_date)}: ${formatDollars(it.amount_in_cents)} instead of ${formatDollars(it.was_in_cents)}.`,
      ),
      `Left to pay: ${formatDollars(left_in_cents)}.\n`,
    ].join('\n'),
});
