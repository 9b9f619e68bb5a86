import { installation } from '../../domain/audit/record.ts';
import { booksDay, booksToday } from '../../domain/books/books-day.ts';
import { reconcile } from '../../domain/books/close-day.ts';
import { listExceptions } from '../../domain/books/list-exceptions.ts';
import type { Matched } from '../../domain/books/match-rules.ts';
import { defineCommand, longestReadMs } from '../command.ts';
import { countOf } from '../format.ts';

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
    const today = await booksToday(ctx.tx, {
      today: booksDay(ctx.now),
      isSandbox: ctx.service.simulator !== null,
    });
    const { count: unmatched } = await listExceptions(ctx.tx, { today, limit: 1 });
    return { ...matched, unmatched };
  },
  describe({ collected, unmatched, ...matched }) {
    const open =
      unmatched === 0
        ? 'Everything is matched.'
        : `${countOf(unmatched, 'item is', 'items are')} not matched: "svc-admin books exceptions" says why.`;
    return `Found ${countOf(collected, 'new ledger entry', 'new ledger entries')} to compare. ${describeMatched(matched)}${open}\n`;
  },
});

const rules: Readonly<Record<keyof Matched, string>> = {
  reference: 'by reference',
  same_reference: 'by the sum of a reference',
  amount: 'by amount and days',
  batch: 'by the sum of a day',
};

/** Says what the rules have matched, as one line. */
export function describeMatched(matched: Matched): string {
  const matches = Object.entries(rules).flatMap(([rule, how]) => {
    const count = matched[rule as keyof Matched];
    return count === 0 ? [] : [`${count} ${how}`];
  });
  return matches.length === 0
    ? 'The rules found no new match.\n'
    : `The rules matched: ${matches.join(', ')}.\n`;
}
