import type { Statement } from '../domain/books/statement.ts';
import { BadFile } from './bad-file.ts';
import { checkStatement } from './check-statement.ts';
import { parseBai2 } from './parse-bai2.ts';
import { parseCamt053 } from './parse-camt053.ts';
import { parseCsv } from './parse-csv.ts';

export const statementFormats = ['csv', 'bai2', 'camt053'] as const;
export type StatementFormat = (typeof statementFormats)[number];

export interface StatementFile {
  readonly format: StatementFormat;
  readonly statements: readonly Statement[];
}

/** A busy day of 100,000 lines is about 10 MB of CSV and 40 MB of camt.053. */
export const largestFileBytes = 64 * 1024 * 1024;
export const mostLines = 200_000;

const parsers: Readonly<Record<StatementFormat, (text: string) => Statement[]>> = {
  csv: parseCsv,
  bai2: parseBai2,
  camt053: parseCamt053,
};

/**
 * Reads a statement file of any format, which its first characters tell.
 * @throws BadFile
 */
export function parseStatements(file: Uint8Array): StatementFile {
  if (file.length > largestFileBytes) {
    throw new BadFile(1, `the file has ${file.length} bytes; the limit is ${largestFileBytes}.`);
  }
  const text = decode(file);
  const format = formatOf(text);
  const statements = parsers[format](text);
  if (statements.length === 0) throw new BadFile(1, 'there is no statement in the file.');
  const lines = statements.reduce((sum, it) => sum + it.lines.length, 0);
  if (lines > mostLines)
    throw new BadFile(1, `the file has ${lines} lines; the limit is ${mostLines}.`);
  return { format, statements: statements.map(checkStatement) };
}

function decode(file: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw new BadFile(1, 'the file is not UTF-8. Save it as UTF-8.');
  }
  const at = text.search(unwanted);
  if (at === -1) return text;
  const code = (text.charCodeAt(at) || 0).toString(16).toUpperCase().padStart(4, '0');
  const line = text.slice(0, at).split(/\r\n|\n|\r/).length;
  throw new BadFile(line, `it contains the control character U+${code}.`);
}

// Also characters that change the direction of text: they can make a terminal show another amount.
const unwanted = /[^\P{Cc}\t\r\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function formatOf(text: string): StatementFormat {
  if (/^\s*</.test(text)) return 'camt053';
  return text.startsWith('01,') ? 'bai2' : 'csv';
}
