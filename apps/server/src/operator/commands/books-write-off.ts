import { installation } from '../../domain/audit/record.ts';
import { adjustItem } from '../../domain/books/adjust.ts';
import { argument, defineCommand, longestReadMs, option } from '../command.ts';
import { describeAdjusted } from './books-adjust.ts';
import { readItem } from './books-assign.ts';

export const booksWriteOff = defineCommand({
  name: 'books write-off',
  summary: 'post an exception as a written-off difference',
  input: {
    item: argument('<item>', readItem),
    pms: option('--partner <pms>', 'the partner that it belongs to'),
  },
  effect: 'control',
  console: { needs: 'money' },
  money: 'once',
  timeoutMs: longestReadMs,
  async run(ctx, input) {
    const adjustment = { ...input, account: 'books_difference' } as const;
    const { partner_id, ...adjusted } = await adjustItem(ctx, adjustment, ctx.by);
    const { item, ...details } = adjusted;
    await ctx.record(installation, {
      action: 'books.written_off',
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
