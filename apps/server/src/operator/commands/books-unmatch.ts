import { installation } from '../../domain/audit/record.ts';
import { unmatch } from '../../domain/books/unmatch.ts';
import { argument, defineCommand, longestReadMs } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const booksUnmatch = defineCommand({
  name: 'books unmatch',
  summary: 'undo a match of an open day',
  input: { match_id: argument('<match id>', readMatchId) },
  effect: 'control',
  console: { needs: 'money' },
  money: 'once',
  timeoutMs: longestReadMs,
  async run(ctx, input) {
    const undone = await unmatch(ctx, input.match_id, ctx.by);
    const { match_id, items, reversed_by, ...counts } = undone;
    const details = {
      items: items.join(' ').slice(0, 500),
      ...counts,
      ...(reversed_by.length > 0 && { reversed_by: reversed_by.join(' ').slice(0, 500) }),
    };
    const entry = { action: 'books.unmatched', subject_id: match_id, details } as const;
    await ctx.record(installation, entry);
    return undone;
  },
  describe({ match_id, items, reversed_by }) {
    const reversed =
      reversed_by.length === 0
        ? ''
        : ` What it had posted was taken back by ${reversed_by.join(', ')}.`;
    return `Undid ${match_id}.${reversed} Not matched again: ${items.join(', ')}.\n`;
  },
});

function readMatchId(text: string): string {
  if (/^mat_[0-9a-z]{26}$/.test(text)) return text;
  throw new UsageError(`"books unmatch" needs the id of a match, such as mat_…, not "${text}".`);
}
