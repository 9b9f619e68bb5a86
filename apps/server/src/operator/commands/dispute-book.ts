import { bookDispute } from '../../domain/disputes/book-dispute.ts';
import { argument, defineCommand, requiredOption } from '../command.ts';
import { dollars } from '../format.ts';
import { readAmount } from '../read-amount.ts';

export const disputeBook = defineCommand({
  name: 'dispute book',
  summary: 'book what a bank gave back of a dispute, when no report says how much',
  input: {
    dispute: argument('<dispute id>'),
    amount_in_cents: requiredOption(
      '--amount <cents>',
      'what the bank gave back of the dispute in total',
      readAmount,
    ),
  },
  effect: 'control',
  console: { needs: 'money' },
  money: 'once',
  async run(ctx, { dispute, amount_in_cents: amountInCents }) {
    const { partner_id, ...booked } = await bookDispute(ctx, { dispute, amountInCents });
    const { payment_id, is_booked: _, ...details } = booked;
    const entry = { action: 'payment.dispute_booked', subject_id: payment_id, details } as const;
    await ctx.record(partner_id, entry);
    return booked;
  },
  approval: {
    when: 'above limit',
    facts: ({ amount_in_cents, won_in_cents }) => ({ amount_in_cents, won_in_cents }),
  },
  describe({ amount_in_cents, taken_in_cents, won_in_cents, is_booked }, { dispute }) {
    const state = is_booked
      ? 'It pays the installment, or goes back to the tenant if the installment is paid already.'
      : 'It is booked once the payment that is on its way has its outcome.';
    return `$${dollars(amount_in_cents)} of ${dispute} came back. ${state} Of $${dollars(taken_in_cents)} that the bank took, $${dollars(won_in_cents)} are ours again.\n`;
  },
});
