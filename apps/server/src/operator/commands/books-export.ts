import { exportJournal } from '../../domain/books/export-journal.ts';
import { defineCommand, longestReadMs, requiredOption } from '../command.ts';
import { readDay } from '../read-values.ts';

export const booksExport = defineCommand({
  name: 'books export',
  summary: 'print all ledger entries --from a day --to a day, as CSV',
  input: {
    from: requiredOption('--from <day>', 'the first day', readDay('--from')),
    to: requiredOption('--to <day>', 'the last day', readDay('--to')),
  },
  effect: 'report',
  console: { needs: 'read' },
  writesFile: true,
  timeoutMs: longestReadMs,
  run: exportJournal,
  describe: ({ csv }) => csv,
});
