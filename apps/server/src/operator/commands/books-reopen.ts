import { installation } from '../../domain/audit/record.ts';
import { reopenDay } from '../../domain/books/close-day.ts';
import { argument, defineCommand, longestReadMs } from '../command.ts';
import { readDay } from '../read-values.ts';

export const booksReopen = defineCommand({
  name: 'books reopen',
  summary: 'open the last closed day again',
  input: { day: argument('<day>', readDay('The day')) },
  effect: 'control',
  console: { needs: 'money' },
  timeoutMs: longestReadMs,
  async run(ctx, { day }) {
    const reopened = await reopenDay(ctx, { day, ...ctx.by });
    const details = { seal: reopened.seal };
    await ctx.record(installation, { action: 'books.reopened', subject_id: day, details });
    return reopened;
  },
  describe({ closed_through }, { day }) {
    const state =
      closed_through === null
        ? 'No day is closed'
        : `The books are closed through ${closed_through}`;
    return `${day} is open again. ${state}.\n`;
  },
});
