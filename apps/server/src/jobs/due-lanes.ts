import type { Database, Queryable } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log, Service, UnitOfWork } from '../context.ts';
import { expireApplications } from '../domain/applications/expire-applications.ts';
import { auditsToSeal, sealAudit } from '../domain/audit/seal.ts';
import { partnersToSeal, sealTransfers } from '../domain/ledger/seal.ts';
import { depositDue } from '../domain/payments/deposit.ts';
import type { TenantKey } from '../domain/tenant-key.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { deleteExpired } from './delete-expired.ts';
import type { Lane } from './lane.ts';
import { runTenantBatch, type TenantWork } from './run-tenant-batch.ts';
import { dueActions, eligibilityChecks, processorEvents } from './tenant-work.ts';

export interface DueDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
}

const everyMs = 60_000;
// Rows per transaction. A thousand transfers are sealed in well under a second.
const batchSize = 1_000;

/** The lanes of what becomes due as time passes, in our database alone. */
export function dueLanes(deps: DueDeps): Lane[] {
  return [
    rowsLane(deps, 'expired applications', expireApplications),
    // Two workers, so that one computes while the other waits for the database.
    tenantsLane(deps, 'due installments', dueActions, 2),
    tenantsLane(deps, 'processor events', processorEvents, 1),
    // One worker turns 3,000 tenants a second. With two, the 99th percentile of a request doubles
    // meanwhile (`npm run bench -- burst`).
    tenantsLane(deps, 'eligibility', eligibilityChecks, 1),
    rowsLane(deps, 'deposits', depositDue),
    sealsLane(deps, 'ledger seals', { find: partnersToSeal, seal: sealTransfers }),
    sealsLane(deps, 'audit seals', { find: auditsToSeal, seal: sealAudit }),
    {
      name: 'expired rows',
      everyMs,
      batch: () => deleteExpired(deps.db, deps.clock.now(), batchSize),
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
    batch: (stopping) => runTenantBatch({ db, log, service, now: clock.now() }, work, stopping),
  };
}

interface Seals {
  /** The partners with something to seal. */
  find(q: Queryable): Promise<string[]>;
  seal(uow: UnitOfWork, batch: { partnerId: string; limit: number }): Promise<number>;
}

/** A lane whose batch seals what waits in the chain of each partner, in one transaction for each. */
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
