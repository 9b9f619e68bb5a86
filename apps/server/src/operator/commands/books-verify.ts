import { booksDay } from '../../domain/books/books-day.ts';
import { type BooksReport, verifyBooks } from '../../domain/books/verify-books.ts';
import { defineCommand, longestReadMs } from '../command.ts';
import { dollars, formatDollars } from '../format.ts';
import { table } from '../table.ts';

export const booksVerify = defineCommand({
  name: 'books verify',
  summary: 'compare ledger, processor and bank; check closed days',
  effect: 'report',
  timeoutMs: longestReadMs,
  run({ tx, now, service }) {
    const isSandbox = service.simulator !== null;
    return verifyBooks(tx, { vault: service.vault, today: booksDay(now), isSandbox });
  },
  hasFailed: ({ faults }) => faults.length > 0,
  describe: describeBooksReport,
});

export function describeBooksReport(report: BooksReport): string {
  const { sides, deposits, exceptions, faults } = report;
  const compared = table(
    'accounts',
    ['account', 'ledger', 'statements', 'lines not matched', 'entries not matched'],
    sides.map((it) => [
      it.ledger_account,
      dollars(it.ledger_in_cents),
      dollars(it.statements_in_cents),
      `${it.open_lines}: ${dollars(it.open_lines_in_cents)}`,
      `${it.open_entries}: ${dollars(it.open_entries_in_cents)}`,
    ]),
  );
  const through = `Deposits: ledger ${formatDollars(deposits.ledger_in_cents)}, confirmed by the processor ${formatDollars(deposits.processor_in_cents)}, by the bank ${formatDollars(deposits.bank_in_cents)}.\n`;
  const lastSeal = report.last_seal === null ? '' : ` Last seal: ${report.last_seal}.`;
  const closed = `Closed through ${report.closed_through ?? 'no day'}, ${report.seals} seals, ${report.statements} statements.${lastSeal}\n`;
  const open =
    exceptions.count === 0
      ? 'Ledger, processor and bank agree.\n'
      : `${exceptions.count} exceptions explain the differences: see "svc-admin books exceptions".\n`;
  return `${compared}\n${through}${closed}${open}${faults.map((it) => `FAULT: ${it}\n`).join('')}`;
}
