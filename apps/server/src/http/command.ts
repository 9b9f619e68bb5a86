import type { Database } from '@svc/db';
import { sqlState } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Service, UnitOfWork } from '../context.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
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
  readonly service: Service;
}

/** What one request does. */
export interface Work {
  readonly claim: Claim | undefined;
  readonly now: Date;
  /** Before the transaction; not for a replay. */
  readonly before: (() => Promise<void>) | undefined;
  /** Answers the status and the body to send. */
  run(uow: UnitOfWork): Promise<Stored>;
  /** What a refusal answers with, so that it can be stored; undefined for one that is not ours. */
  refused(error: unknown): Stored | undefined;
}

export interface Answer extends Stored {
  readonly replayed: boolean;
}

// The database gives up on a lock after 2 s; the contract lets a duplicate wait for 5 s.
const longestAttempts = 2;
const lockTimeout = '55P03';

/** Runs in one writing transaction, together with the claim of its key and what it answers. */
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
      if (attempt === longestAttempts) throw inProgress();
    }
  }
}

/** Claims and commits first, then runs outside any transaction, because it does HTTP. */
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

async function claimAndRun(commands: Commands, work: Work, claim: Claim): Promise<Answer> {
  const { vault } = commands;
  try {
    return await runUnitOfWork(commands, work.now, async (uow) => {
      const { tx } = uow;
      const stored = await claimKey(tx, vault, claim, work.now).catch(busyOrError);
      if (stored) return { ...stored, replayed: true };
      const answer = await work.run(uow);
      await storeAnswer(tx, vault, claim, answer);
      return { ...answer, replayed: false };
    });
  } catch (error) {
    const refused = work.refused(error);
    if (refused && isStored(refused.status)) await storeRefusal(commands, work, claim, refused);
    throw error;
  }
}

/** The refused transaction is rolled back, and its claim with it: claim again, if nobody has. */
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
