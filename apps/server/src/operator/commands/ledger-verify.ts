import { DatabaseUnreachable, isOutage } from '@svc/db';
import { listBankAccounts } from '../../domain/books/bank-accounts.ts';
import { booksDay } from '../../domain/books/books-day.ts';
import { type BooksReport, verifyBooks } from '../../domain/books/verify-books.ts';
import { saveCheckpoints } from '../../domain/ledger/checkpoint.ts';
import {
  type LedgerReport,
  type VerifyProgress,
  verifyFromCheckpoints,
} from '../../domain/ledger/verify.ts';
import type { Commands } from '../../http/command.ts';
import { runUnitOfWork } from '../../unit-of-work.ts';
import { defineCommand, flag, longestReadMs } from '../command.ts';
import { dollars } from '../format.ts';
import { recordCheck } from '../record-check.ts';
import { table } from '../table.ts';
import { describeBooksReport } from './books-verify.ts';

/** The result of `svc-admin ledger verify`. */
export interface VerifiedLedger extends LedgerReport {
  /**
   * The comparison of ledger, processor and bank, if bank accounts are registered. Its faults are in `faults`, too.
   */
  readonly books?: BooksReport;
  /**
   * The reason why the next run cannot start from a checkpoint of this one. Only set if the report was read from a
   * replica.
   */
  readonly note?: string;
}

export const ledgerVerify = defineCommand({
  name: 'ledger verify',
  summary: 'check balances and seals of the ledger, from the last checkpoint on',
  input: { full: flag('--full', 'check every transfer, also those before the last checkpoint') },
  effect: 'report',
  scope: 'steps',
  /** Verifies in a transaction that only reads, then stores the checkpoints for the next run. */
  async run(ctx, { full = false }): Promise<VerifiedLedger> {
    const { commands, now, openPrimary, progress = () => {} } = ctx;
    const { db, vault } = commands;
    const options = {
      vault,
      full,
      now,
      progress: ({ step, transfers }: VerifyProgress) =>
        progress(`Checking ${step}, ${transfers} transfers so far`),
    };
    const { report, checkpoints } = await runUnitOfWork(
      commands,
      now,
      ({ tx }) => verifyFromCheckpoints(tx, options),
      { timeoutMs: longestReadMs, onlyReads: true },
    );
    const verified = await withBooks(commands, report, now);
    await recordCheck(ctx, 'ledger', { now, faults: verified.faults.length });
    if (checkpoints.length === 0) return verified;
    if (!openPrimary) {
      await saveCheckpoints(db, vault, checkpoints);
      return verified;
    }
    try {
      const primary = await openPrimary();
      await saveCheckpoints(primary.db, vault, checkpoints).finally(() => primary.close());
      return verified;
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable || isOutage(error))) throw error;
      const note =
        'No checkpoint was written, because the primary cannot be used. The next run reads the same transfers again.';
      return { ...verified, note };
    }
  },
  hasFailed: ({ faults }) => faults.length > 0,
  describe(ledger) {
    const { transfers, seals, seals_before_partners: olderSeals, unsealed, faults } = ledger;
    const { checked_transfers: checked, note, books } = ledger;
    const partners = table(
      'partners',
      ['partner', 'transfers', 'seals', 'not sealed yet', 'faults'],
      ledger.partners.map((it) =>
        [it.pms, it.transfers, it.seals, it.unsealed, it.faults.length].map(String),
      ),
    );
    const accounts = Object.entries(ledger.trial_balance).map(
      ([kind, total]) => `  ${kind.padEnd(20)} ${dollars(total).padStart(16)}\n`,
    );
    const verdict =
      faults.length === 0
        ? `${checked < transfers ? sinceCheckpoint(checked) : 'The ledger balances and every seal is valid.'}\n`
        : faults.map((fault) => `FAULT: ${fault}\n`).join('');
    const sides = books === undefined ? '' : `\n${describeBooksReport({ ...books, faults: [] })}\n`;
    const older =
      olderSeals === 0 ? '' : `, of them ${olderSeals} from before each partner had its own seals`;
    return `${partners}\nTransfers: ${transfers}, seals: ${seals}${older}, not sealed yet: ${unsealed}.\n${accounts.join('')}${sides}${verdict}${note === undefined ? '' : `${note}\n`}`;
  },
});

function sinceCheckpoint(checked: number): string {
  return `The ledger balances and every new seal is valid. Checked ${checked} transfers that are newer than the last run; --full checks all.`;
}

/** Adds the comparison of the ledger with the statements of processor and bank, if bank accounts are registered. */
async function withBooks(
  commands: Commands,
  report: LedgerReport,
  now: Date,
): Promise<VerifiedLedger> {
  const { db, vault } = commands;
  if ((await listBankAccounts(db)).length === 0) return report;
  const books = await runUnitOfWork(
    commands,
    now,
    ({ tx, service }) =>
      verifyBooks(tx, {
        vault,
        today: booksDay(now),
        isSandbox: service.simulator !== null,
      }),
    { timeoutMs: longestReadMs, onlyReads: true },
  );
  return { ...report, books, faults: [...report.faults, ...books.faults] };
}
