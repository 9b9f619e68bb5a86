import type { Database, Tx } from '@svc/db';
import { sqlState } from '@svc/db';
import type { Clock, Vault } from '@svc/runtime';
import type { Service, UnitOfWork } from '../context.ts';
import { Refusal } from '../domain/refusal.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import {
  type Claim,
  claimKey,
  findStored,
  isStored,
  keyInProgress,
  releaseKey,
  type Stored,
  stepsAbandonedMs,
  storeAnswer,
} from './idempotency.ts';

export interface Commands {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly service: Service;
}

/** The work of one request. */
export interface Work {
  readonly claim: Claim | undefined;
  readonly now: Date;
  /** Runs before the transaction, but not when a stored answer is returned. */
  readonly before: (() => Promise<void>) | undefined;
  /** Returns the status and body to send. */
  run(uow: UnitOfWork): Promise<Stored>;
  /** Returns the response to a refusal, so that it can be stored. Undefined for any other error. */
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
 * stored answer. A duplicate that arrives before it ends waits for the first one's row lock, and then
 * gets its answer.
 */
export async function runCommand(commands: Commands, work: Work): Promise<Answer> {
  const { db } = commands;
  if (work.before) {
    const stored = work.claim && (await findStored(db, commands.vault, work.claim, work.now));
    if (stored) return { ...stored, replayed: true };
    await work.before();
  }
  if (!work.claim) {
    const answer = await runUnitOfWork(commands, work.now, work.run);
    return { ...answer, replayed: false };
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await claimAndRun(commands, work, work.claim);
    } catch (error) {
      if (!(error instanceof ClaimBusy)) throw error;
      if (attempt === maxAttempts) throw keyInProgress();
    }
  }
}

/**
 * Claims the Idempotency-Key and commits, then runs the work outside of any transaction, because it
 * does HTTP. A duplicate that arrives before it ends is refused as in progress. When the work fails, the
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
    if (claim) await db.run(storeAnswer(vault, claim, answer));
    return { ...answer, replayed: false };
  } catch (error) {
    if (claim) await releaseKey(db, claim);
    throw error;
  }
}

const pollMs = 20;
// The contract lets a duplicate wait for 5 s.
const mostPolls = 200;

/**
 * Claims the Idempotency-Key and commits, then runs work that opens several transactions. A duplicate
 * that arrives before it ends waits for the answer of the first one. Refusals are stored like answers. If
 * the process dies, the claim counts as abandoned after 20 s, and a repeated call continues:
 * what each step did is committed, and none of them has an effect twice.
 */
export async function runSteps(
  commands: Commands,
  work: Omit<Work, 'run'> & { run(): Promise<Stored> },
): Promise<Answer> {
  const { db, vault } = commands;
  const { claim } = work;
  if (!claim) {
    await work.before?.();
    return { ...(await work.run()), replayed: false };
  }
  const stored = await claimOrWait(commands, claim);
  if (stored) return { ...stored, replayed: true };
  try {
    await work.before?.();
    const answer = await work.run();
    await db.run(storeAnswer(vault, claim, answer));
    return { ...answer, replayed: false };
  } catch (error) {
    const refused = work.refused(error);
    if (refused && isStored(refused.status)) await db.run(storeAnswer(vault, claim, refused));
    else await releaseKey(db, claim);
    throw error;
  }
}

async function claimOrWait(
  { db, vault, clock }: Commands,
  claim: Claim,
): Promise<Stored | undefined> {
  for (let polls = 0; ; polls += 1) {
    try {
      return await claimKey(db, vault, claim, clock.now(), stepsAbandonedMs);
    } catch (error) {
      const isBusy = error instanceof Refusal && error.code === 'idempotency_key_in_progress';
      if (!isBusy || polls === mostPolls) throw error;
      await new Promise<void>((resolve) => clock.after(pollMs, resolve));
    }
  }
}

async function claimAndRun(commands: Commands, work: Work, claim: Claim): Promise<Answer> {
  const { vault } = commands;
  try {
    return await runUnitOfWork(commands, work.now, async (uow) => {
      const { tx } = uow;
      const stored = await claimKey(tx, vault, claim, work.now).catch(busyOrError);
      if (stored) return { ...stored, replayed: true };
      const answer = await work.run(uow);
      tx.send(storeAnswer(vault, claim, answer));
      return { ...answer, replayed: false };
    });
  } catch (error) {
    const refused = work.refused(error);
    if (refused && isStored(refused.status)) await storeRefusal(commands, work, claim, refused);
    throw error;
  }
}

/**
 * Stores a refusal for repeated calls. The refused transaction was rolled back, and the claim with it, so the
 * key is claimed again. If a duplicate has claimed it in between, the duplicate's answer stays.
 */
async function storeRefusal(
  { db, vault }: Commands,
  { now }: Work,
  claim: Claim,
  refused: Stored,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await claimKey(tx, vault, claim, now);
    if (!stored) tx.send(storeAnswer(vault, claim, refused));
  });
}

class ClaimBusy extends Error {}

function busyOrError(error: unknown): never {
  throw sqlState(error) === lockTimeout ? new ClaimBusy() : error;
}

/** Runs a query whose statements may take longer than those of other routes. */
export function runLongQuery<T>(
  db: Database,
  timeoutMs: number,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(run, { timeoutMs });
}
