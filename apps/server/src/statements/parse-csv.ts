import { CsvError, parse } from 'csv-parse/sync';
import { lineKinds, type Statement, type StatementLine } from '../domain/books/statement.ts';
import { BadFile } from './bad-file.ts';
import { amountReader, dayReader } from './read-habits.ts';
import { oneLine, readCurrency, shortened } from './read-values.ts';

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
type CsvRecord = { readonly [C in Column]: string };

const rowKinds = ['opening', 'closing', ...lineKinds] as const;

/** Other names of the columns, as banks write them. */
const otherNames: Readonly<{ [C in Column]: readonly string[] }> = {
  account: ['account number', 'account no', 'account id', 'iban'],
  currency: ['ccy', 'currency code'],
  date: ['booking date', 'posting date', 'posted date', 'transaction date'],
  kind: ['type', 'transaction type'],
  amount: ['transaction amount'],
  reference: ['ref', 'reference number', 'bank reference'],
  description: ['details', 'memo', 'narrative', 'payment details'],
};

/**
 * Reads CSV (RFC 4180) with a header, separated by commas, semicolons, tabs or bars. A row of the kind
 * `opening` begins a statement with its balance, one of `closing` ends it, and the lines are between them.
 * Other columns are ignored. Days and amounts are read in the notation that the whole file shows; a file that
 * leaves it open is refused.
 * @throws BadFile
 */
export function parseCsv(text: string): Statement[] {
  const [header, ...rows] = readRows(text);
  if (!header) throw new BadFile(1, 'the file is empty.');
  const places = placesIn(header);
  for (const row of rows) requireCells(row, header);
  const records = rows.map(({ line, cells }) => ({
    line,
    record: Object.fromEntries(
      csvColumns.map((name, index) => [name, cells[places[index] ?? -1] ?? '']),
    ) as CsvRecord,
  }));
  const readDate = dayReader(records.map(({ record }) => record.date));
  const readAmount = amountReader(records.map(({ record }) => record.amount));
  const statements: Statement[] = [];
  let open: Open | undefined;
  for (const { line, record } of records) {
    const kind = kindOf(record.kind, line);
    const date = readDate(record.date, line, 'the date');
    const amountInCents = readAmount(record.amount, line, 'the amount');
    const currency = readCurrency(record.currency.toUpperCase(), line);
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
        `it is in ${currency} for account "${shortened(record.account)}", in a statement in ${open.currency} for "${shortened(open.account)}".`,
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

function kindOf(text: string, line: number): (typeof rowKinds)[number] {
  const plain = text.toLowerCase().replace(/ balance$/, '');
  const kind = rowKinds.find((it) => it === plain);
  if (kind) return kind;
  throw new BadFile(line, `the kind "${shortened(text)}" is not one of ${rowKinds.join(', ')}.`);
}

/** Returns the index of each of our columns: by our name, or else by the only other name in the header. */
function placesIn({ cells }: CsvRow): number[] {
  const names = cells.map((it) => it.toLowerCase().replace(/[ _-]+/g, ' '));
  const found = csvColumns.map((name) => {
    const own = names.flatMap((it, place) => (it === name ? [place] : []));
    if (own.length > 1) throw new BadFile(1, `the header has ${name} twice.`);
    const others = names.flatMap((it, place) => (otherNames[name].includes(it) ? [place] : []));
    if (own.length === 1 || others.length <= 1) return own[0] ?? others[0] ?? -1;
    const candidates = others.map((place) => `"${shortened(cells[place] ?? '')}"`).join(' and ');
    throw new BadFile(
      1,
      `the header has ${candidates}, which both can be ${name}. Call one of them ${name}.`,
    );
  });
  const missing = csvColumns.filter((_, index) => found[index] === -1);
  if (missing.length === 0) return found;
  throw new BadFile(
    1,
    `the header lacks ${missing.join(', ')}. It needs ${csvColumns.join(', ')}.`,
  );
}

/** Spreadsheets add empty cells at the end of a row. */
function requireCells({ line, cells }: CsvRow, header: CsvRow): void {
  const width = header.cells.findLastIndex((it) => it !== '') + 1;
  if (cells.length >= width && cells.slice(width).every((it) => it === '')) return;
  throw new BadFile(line, `has ${cells.length} cells, but the header ${width}.`);
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
  // A spreadsheet names the separator in a separate first line.
  const [marked = '', separator = ''] = /^\s{0,100}sep=(.)\r?\n/.exec(text) ?? [];
  const skipped = marked.split('\n').length - 1;
  const content = text.slice(marked.length);
  const delimiter = separator || separatorOf(content);
  try {
    const rows = parse(content, {
      info: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 20_000,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows
      .map(({ record, info }) => ({ record: record.map((it) => it.trim()), info }))
      .filter(({ record }) => record.some((it) => it !== ''))
      .map(({ record, info }) => {
        const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
        return { line: info.lines - breaks + skipped, cells: record };
      });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, message } = error as CsvError & { lines?: number };
    throw new BadFile(lines ?? 1, `it is not CSV. ${message.slice(0, 200)}`);
  }
}

/** Finds the separator in the header, which has no text that could contain another one. */
function separatorOf(text: string): string {
  const [header = ''] = text
    .trimStart()
    .slice(0, 20_000)
    .split(/[\r\n]/, 1);
  const counts = [',', ';', '\t', '|'].map((it) => ({ it, count: header.split(it).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).it;
}
