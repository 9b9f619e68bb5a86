import { installation } from '../../domain/audit/record.ts';
import { importStatements } from '../../domain/books/import-statements.ts';
import { Refusal } from '../../domain/refusal.ts';
import { BadFile } from '../../statements/bad-file.ts';
import {
  largestFileBytes,
  type ParsedStatements,
  parseStatements,
} from '../../statements/parse-statements.ts';
import { argument, defineCommand, longestReadMs, requiredOption } from '../command.ts';
import { countOf, formatDay, formatDollars } from '../format.ts';
import { readFile } from '../read-values.ts';
import { UsageError } from '../usage-error.ts';

export interface StatementFile extends ParsedStatements {
  readonly file: string;
}

/** The input of a command that reads statements: the account, and its file as the bank sent it. */
export const statementInput = {
  statements: argument('<file>', readStatements),
  bank: requiredOption('--bank <name>', 'the registered account'),
};

/**
 * Reads a file of statements. It is parsed in the command's process, so that a hostile or very large file does not
 * take the memory and time of the process that serves.
 * @throws UsageError, and Refusal for a file that is no statement
 */
function readStatements(file: string): StatementFile {
  const content = readFile(file);
  if (content.length > largestFileBytes) {
    throw new UsageError(
      `The file ${file} has more than ${largestFileBytes} bytes. Split it by day.`,
    );
  }
  try {
    return statementFile(file, parseStatements(content));
  } catch (error) {
    throw refusedFile(file, error);
  }
}

/** @param name of the file, for the audit log */
export function statementFile(name: string, parsed: ParsedStatements): StatementFile {
  return { file: name.slice(-100), ...parsed };
}

/** Returns the Refusal for a file that is no statement, or the error itself. */
export function refusedFile(name: string, error: unknown): unknown {
  if (!(error instanceof BadFile)) return error;
  return new Refusal('validation_failed', {
    message: `${name} was not imported. ${error.message}`,
  });
}

export const statementImport = defineCommand({
  name: 'statement import',
  summary: 'import statements for --bank: CSV, BAI2 or camt.053, as a whole or not at all',
  input: statementInput,
  effect: 'change',
  timeoutMs: longestReadMs,
  async run(ctx, { bank, statements: { file, ...content } }) {
    const imported = await importStatements(ctx, { bank, user: ctx.by.user, ...content });
    const { bank: _, notes: __, ...counts } = imported;
    if (imported.imported > 0) {
      const details = { file, ...counts };
      const entry = { action: 'statement.imported', subject_id: bank, details } as const;
      await ctx.record(installation, entry);
    }
    return imported;
  },
  describe({
    bank,
    imported,
    lines,
    known,
    other_accounts,
    notes,
    imported_through,
    closing_in_cents,
  }) {
    const before = known === 0 ? '' : ` ${known} were imported before and changed nothing.`;
    const others =
      other_accounts === 0 ? '' : ` ${other_accounts} are of other accounts and were left out.`;
    const noted = notes.map((it) => `${it}\n`).join('');
    return `${noted}Imported ${countOf(imported, 'statement', 'statements')} of ${bank} with ${countOf(lines, 'line', 'lines')}.${before}${others} The last one ends on ${formatDay(imported_through)} with ${formatDollars(closing_in_cents)}.\n`;
  },
});
