import type { Statement } from '../domain/books/statement.ts';
import { BadFile } from './bad-file.ts';

const longestReference = 200;
const longestDescription = 1_000;

/**
 * Checks what every format promises: the lines lead from the opening to the closing balance, and lie
 * between its days.
 */
export function checkStatement(statement: Statement): Statement {
  const { fileLine, from, to, openingInCents, closingInCents, lines } = statement;
  if (from > to) throw new BadFile(fileLine, `the statement ends on ${to}, before it begins.`);
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,33}[\x21-\x7e])?$/.test(statement.account)) {
    throw new BadFile(fileLine, 'the account must have 1 to 35 printable characters.');
  }
  let balance = openingInCents;
  for (const { fileLine: line, bookedOn, amountInCents, reference, description } of lines) {
    if (bookedOn < from || bookedOn > to) {
      throw new BadFile(
        line,
        `it was booked on ${bookedOn}, outside of the statement from ${from} to ${to}.`,
      );
    }
    if (amountInCents === 0) throw new BadFile(line, 'its amount is zero.');
    if (reference.length > longestReference) {
      throw new BadFile(line, `its reference has more than ${longestReference} characters.`);
    }
    if (description.length > longestDescription) {
      throw new BadFile(line, `its description has more than ${longestDescription} characters.`);
    }
    balance += amountInCents;
    if (!Number.isSafeInteger(balance)) throw new BadFile(line, 'the balance is too large.');
  }
  if (balance !== closingInCents) {
    throw new BadFile(
      fileLine,
      `the opening balance of ${openingInCents} cents and ${lines.length} lines give ${balance} cents, but the closing balance is ${closingInCents} cents. A line is missing, doubled or wrong: ask for the file again.`,
    );
  }
  return statement;
}
