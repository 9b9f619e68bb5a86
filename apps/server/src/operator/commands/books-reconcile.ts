import { installation } from '../../domain/audit/record.ts';
import { reconcile } from '../../domain/books/close-day.ts';
import type { Matched } from '../../domain/books/match-rules.ts';
import { defineCommand, longestReadMs } from '../command.ts';

export const booksReconcile = defineCommand({
  name: 'books reconcile',
  summary: 'match statements and ledger by the rules',
  effect: 'change',
  console: { needs: 'money' },
  timeoutMs: longestReadMs,
  async run(ctx) {
    const matched = await reconcile(ctx);
    const details = { ...matched };
    if (Object.values(matched).some((count) => count > 0)) {
      const entry = { action: 'books.reconciled', subject_id: 'rules', details } as const;
      await ctx.record(installation, entry);
    }
    return matched;
  },
  describe: ({ collected, ...matched }) =>
    `${collected} new ledger entries. ${describeMatched(matched)}`,
});

export function describeMatched({ reference, same_reference, amount, batch }: Matched): string {
  return `Matched ${reference} by reference, ${same_reference} by the sum of a reference, ${amount} by amount and days, ${batch} by the sum of a day.\n`;
}
