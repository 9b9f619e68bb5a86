import { type Database, isOutage, type Queryable } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Service, UnitOfWork } from '../context.ts';
import { revokeExpiredKeys } from '../domain/access/partner-keys.ts';
import { expireApplications } from '../domain/applications/expire-applications.ts';
import { auditsToSeal, sealAudit } from '../domain/audit/seal.ts';
import { applyEvents } from '../domain/disputes/apply-events.ts';
import { partnersToSeal, sealTransfers } from '../domain/ledger/seal.ts';
import { areCallsDue, claimCalls } from '../domain/payments/calls.ts';
import { depositDue } from '../domain/payments/deposit.ts';
import { areEventsDue, postponeEvent, receiveEvents } from '../domain/payments/receive-events.ts';
import type { Simulator } from '../domain/payments/simulator.ts';
import { sendCalls } from '../domain/plans/send-calls.ts';
import type { TenantKey } from '../domain/tenant-key.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { deleteExpired } from './delete-expired.ts';
import { retentionLane } from './delete-retained.ts';
import type { Lane } from './lane.ts';
import { payoutRailLane, payoutsLane } from './pay-out.ts';
import { runTenantBatch, stepsAt, type TenantWork } from './run-tenant-batch.ts';
import { dueActions, eligibilityChecks, processorEvents, undecidedReviews } from './tenant-work.ts';

export interface DueDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
  /** The lanes of the processor itself. */
  readonly ofProcessor?: readonly Lane[];
}

const everyMs = 60_000;
// A tenant may be waiting for the outcome.
const soonMs = 2_000;
const fewRows = 50;
// Rows per transaction. A thousand transfers are sealed in well under a second.
const batchSize = 1_000;

/** Returns the lanes for work that becomes due as time passes. */
export function dueLanes(deps: DueDeps): Lane[] {
  return [
    rowsLane(deps, 'expired applications', expireApplications),
    tenantsLane(deps, 'undecided reviews', undecidedReviews, 1),
    // Two workers, so that one computes while the other waits for the database.
    tenantsLane(deps, 'due installments', dueActions, 2),
    { name: 'open payments', everyMs: soonMs, batch: () => resolveCalls(deps) },
    ...(deps.service.simulator ? [simulatorLane(deps, deps.service.simulator)] : []),
    ...(deps.ofProcessor ?? []),
    eventsLane(deps),
    tenantsLane(deps, 'processor events', processorEvents, 1),
    // One worker turns 3,000 tenants a second. With two, the 99th percentile of a request doubles
    // while they run (`npm run bench -- burst`).
    tenantsLane(deps, 'eligibility', eligibilityChecks, 1),
    rowsLane(deps, 'deposits', depositDue),
    payoutsLane(deps),
    ...(deps.service.payoutRail ? [payoutRailLane(deps, deps.service.payoutRail)] : []),
    sealsLane(deps, 'ledger seals', { find: partnersToSeal, seal: sealTransfers }),
    sealsLane(deps, 'audit seals', { find: auditsToSeal, seal: sealAudit }),
    rowsLane(deps, 'expired keys', revokeExpiredKeys),
    retentionLane(deps),
    {
      name: 'expired rows',
      everyMs,
      batch: () => deleteExpired({ ...deps, now: deps.clock.now() }, batchSize),
    },
  ];
}

/** A lane that runs `work` in one transaction after the other, until it finds no rows. */
function rowsLane(
  { db, clock, service }: DueDeps,
  name: string,
  work: (uow: UnitOfWork, options: { limit: number }) => Promise<number>,
): Lane {
  const batch = () =>
    runUnitOfWork({ db, service }, clock.now(), (uow) => work(uow, { limit: batchSize }));
  return { name, everyMs, batch };
}

function tenantsLane<T extends TenantKey>(
  { db, clock, log, service }: DueDeps,
  name: string,
  work: TenantWork<T>,
  workers: number,
): Lane {
  return {
    name,
    everyMs,
    workers,
    batch: (stopping) =>
      runTenantBatch({ db, clock, log, service, now: clock.now() }, work, stopping),
  };
}

/**
 * Makes the calls that were not made yet, such as refunds, and asks for outcomes that have been unknown
 * for too long: the process that made the call died, or the answer was lost.
 */
async function resolveCalls(deps: DueDeps): Promise<number> {
  const { db, clock, service } = deps;
  if (!service.processor) return 0;
  const now = clock.now();
  // Usually nothing is due, and then one statement says so instead of a transaction of five.
  if (!(await areCallsDue(db, service.processor.name, now))) return 0;
  const calls = await runUnitOfWork({ db, service }, now, (uow) =>
    claimCalls(uow, { limit: fewRows }),
  );
  await sendCalls(stepsAt(deps, now), calls);
  return calls.length;
}

/** Lets the simulator send the webhooks that are due in their tenants' time. */
function simulatorLane(deps: DueDeps, simulator: Simulator): Lane {
  const { db, clock, service } = deps;
  const batch = () => {
    const now = clock.now();
    return runUnitOfWork({ db, service }, now, async (uow) => {
      const webhooks = await simulator.takeWebhooks(uow.tx, { now, limit: fewRows });
      const events = webhooks.flatMap((it) => simulator.parseWebhook(it.raw, it.headers, now));
      await receiveEvents(uow, simulator.name, events);
      return webhooks.length;
    });
  };
  return { name: 'simulator', everyMs, batch };
}

/** Applies received events. If a batch fails, each event is applied alone, and a failing one waits. */
function eventsLane({ db, clock, log, service }: DueDeps): Lane {
  const apply = (limit: number) =>
    runUnitOfWork({ db, service }, clock.now(), (uow) => applyEvents(uow, { limit }));
  async function batch(): Promise<number> {
    if (!(await areEventsDue(db, clock.now()))) return 0;
    try {
      return await apply(fewRows);
    } catch (error) {
      if (isOutage(error)) throw error;
      return applyEach(error);
    }
  }
  async function applyEach(first: unknown): Promise<number> {
    let done = 0;
    log.error({ err: first }, 'a batch of processor events failed');
    for (; done < fewRows; done += 1) {
      try {
        if ((await apply(1)) === 0) break;
      } catch (error) {
        const now = clock.now();
        const event = await runUnitOfWork({ db, service }, now, postponeEvent);
        log.error({ err: error, event_id: event }, 'a processor event failed');
      }
    }
    return done;
  }
  return { name: 'received events', everyMs: soonMs, batch };
}

interface Seals {
  /** The partners with something to seal. */
  find(q: Queryable): Promise<string[]>;
  seal(uow: UnitOfWork, batch: { partnerId: string; limit: number }): Promise<number>;
}

/** A lane whose batch seals the pending entries of each partner's chain, in one transaction for each partner. */
function sealsLane({ db, clock, service }: DueDeps, name: string, { find, seal }: Seals): Lane {
  return {
    name,
    everyMs,
    async batch(stopping) {
      let sealed = 0;
      for (const partnerId of await find(db)) {
        if (stopping.aborted) break;
        sealed += await runUnitOfWork({ db, service }, clock.now(), (uow) =>
          seal(uow, { partnerId, limit: batchSize }),
        );
      }
      return sealed;
    },
  };
}
