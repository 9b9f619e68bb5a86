import type { Database, TransactionOptions, Tx } from '@svc/db';
import { sqlState } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Vault } from '../vault.ts';
import {
  type Claim,
  claimKey,
  findStored,
  inProgress,
  isStored,
  releaseKey,
  type Stored,
  storeAnswer,
} from './idempotency.ts';

export interface Commands {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  /** Called when a transaction opens and after it commits, so that its messages are sent at once. */
  opened(tx: Tx): void;
  committed(tx: Tx): void;
}

/** The work of one request. */
export interface Work {
  readonly claim: Claim | undefined;
  readonly now: Date;
  /** Runs before the transaction, but not when a stored answer is returned. */
  readonly before: (() => Promise<void>) | undefined;
  /** Returns the status and body to send. */
  run(tx: Tx): Promise<Stored>;
  /** The answer to a refusal, so that it can be stored; undefined for any other error. */
  refused(error: unknown): Stored | undefined;
}

export interface Answer extends Stored {
  readonly replayed: boolean;
}

// The database gives up on a lock after 2 s, and the contract lets a duplicate wait for 5 s.
const maxAttempts = 2;
const lockTimeout = '55P03';

/**
 * Runs the work in one writing transaction, together with the claim of its Idempotency-Key and the
 * stored answer. A duplicate that arrives meanwhile waits for the first one's row lock, and then
 * gets its answer.
 */
export async function runCommand(commands: Commands, work: Work): Promise<Answer> {
  const { db } = commands;
  if (work.before) {
    const stored = work.claim && (await findStored(db, commands.vault, work.claim, work.now));
    if (stored) return { ...stored, replayed: true };
    await work.before();
  }
  if (!work.claim) return { ...(await inTransaction(commands, work.run)), replayed: false };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await claimAndRun(commands, work, work.claim);
    } catch (error) {
      if (!(error instanceof ClaimBusy)) throw error;
      if (attempt === maxAttempts) throw inProgress();
    }
  }
}

/**
 * Claims the Idempotency-Key and commits, then runs the work outside of any transaction, because it
 * does HTTP. A duplicate that arrives meanwhile is refused as in progress. When the work fails, the
 * key is released, so that the caller can retry.
 */
export async function runAction(
  { db, vault }: Commands,
  work: Omit<Work, 'run'> & { run(): Promise<Stored> },
): Promise<Answer> {
  const { claim } = work;
  const stored = claim && (await claimKey(db, vault, claim, work.now));
  if (stored) return { ...stored, replayed: true };
  try {
    await work.before?.();
    const answer = await work.run();
    if (claim) await storeAnswer(db, vault, claim, answer);
    return { ...answer, replayed: false };
  } catch (error) {
    if (claim) await releaseKey(db, claim);
    throw error;
  }
}

/** Runs one writing transaction and sends its messages after the commit. */
export async function inTransaction<T>(
  { db, opened, committed }: Pick<Commands, 'db' | 'opened' | 'committed'>,
  run: (tx: Tx) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  // A transaction that lost a conflict is run again; only the last run committed.
  let last: Tx | undefined;
  const result = await db.transaction((tx) => {
    last = tx;
    opened(tx);
    return run(tx);
  }, options);
  if (last) committed(last);
  return result;
}

async function claimAndRun(commands: Commands, work: Work, claim: Claim): Promise<Answer> {
  const { vault } = commands;
  try {
    return await inTransaction(commands, async (tx) => {
      const stored = await claimKey(tx, vault, claim, work.now).catch(busyOrError);
      if (stored) return { ...stored, replayed: true };
      const answer = await work.run(tx);
      await storeAnswer(tx, vault, claim, answer);
      return { ...answer, replayed: false };
    });
  } catch (error) {
    const refused = work.refused(error);
    if (refused && isStored(refused.status)) await storeRefusal(commands, work, claim, refused);
    throw error;
  }
}

/**
 * The refused transaction was rolled back, and the claim with it, so the key is claimed again. If a
 * duplicate has claimed it in between, its answer stays.
 */
async function storeRefusal(
  { db, vault }: Commands,
  { now }: Work,
  claim: Claim,
  refused: Stored,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await claimKey(tx, vault, claim, now);
    if (!stored) await storeAnswer(tx, vault, claim, refused);
  });
}

class ClaimBusy extends Error {}

function busyOrError(error: unknown): never {
  throw sqlState(error) === lockTimeout ? new ClaimBusy() : error;
}
