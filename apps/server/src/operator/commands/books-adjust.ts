import { installation } from '../../domain/audit/record.ts';
import { type Adjusted, adjustItem } from '../../domain/books/adjust.ts';
import { readAccount } from '../chart.ts';
import { argument, defineCommand, longestReadMs, option, requiredOption } from '../command.ts';
import { formatDollars } from '../format.ts';
import { readItem } from './books-assign.ts';

export const booksAdjust = defineCommand({
  name: 'books adjust',
  summary: 'post a transfer that explains an exception, with --account',
  input: {
    item: argument('<item>', readItem),
    account: requiredOption('--account <account>', 'the other account of the chart', readAccount),
    pms: option('--partner <pms>', 'the partner that it belongs to'),
  },
  effect: 'control',
  console: { needs: 'money' },
  money: 'once',
  timeoutMs: longestReadMs,
  async run(ctx, input) {
    const { partner_id, ...adjusted } = await adjustItem(ctx, input, ctx.by);
    const { item, ...details } = adjusted;
    await ctx.record(installation, {
      action: 'books.adjusted',
      subject_id: item,
      details: { ...details, partner_id },
    });
    return adjusted;
  },
  approval: {
    when: 'always',
    facts: ({ amount_in_cents, account }) => ({ amount_in_cents, account }),
  },
  describe: describeAdjusted,
});

export function describeAdjusted({
  transfer_id,
  match_id,
  amount_in_cents,
  account,
}: Omit<Adjusted, 'partner_id'>): string {
  return `Posted ${transfer_id}: ${account} changed by ${formatDollars(amount_in_cents)}. Matched as ${match_id}.\n`;
}
