import { installation } from '../../domain/audit/record.ts';
import { matchItems } from '../../domain/books/match-items.ts';
import { chart, readAccount } from '../chart.ts';
import { argument, defineCommand, longestReadMs, option } from '../command.ts';
import { formatDollars } from '../format.ts';
import { readItem } from './books-assign.ts';

export const booksMatch = defineCommand({
  name: 'books match',
  summary: 'match lines and entries by hand: their ids, with commas; --account takes a difference',
  input: {
    items: argument('<items>', (text) => text.split(',').map(readItem)),
    account: option(
      '--account <account>',
      'the account of the chart for the difference between lines and entries',
      readAccount,
    ),
    pms: option('--partner <pms>', 'the partner of that difference'),
  },
  effect: 'control',
  console: { needs: 'money' },
  money: 'once',
  timeoutMs: longestReadMs,
  async run(ctx, input) {
    const matched = await matchItems(ctx, input, ctx.by);
    const { match_id, items, amount_in_cents, difference } = matched;
    const details = {
      items: items.join(' ').slice(0, 500),
      amount_in_cents,
      ...(difference && {
        difference_in_cents: difference.amount_in_cents,
        account: difference.account,
        transfer_id: difference.transfer_id,
        partner_id: difference.partner_id,
      }),
    };
    const entry = { action: 'books.matched', subject_id: match_id, details } as const;
    await ctx.record(installation, entry);
    return matched;
  },
  approval: {
    when: 'above limit',
    facts: ({ difference }) => ({ amount_in_cents: difference?.amount_in_cents ?? 0 }),
  },
  describe({ match_id, items, amount_in_cents, difference }) {
    const posted =
      difference === undefined
        ? ''
        : ` Posted the difference of ${formatDollars(difference.amount_in_cents)} as ${difference.transfer_id}: ${chart[difference.account].name} changed by ${formatDollars(-difference.amount_in_cents)}.`;
    return `Matched ${items.length} items of ${formatDollars(amount_in_cents)} as ${match_id}.${posted}\n`;
  },
});
