import { findBankAccount, listBankAccounts } from '../../domain/books/bank-accounts.ts';
import { Refusal } from '../../domain/refusal.ts';
import { addDays } from '../../domain/tenants/calendar.ts';
import { simulatedStatement } from '../../processors/simulator/simulated-statement.ts';
import { statementFormats } from '../../statements/parse-statements.ts';
import { writeStatements } from '../../statements/write-statements.ts';
import { argument, defineCommand, longestReadMs, option, requiredOption } from '../command.ts';
import { readDay, readOneOf } from '../read-values.ts';

export const statementSimulate = defineCommand({
  name: 'statement simulate',
  summary: 'sandbox: write the next statement of an account, until --day',
  input: {
    bank: argument('<bank>'),
    day: requiredOption('--day <day>', 'the last day of the statement', readDay('--day')),
    format: option(
      '--format <format>',
      `${statementFormats.join(', ')}; the first one by default`,
      readOneOf('--format', statementFormats),
    ),
  },
  effect: 'report',
  writesFile: true,
  timeoutMs: longestReadMs,
  /** Writes the next statement of an account, as the sandbox's bank or processor would send it. */
  async run({ tx, service }, { bank, day, format = 'csv' }) {
    if (!service.simulator) {
      throw new Refusal('validation_failed', {
        message: 'Statements are simulated in the sandbox only. Ask your bank for its file.',
      });
    }
    const account = await findBankAccount(tx, bank);
    const known = (await listBankAccounts(tx)).find((it) => it.id === account.id);
    const through = known?.imported_through ?? null;
    const from = through === null ? account.starts_on : addDays(through, 1);
    if (day < from) {
      throw new Refusal('validation_failed', {
        message: `The next statement of ${bank} begins on ${from}. Pass that day or a later one.`,
      });
    }
    // A BAI2 group is one day.
    const days = format === 'bai2' ? daysFrom(from, day) : [[from, day] as const];
    const statements = [];
    let openingInCents = known?.closing_in_cents ?? 0;
    for (const [first, last] of days) {
      const next = await simulatedStatement(tx, { account, from: first, to: last, openingInCents });
      statements.push(next);
      openingInCents = next.closingInCents;
    }
    return { text: writeStatements({ format, statements }) };
  },
  describe: ({ text }) => text,
});

function daysFrom(from: string, to: string): (readonly [string, string])[] {
  return from > to ? [] : [[from, from], ...daysFrom(addDays(from, 1), to)];
}
