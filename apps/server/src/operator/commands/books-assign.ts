import { installation } from '../../domain/audit/record.ts';
import { assignItem } from '../../domain/books/match-by-hand.ts';
import { argument, defineCommand, requiredOption } from '../command.ts';
import { readLine } from '../read-values.ts';
import { UsageError } from '../usage-error.ts';

export const booksAssign = defineCommand({
  name: 'books assign',
  summary: 'name the --owner of an exception',
  input: {
    item: argument('<item>', readItem),
    owner: requiredOption(
      '--owner <name>',
      'who looks into it',
      readLine('--owner', { most: 100 }),
    ),
  },
  effect: 'control',
  console: { needs: 'money' },
  async run(ctx, { item, owner }) {
    const assigned = await assignItem(ctx, { item, owner, user: ctx.by.user });
    const entry = { action: 'books.assigned', subject_id: item, details: { owner } } as const;
    await ctx.record(installation, entry);
    return assigned;
  },
  describe: (_, { item, owner }) => `${owner} looks into ${item}.\n`,
});

/** Reads a line of a statement or an entry of the ledger, as "books exceptions" names it. */
export function readItem(text: string): string {
  if (/^(bln_[0-9a-z]{26}|trf_[0-9a-z]{26}\/(cash|processor_clearing))$/.test(text)) return text;
  throw new UsageError(
    `"${text}" is no item. Copy it from "svc-admin books exceptions": bln_… or trf_…/cash.`,
  );
}
