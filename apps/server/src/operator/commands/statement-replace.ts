import { installation } from '../../domain/audit/record.ts';
import { type Replaced, replaceStatements } from '../../domain/books/replace-statement.ts';
import { defineCommand, longestReadMs } from '../command.ts';
import { countOf, formatDay, formatDollars } from '../format.ts';
import { statementInput } from './statement-import.ts';

export const statementReplace = defineCommand({
  name: 'statement replace',
  summary: 'replace statements of open days that --bank sent again, corrected',
  input: statementInput,
  effect: 'control',
  money: 'once',
  timeoutMs: longestReadMs,
  async run(ctx, { bank, statements: { file, ...content } }) {
    const { user } = ctx.by;
    const replaced = await replaceStatements(ctx, { bank, user, ...content }, ctx.by);
    const { removed, added, unmatched, reversed_by } = replaced;
    const details = {
      file,
      removed: JSON.stringify(removed).slice(0, 2_000),
      added: JSON.stringify(added).slice(0, 2_000),
      unmatched,
      ...(reversed_by.length > 0 && { reversed_by: reversed_by.join(' ').slice(0, 500) }),
    };
    const entry = { action: 'statement.replaced', subject_id: bank, details } as const;
    await ctx.record(installation, entry);
    return replaced;
  },
  describe({ bank, removed, added, unmatched, reversed_by, notes }) {
    const reversed =
      reversed_by.length === 0
        ? ''
        : ` What they had posted was taken back by ${reversed_by.join(', ')}.`;
    const noted = notes.map((it) => `${it}\n`).join('');
    return `${noted}Removed from ${bank}: ${listOf(removed)}.\nAdded: ${listOf(added)}.\nUndid ${countOf(unmatched, 'match', 'matches')}.${reversed} Match again by the rules: "svc-admin books reconcile".\n`;
  },
});

function daysOf({ from, to }: Replaced['added'][number]): string {
  return from === to ? formatDay(to) : `${formatDay(from)} to ${formatDay(to)}`;
}

function listOf(statements: Replaced['added']): string {
  return statements
    .map(
      (it) =>
        `${daysOf(it)}, ${countOf(it.lines, 'line', 'lines')}, ${formatDollars(it.closing_in_cents)}`,
    )
    .join('; ');
}
