import { booksDay, booksToday } from '../../domain/books/books-day.ts';
import { type BookException, listExceptions } from '../../domain/books/list-exceptions.ts';
import { defineCommand, longestReadMs, optionalArgument } from '../command.ts';
import { dollars, formatDollars } from '../format.ts';
import { table } from '../table.ts';

export const booksExceptions = defineCommand({
  name: 'books exceptions',
  summary: 'list what is not matched, and who owns it',
  input: { bank: optionalArgument('[bank]') },
  effect: 'report',
  console: { needs: 'read' },
  timeoutMs: longestReadMs,
  async run({ tx, now, service }, { bank }) {
    const isSandbox = service.simulator !== null;
    const today = await booksToday(tx, { today: booksDay(now), isSandbox });
    return listExceptions(tx, { bank, today });
  },
  describe({ items, has_more, count, total_in_cents }) {
    const more = has_more ? `Only the oldest ${items.length} of ${count} are listed.` : '';
    const lines = describeExceptions(items, more);
    return count === 0 ? lines : `${lines}Lines minus entries: ${formatDollars(total_in_cents)}.\n`;
  },
});

export function describeExceptions(items: readonly BookException[], note = ''): string {
  return table(
    'exceptions: everything is matched',
    ['item', 'where', 'day', 'age', 'amount', 'reference', 'owner', 'why'],
    items.map((it) => [
      it.item,
      it.bank ?? `ledger of ${it.pms}`,
      it.day,
      `${it.age_in_days} d`,
      dollars(it.amount_in_cents),
      it.reference,
      it.owner ?? '',
      `${it.after_close ? 'Came after its day was closed. ' : ''}${it.why}`,
    ]),
    note,
  );
}
