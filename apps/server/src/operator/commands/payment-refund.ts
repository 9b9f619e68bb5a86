import { refundPayment } from '../../domain/refunds/refund-payment.ts';
import { argument, defineCommand, flag, option } from '../command.ts';
import { dollars } from '../format.ts';
import { readAmount } from '../read-amount.ts';

export const paymentRefund = defineCommand({
  name: 'payment refund',
  summary: 'give a payment back to the tenant at our loss, in part or in full',
  input: {
    payment_id: argument('<payment id>'),
    amount_in_cents: option('--amount <cents>', 'give back only this much', readAmount),
    all: flag('--all', 'give back all that is left of the payment'),
  },
  effect: 'control',
  console: { needs: 'money', partner: 'payment_id' },
  money: 'each time',
  refuse: ({ amount_in_cents, all = false }) =>
    (amount_in_cents === undefined) !== all
      ? 'needs --amount <cents>, or --all to give back everything that is left'
      : undefined,
  async run(ctx, { payment_id: paymentId, amount_in_cents: amountInCents }) {
    const { partner_id, ...refund } = await refundPayment(ctx, {
      paymentId,
      ...(amountInCents !== undefined && { amountInCents }),
    });
    const { payment_id: _, ...details } = refund;
    await ctx.record(partner_id, { action: 'payment.refunded', subject_id: paymentId, details });
    return refund;
  },
  approval: {
    when: 'above limit',
    facts: ({ amount_in_cents, our_loss_in_cents }) => ({ amount_in_cents, our_loss_in_cents }),
  },
  describe: ({ amount_in_cents, our_loss_in_cents: loss }, { payment_id }) =>
    `$${dollars(amount_in_cents)} of ${payment_id} will be sent back to the tenant within a minute. Our loss is $${dollars(loss)}. The installment stays paid. The list of payments shows the refund until the bank has answered.\n`,
});
