import type { Statement, UnusableStatement } from '../domain/books/statement.ts';
import { BadEntry, BadFile } from './bad-file.ts';
import { checkStatement } from './check-statement.ts';
import { decodeFile } from './decode-file.ts';
import { parseBai2 } from './parse-bai2.ts';
import { parseCamt053 } from './parse-camt053.ts';
import { parseCsv } from './parse-csv.ts';

export const statementFormats = ['csv', 'bai2', 'camt053'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** The statements of a file, in its order. */
export interface StatementFile {
  readonly format: StatementFormat;
  readonly statements: readonly Statement[];
}

export interface ParsedStatements extends StatementFile {
  /** A file can hold statements of many accounts. Those that cannot be used do not refuse the others. */
  readonly unusable: readonly UnusableStatement[];
}

/** A busy day of 100,000 lines is about 10 MB of CSV and 40 MB of camt.053. */
export const largestFileBytes = 64 * 1024 * 1024;
const mostLines = 200_000;

type Parser = (text: string) => (Statement | UnusableStatement)[];

const parsers: Readonly<Record<StatementFormat, Parser>> = {
  csv: parseCsv,
  bai2: parseBai2,
  camt053: parseCamt053,
};

/**
 * Reads a statement file of any format, and detects it by its first characters. Takes seconds and memory for a
 * large file, so the service runs it in a thread (`parseInThread`).
 * @throws BadFile
 */
export function parseStatements(file: Uint8Array): ParsedStatements {
  if (file.length > largestFileBytes) {
    throw new BadFile(1, `the file has ${file.length} bytes; the limit is ${largestFileBytes}.`);
  }
  const text = decodeFile(file);
  const format = formatOf(text);
  const found = parsers[format](text).map(checkedStatement);
  if (found.length === 0) throw new BadFile(1, 'there is no statement in the file.');
  const statements = found.filter((it) => 'lines' in it);
  const lines = statements.reduce((sum, it) => sum + it.lines.length, 0);
  if (lines > mostLines)
    throw new BadFile(1, `the file has ${lines} lines; the limit is ${mostLines}.`);
  return { format, statements, unusable: found.filter((it) => 'reason' in it) };
}

function checkedStatement(it: Statement | UnusableStatement): Statement | UnusableStatement {
  if ('reason' in it) return it;
  try {
    return checkStatement(it);
  } catch (error) {
    if (!(error instanceof BadEntry)) throw error;
    return { fileLine: error.line, account: it.account, reason: error.message };
  }
}

function formatOf(text: string): StatementFormat {
  const start = text.slice(0, 10_000).trimStart();
  if (start.startsWith('<')) return 'camt053';
  return /^\d\d *,/.test(start) ? 'bai2' : 'csv';
}
