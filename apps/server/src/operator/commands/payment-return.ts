import { returnPayment } from '../../domain/disputes/return-payment.ts';
import { argument, defineCommand, option, requiredOption } from '../command.ts';
import { dollars } from '../format.ts';
import { readAmount } from '../read-amount.ts';

export const paymentReturn = defineCommand({
  name: 'payment return',
  summary: 'record that the bank returned a payment, with its --code',
  input: {
    payment_id: argument('<payment id>'),
    code: requiredOption('--code <code>', 'why the bank returned it, such as R01'),
    amount_in_cents: option('--amount <cents>', 'the part that a card’s bank took', readAmount),
  },
  effect: 'control',
  console: { needs: 'money', partner: 'payment_id' },
  money: 'once',
  async run(ctx, { payment_id: paymentId, code: returnCode, amount_in_cents: amountInCents }) {
    const { partner_id, ...returned } = await returnPayment(ctx, {
      paymentId,
      returnCode,
      ...(amountInCents !== undefined && { amountInCents }),
    });
    const { payment_id: _, changed, ...details } = returned;
    const entry = { action: 'payment.returned', subject_id: paymentId, details } as const;
    if (changed) await ctx.record(partner_id, entry);
    return returned;
  },
  approval: {
    when: 'above limit',
    facts: ({ amount_in_cents, changed }) => ({
      amount_in_cents: changed ? amount_in_cents : 0,
      changed,
    }),
  },
  describe: ({ amount_in_cents, return_code, changed }, { payment_id }) =>
    changed
      ? `${payment_id} is returned (${return_code}). The tenant owes $${dollars(amount_in_cents)} again. If the plan is written off, the amount is added to its loss.\n`
      : `${payment_id} was returned already (${return_code}), so nothing changed.\n`,
});
