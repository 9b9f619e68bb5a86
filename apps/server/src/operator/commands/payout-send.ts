import { type MovedPayout, movePayoutByOperator } from '../../domain/payouts/by-operator.ts';
import { argument, defineCommand, type TransactionContext } from '../command.ts';
import { dollars } from '../format.ts';
import { readId } from '../read-values.ts';

export const readPayoutId = readId('pyt', { name: 'A payout', from: 'payout list' });

export const payoutSend = defineCommand({
  name: 'payout send',
  summary: 'mark a payout as sent, and print the instruction for the bank',
  input: { payout_id: argument('<payout id>', readPayoutId) },
  effect: 'control',
  console: { needs: 'money', partner: 'payout_id' },
  money: 'once',
  writesFile: true,
  run: (ctx, { payout_id }) => movePayout(ctx, payout_id, { status: 'sent' }),
  approval: {
    when: 'above limit',
    facts: ({ amount_in_cents, destination }) => ({ amount_in_cents, destination }),
  },
  /** Prints one payment for the operator's bank. The reference identifies it in the bank's statement. */
  describe: ({ id, destination, amount_in_cents }) =>
    `pay to:    ${destination}\namount:    ${dollars(amount_in_cents)} USD\nreference: ${id}\n`,
});

/** Moves a payout by hand, with its audit entry. */
export async function movePayout(
  ctx: TransactionContext,
  payoutId: string,
  outcome: Parameters<typeof movePayoutByOperator>[2],
): Promise<Omit<MovedPayout, 'partner_id'>> {
  const { partner_id, ...moved } = await movePayoutByOperator(ctx, payoutId, outcome);
  const { id, status, amount_in_cents, reference } = moved;
  const details = { status, amount_in_cents, ...(reference === null ? {} : { reference }) };
  await ctx.record(partner_id, { action: 'payout.updated', subject_id: id, details });
  return moved;
}

export function describeCarriedForward({
  id,
  line_count,
  status,
}: Pick<MovedPayout, 'id' | 'line_count' | 'status'>): string {
  return `${id} is ${status}. The next payout carries its ${line_count} lines forward.\n`;
}
