import { booksDay } from '../../domain/books/books-day.ts';
import { trialBalance } from '../../domain/books/trial-balance.ts';
import { defineCommand, longestReadMs, option } from '../command.ts';
import { dollars } from '../format.ts';
import { readDay } from '../read-values.ts';

export const booksTrialBalance = defineCommand({
  name: 'books trial-balance',
  summary: 'print the balance of each account, today or --as-of a day',
  input: { as_of: option('--as-of <day>', 'at the end of that day', readDay('--as-of')) },
  effect: 'report',
  console: { needs: 'read' },
  timeoutMs: longestReadMs,
  run: (ctx, { as_of = booksDay(ctx.now) }) => trialBalance(ctx, as_of),
  describe({ as_of, lines, debit_in_cents, credit_in_cents }) {
    const side = (cents: number) => (cents === 0 ? '' : dollars(cents)).padStart(16);
    const rows = lines.map(
      (it) =>
        `${it.number}  ${it.name.padEnd(30)} ${side(it.debit_in_cents)} ${side(it.credit_in_cents)}`,
    );
    const total = `      ${''.padEnd(30)} ${dollars(debit_in_cents).padStart(16)} ${dollars(credit_in_cents).padStart(16)}`;
    return `${[`Trial balance at the end of ${as_of}`, ...rows, total].map((it) => it.trimEnd()).join('\n')}\n`;
  },
});
