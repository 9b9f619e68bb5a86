import { type Database, isOutage } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Service } from '../context.ts';
import { type ClaimedPayout, claimPayouts, recordRailOutcome } from '../domain/payouts/ask-rail.ts';
import {
  claimPortal,
  createDuePayout,
  type DuePortal,
  postponePayout,
} from '../domain/payouts/due-payouts.ts';
import { type PayoutRail, type RailOutcome, railTimeoutMs } from '../domain/payouts/rail.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { Lane } from './lane.ts';

const everyMs = 60_000;
const fewRows = 20;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
}

/** Creates the payouts of portals whose cut-off is over, one portal in each transaction. */
export function payoutsLane(deps: Deps): Lane {
  const { db, clock, log, service } = deps;
  async function batch(): Promise<number> {
    let portal: DuePortal | undefined;
    try {
      await runUnitOfWork({ db, service }, clock.now(), async (uow) => {
        portal = await claimPortal(uow);
        if (portal) await createDuePayout(uow, portal);
      });
      return portal ? 1 : 0;
    } catch (error) {
      if (!portal || isOutage(error)) throw error;
      const failed = portal;
      await runUnitOfWork({ db, service }, clock.now(), (uow) => postponePayout(uow, failed));
      log.error({ err: error, pms: failed.pms }, 'a payout could not be created');
      return 1;
    }
  }
  return { name: 'payouts', everyMs, batch };
}

/** Sends payouts, and asks for the outcomes of those that were sent. */
export function payoutRailLane(deps: Deps, rail: PayoutRail): Lane {
  const { db, clock, service } = deps;
  async function batch(): Promise<number> {
    const claimed = await runUnitOfWork({ db, service }, clock.now(), (uow) =>
      claimPayouts(uow, { limit: fewRows }),
    );
    for (const payout of claimed) await askAndRecord(deps, rail, payout);
    return claimed.length;
  }
  return { name: 'payout rail', everyMs, batch };
}

/** Calls the rail outside of any transaction. Without an answer, the lease ends and the next claim asks. */
async function askAndRecord(deps: Deps, rail: PayoutRail, payout: ClaimedPayout): Promise<void> {
  const { db, clock, log, service } = deps;
  const { partnerId, id } = payout;
  const logFields = { payout_id: id, rail: rail.name };
  let outcome: RailOutcome | null;
  try {
    outcome = await withTimeout(deps, askRail(rail, payout));
  } catch (error) {
    const failure = error instanceof Error ? error.message : 'the call failed';
    log.warn({ ...logFields, failure }, 'the outcome of a payout is unknown');
    return;
  }
  const isConsistent = await runUnitOfWork({ db, service }, clock.now(), (uow) =>
    recordRailOutcome(uow, { partnerId, id }, outcome),
  );
  if (!isConsistent)
    log.error({ ...logFields, outcome }, 'the rail contradicts what is stored of a payout');
}

function askRail(rail: PayoutRail, payout: ClaimedPayout): Promise<RailOutcome | null> {
  const { id: key, todo, amountInCents, destination } = payout;
  return todo === 'find' ? rail.find(key) : rail.send({ key, amountInCents, destination });
}

async function withTimeout<T>({ clock }: Deps, answer: Promise<T>): Promise<T> {
  let cancel = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    cancel = clock.after(railTimeoutMs, () => reject(new Error('no answer in time')));
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    cancel();
  }
}
