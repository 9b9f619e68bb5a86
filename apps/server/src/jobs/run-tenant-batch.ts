import { type Database, isOutage } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import { isHanging } from '../cluster.ts';
import type { Service, Steps, UnitOfWork } from '../context.ts';
import type { CallToMake } from '../domain/payments/calls.ts';
import { sendCalls } from '../domain/plans/send-calls.ts';
import type { TenantKey } from '../domain/tenant-key.ts';
import { runUnitOfWork } from '../unit-of-work.ts';

interface Deps {
  readonly db: Database;
  readonly log: Log;
  readonly service: Service;
  readonly clock: Clock;
  readonly now: Date;
}

/** The parts of a unit of work that a claim needs. */
type Claiming = Pick<UnitOfWork, 'tx' | 'now'>;

/** A kind of work that becomes due for tenants as time passes. */
export interface TenantWork<T extends TenantKey> {
  readonly name: string;
  /** Locks up to `limit` tenants with work due, longest waiting first; skips locked ones. */
  claim(uow: Claiming, limit: number): Promise<T[]>;
  /** Returns the calls to the processor to make after the commit. */
  run(uow: UnitOfWork, tenants: readonly T[]): Promise<readonly CallToMake[]>;
  /** Called for a tenant whose work failed: not due again before `until`. */
  postpone(db: Database, tenant: TenantKey, until: Date): Promise<unknown>;
}

// With more, a statement gets no cheaper for each tenant, and a tenant's request waits longer for the
// row lock.
const batchSize = 50;

/**
 * Claims a batch of tenants and does their work in one transaction. If that fails, nothing of the
 * batch is stored, and each tenant is tried in a separate transaction, so that only the failing one
 * is postponed. Returns how many tenants were done or postponed; 0 when none is due.
 */
export async function runTenantBatch<T extends TenantKey>(
  deps: Deps,
  work: TenantWork<T>,
  stopping: AbortSignal,
): Promise<number> {
  return runNext(deps, work, { limit: batchSize, stopping });
}

interface Extent {
  readonly limit: number;
  readonly stopping: AbortSignal;
}

async function runNext<T extends TenantKey>(
  deps: Deps,
  work: TenantWork<T>,
  { limit, stopping }: Extent,
): Promise<number> {
  const { db, log, now } = deps;
  let claimed: readonly T[] = [];
  let calls: readonly CallToMake[] = [];
  try {
    await runUnitOfWork(deps, now, async (uow) => {
      claimed = await work.claim(uow, limit);
      calls = claimed.length > 0 ? await work.run(uow, claimed) : [];
    });
  } catch (error) {
    const [first] = claimed;
    // An outage, such as a full disk, is no tenant's fault: postpone none.
    if (!first || isOutage(error) || isHanging(db, error)) throw error;
    if (limit > 1) return runEach(deps, work, { limit: claimed.length, stopping });
    log.error({ err: error, tenant_id: first.tenantId }, `${work.name} failed for a tenant`);
    await work.postpone(db, first, new Date(now.getTime() + 3_600_000));
    return 1;
  }
  // The intents have committed. If this fails, their leases end and another lane resolves them.
  await sendCalls(stepsAt(deps, now), calls);
  return claimed.length;
}

/** Returns the steps of a job, which all have the time `now`. */
export function stepsAt({ db, clock, log, service }: Omit<Deps, 'now'>, now: Date): Steps {
  return {
    now,
    service,
    log,
    after: (ms, run) => clock.after(ms, run),
    requireCaller() {},
    step: (work) => runUnitOfWork({ db, service }, now, work),
  };
}

async function runEach<T extends TenantKey>(
  deps: Deps,
  work: TenantWork<T>,
  { limit, stopping }: Extent,
): Promise<number> {
  let done = 0;
  // A tenant can wait for a lock for 2 s, so stop between two of them.
  while (done < limit && !stopping.aborted) {
    if ((await runNext(deps, work, { limit: 1, stopping })) === 0) break;
    done += 1;
  }
  return done;
}
