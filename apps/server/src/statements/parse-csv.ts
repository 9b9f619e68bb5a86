import { CsvError, parse } from 'csv-parse/sync';
import { lineKinds, type Statement, type StatementLine } from '../domain/books/statement.ts';
import { BadFile } from './bad-file.ts';
import { oneLine, readCurrency, readDay, readDecimal, shown } from './read-values.ts';

export const csvColumns = [
  'account',
  'currency',
  'date',
  'kind',
  'amount',
  'reference',
  'description',
] as const;
type Column = (typeof csvColumns)[number];
type Record = { readonly [C in Column]: string };

const kinds = ['opening', 'closing', ...lineKinds] as const;

/**
 * Reads CSV (RFC 4180) with a header. A row of the kind `opening` begins a statement with its balance,
 * one of `closing` ends it, and the lines are between them. Other columns are ignored.
 * @throws BadFile
 */
export function parseCsv(text: string): Statement[] {
  const [header, ...rows] = readRows(text);
  if (!header) throw new BadFile(1, 'the file is empty.');
  const places = csvColumns.map((name) => header.cells.indexOf(name));
  const missing = csvColumns.filter((_, index) => places[index] === -1);
  if (missing.length > 0) {
    throw new BadFile(
      1,
      `the header lacks ${missing.join(', ')}. It needs ${csvColumns.join(', ')}.`,
    );
  }
  const doubled = csvColumns.find((name) => header.cells.filter((it) => it === name).length > 1);
  if (doubled) throw new BadFile(1, `the header has ${doubled} twice.`);
  const statements: Statement[] = [];
  let open: Open | undefined;
  for (const { line, cells } of rows) {
    if (cells.length !== header.cells.length) {
      throw new BadFile(line, `has ${cells.length} cells, but the header ${header.cells.length}.`);
    }
    const record = Object.fromEntries(
      csvColumns.map((name, index) => [name, cells[places[index] ?? -1] ?? '']),
    ) as Record;
    const kind = kinds.find((it) => it === record.kind);
    if (!kind) {
      throw new BadFile(line, `the kind "${shown(record.kind)}" is none of ${kinds.join(', ')}.`);
    }
    const date = readDay(record.date, line, 'the date');
    const amountInCents = readDecimal(record.amount, line, 'the amount');
    const currency = readCurrency(record.currency, line);
    if (kind === 'opening') {
      if (open) throw new BadFile(line, `the statement from line ${open.fileLine} has no closing.`);
      open = {
        fileLine: line,
        account: record.account,
        currency,
        from: date,
        openingInCents: amountInCents,
        lines: [],
      };
      continue;
    }
    if (!open) throw new BadFile(line, 'there is no opening before it.');
    if (record.account !== open.account || currency !== open.currency) {
      throw new BadFile(
        line,
        `it is in ${currency} for account "${shown(record.account)}", in a statement in ${open.currency} for "${shown(open.account)}".`,
      );
    }
    if (kind === 'closing') {
      statements.push({ ...open, to: date, closingInCents: amountInCents });
      open = undefined;
      continue;
    }
    open.lines.push({
      fileLine: line,
      kind,
      bookedOn: date,
      amountInCents,
      reference: oneLine(record.reference),
      description: oneLine(record.description),
    });
  }
  if (open) throw new BadFile(open.fileLine, 'this opening has no closing: the file is cut off.');
  return statements;
}

interface Open extends Omit<Statement, 'to' | 'closingInCents' | 'lines'> {
  readonly lines: StatementLine[];
}

interface CsvRow {
  /** Where the row begins: a quoted cell may span lines. */
  readonly line: number;
  readonly cells: readonly string[];
}

function readRows(text: string): CsvRow[] {
  try {
    const rows = parse(text, {
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 20_000,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      return { line: info.lines - breaks, cells: record };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, message } = error as CsvError & { lines?: number };
    throw new BadFile(lines ?? 1, `it is not CSV. ${message.slice(0, 200)}`);
  }
}
