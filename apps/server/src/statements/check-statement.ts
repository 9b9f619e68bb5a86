import type { Statement, StatementLine } from '../domain/books/statement.ts';
import { BadEntry } from './bad-file.ts';

const longestReference = 200;
const longestDescription = 1_000;
const mostNotes = 20;

/**
 * Checks what every format promises: the lines lead from the opening to the closing balance, and lie
 * between its days. Leaves out lines without money, and shortens long texts.
 * @throws BadEntry if the statement cannot be used
 */
export function checkStatement(statement: Statement): Statement {
  const { fileLine, from, to, openingInCents, closingInCents } = statement;
  if (from > to) throw new BadEntry(fileLine, `the statement ends on ${to}, before it begins.`);
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,33}[\x21-\x7e])?$/.test(statement.account)) {
    throw new BadEntry(fileLine, 'the account must have 1 to 35 printable characters.');
  }
  const notes = [...(statement.notes ?? [])];
  const lines = statement.lines.flatMap((it) => checkLine(it, statement, notes));
  let balance = openingInCents;
  for (const { fileLine: line, amountInCents } of lines) {
    balance += amountInCents;
    if (!Number.isSafeInteger(balance)) throw new BadEntry(line, 'the balance is too large.');
  }
  if (balance !== closingInCents) {
    throw new BadEntry(
      fileLine,
      `the opening balance of ${openingInCents} cents and ${lines.length} lines give ${balance} cents, but the closing balance is ${closingInCents} cents. A line is missing, doubled or wrong: ask for the file again.`,
    );
  }
  return { ...statement, lines, ...(notes.length > 0 && { notes: firstNotes(notes) }) };
}

function checkLine(
  line: StatementLine,
  { from, to }: Statement,
  notes: string[],
): StatementLine | [] {
  const { fileLine, bookedOn, amountInCents } = line;
  if (amountInCents === 0) {
    notes.push(`Line ${fileLine}: its amount is zero. It was left out.`);
    return [];
  }
  if (bookedOn < from || bookedOn > to) {
    throw new BadEntry(
      fileLine,
      `it was booked on ${bookedOn}, outside of the statement from ${from} to ${to}.`,
    );
  }
  const shorten = (text: string, longest: number, what: string) => {
    if (text.length <= longest) return text;
    notes.push(
      `Line ${fileLine}: its ${what} has ${text.length} characters. The first ${longest} were kept.`,
    );
    return text.slice(0, longest).trimEnd();
  };
  return {
    ...line,
    reference: shorten(line.reference, longestReference, 'reference'),
    description: shorten(line.description, longestDescription, 'description'),
  };
}

function firstNotes(notes: readonly string[]): string[] {
  if (notes.length <= mostNotes) return [...notes];
  return [...notes.slice(0, mostNotes), `There are ${notes.length - mostNotes} more such lines.`];
}
