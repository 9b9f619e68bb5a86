import type { Ctx } from '../../src/context.ts';
import { addBankAccount, type NewBankAccount } from '../../src/domain/books/bank-accounts.ts';
import { importStatements } from '../../src/domain/books/import-statements.ts';
import type {
  Statement,
  StatementLine,
  UnusableStatement,
} from '../../src/domain/books/statement.ts';
import { type Entry, post, type TransferKind } from '../../src/domain/ledger/post.ts';
import type { Stage } from './open-stage.ts';

type Draft = readonly [reference: string, cents: number, more?: Partial<StatementLine>];

/** Posts entries and writes statements for the tests of the books. */
export function booksStage(stage: Stage) {
  const system = { kind: 'system' } as const;
  const run = <T>(verb: (ctx: Ctx) => Promise<T>) => stage.run(system, verb);
  const balances = new Map<string, number>();

  async function addBank(name: string, more: Partial<NewBankAccount> = {}) {
    const account = {
      name,
      currency: 'USD',
      account_last4: '6789',
      ledger_account: 'cash' as const,
      starts_on: '2026-03-02',
      ...more,
    };
    return run((ctx) => addBankAccount(ctx, account));
  }

  /** Posts an entry of cash or of the processor, whose reference is `sourceId`. */
  async function postEntry(
    partnerId: string,
    [sourceId, cents]: readonly [string, number],
    { day = '2026-03-02', kind = 'refund' as TransferKind, account = 'cash' as Entry['kind'] } = {},
  ) {
    const occurredAt = new Date(`${day}T17:00:00Z`);
    const entries: Entry[] = [
      { kind: account, amountInCents: cents },
      { kind: 'fee_income', amountInCents: -cents },
    ];
    const [posted] = await run((ctx) =>
      post(ctx, [{ partnerId, tenantId: null, kind, sourceId, occurredAt, entries }]),
    );
    return posted?.id ?? '';
  }

  /** Returns a day's statement, which opens with the closing balance of the bank's previous one. */
  function statementOf(
    bank: string,
    day: string,
    drafts: readonly Draft[],
    more: Partial<Statement> = {},
  ): Statement {
    const openingInCents = balances.get(bank) ?? 0;
    const lines = drafts.map(
      ([reference, amountInCents, line]): StatementLine => ({
        fileLine: 0,
        kind: 'entry',
        bookedOn: day,
        amountInCents,
        reference,
        description: '',
        ...line,
      }),
    );
    const closingInCents = lines.reduce((sum, it) => sum + it.amountInCents, openingInCents);
    balances.set(bank, closingInCents);
    return {
      fileLine: 2,
      account: '123456789',
      currency: 'USD',
      from: day,
      to: day,
      openingInCents,
      closingInCents,
      lines,
      ...more,
    };
  }

  function loadFile(
    bank: string,
    file: {
      readonly statements: readonly Statement[];
      readonly unusable: readonly UnusableStatement[];
    },
  ) {
    return run((ctx) => importStatements(ctx, { bank, format: 'csv', user: 'anna', ...file }));
  }

  const load = (bank: string, ...statements: readonly Statement[]) =>
    loadFile(bank, { statements, unusable: [] });

  return { run, addBank, postEntry, statementOf, load, loadFile };
}
