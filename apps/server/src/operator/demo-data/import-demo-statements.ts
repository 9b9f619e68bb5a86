import { addBankAccount, listBankAccounts } from '../../domain/books/bank-accounts.ts';
import { reconcile } from '../../domain/books/close-day.ts';
import { importStatements } from '../../domain/books/import-statements.ts';
import type { Statement, StatementLine } from '../../domain/books/statement.ts';
import { addDays } from '../../domain/tenants/calendar.ts';
import { simulatedStatement } from '../../processors/simulator/simulated-statement.ts';
import type { DemoStage } from './demo-stage.ts';

const statementDays = 14;

/**
 * Imports statements of the bank and the processor that differ from the ledger in a few lines, so that the books
 * have exceptions. Does nothing in a sandbox that already has bank accounts.
 */
export async function importDemoStatements(stage: DemoStage, day: string): Promise<void> {
  await stage.once('statements', async (ctx) => {
    if ((await listBankAccounts(ctx.tx)).length > 0) return;
    const starts_on = addDays(day, -statementDays);
    for (const [name, account_last4, ledger_account] of [
      ['demo-operating', '4417', 'cash'],
      ['demo-processor', 'sim1', 'processor_clearing'],
    ] as const) {
      const account = await addBankAccount(ctx, {
        name,
        currency: 'USD',
        account_last4,
        ledger_account,
        starts_on,
      });
      const days = { from: starts_on, to: addDays(day, -1), openingInCents: 0 };
      const statement = await simulatedStatement(ctx.tx, { account, ...days });
      await importStatements(ctx, {
        bank: name,
        format: 'csv',
        statements: [withDifferences(statement)],
        unusable: [],
        user: ctx.by.user,
      });
    }
    await reconcile(ctx);
  });
}

/** Drops a line, changes the amount of another one, and adds two that the ledger does not know. */
function withDifferences(statement: Statement): Statement {
  const [missing, changed, ...others] = statement.lines;
  const line = (dayOffset: number, amountInCents: number, description: string): StatementLine => ({
    fileLine: 0,
    kind: statement.lines[0]?.kind ?? 'entry',
    bookedOn: addDays(statement.from, dayOffset),
    reference: '',
    amountInCents,
    description,
  });
  const lines = [
    ...(changed
      ? [{ ...changed, amountInCents: changed.amountInCents - 25_00 }]
      : missing
        ? [missing]
        : []),
    ...others,
    line(5, -37_50, 'Monthly account fee'),
    line(9, 1_204_00, 'Credit without a reference'),
  ].sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : 1));
  const closingInCents = lines.reduce(
    (sum, it) => sum + it.amountInCents,
    statement.openingInCents,
  );
  return { ...statement, lines, closingInCents };
}
