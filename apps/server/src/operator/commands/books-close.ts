import { installation } from '../../domain/audit/record.ts';
import { closeDay } from '../../domain/books/close-day.ts';
import { argument, defineCommand, longestReadMs } from '../command.ts';
import { readDay } from '../read-values.ts';
import { describeExceptions } from './books-exceptions.ts';
import { describeMatched } from './books-reconcile.ts';

export const booksClose = defineCommand({
  name: 'books close',
  summary: 'close a day: freeze and seal it',
  input: { day: argument('<day>', readDay('The day')) },
  effect: 'control',
  console: { needs: 'money' },
  timeoutMs: longestReadMs,
  async run(ctx, { day }) {
    const closed = await closeDay(ctx, day);
    const { seal, sha256, unmatched, after_close } = closed;
    const counts = { unmatched: unmatched.length, after_close: after_close.length };
    const details = { seal, sha256, ...counts };
    await ctx.record(installation, { action: 'books.closed', subject_id: day, details });
    return closed;
  },
  describe({ day, seal, sha256, matched, unmatched, after_close }) {
    const late =
      after_close.length === 0
        ? ''
        : `${after_close.length} entries came after their day was closed: ${after_close.join(', ')}.\n`;
    const open =
      unmatched.length === 0
        ? 'Everything is matched.\n'
        : `Not matched:\n${describeExceptions(unmatched)}`;
    return `${describeMatched(matched)}Closed ${day} as seal ${seal}, ${sha256}.\n${late}${open}`;
  },
});
