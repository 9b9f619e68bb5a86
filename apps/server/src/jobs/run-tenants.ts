import { type Database, isOutage, type Tx } from '@svc/db';
import type { Log, Service, UnitOfWork } from '../context.ts';
import type { TenantKey } from '../domain/tenant-key.ts';
import { runUnitOfWork } from '../unit-of-work.ts';

interface Deps {
  readonly db: Database;
  readonly log: Log;
  readonly service: Service;
  readonly now: Date;
}

/** A kind of work that becomes due for tenants as time passes. */
export interface TenantWork<T extends TenantKey> {
  readonly name: string;
  /** Locks up to `limit` tenants with work due, longest waiting first; skips locked ones. */
  claim(tx: Tx, now: Date, limit: number): Promise<T[]>;
  run(uow: UnitOfWork, tenants: readonly T[]): Promise<unknown>;
  /** Called for a tenant whose work failed: not due again before `until`. */
  postpone(db: Database, tenant: TenantKey, until: Date): Promise<unknown>;
}

// Two, so that one computes while the other waits for the database.
const lanes = 2;
// With more, a statement gets no cheaper for each tenant, and a tenant's own request waits longer
// for the row.
const batch = 50;

/** Does the work of all tenants for whom it is due, a batch in each transaction. Returns how many. */
export async function runTenants<T extends TenantKey>(
  deps: Deps,
  work: TenantWork<T>,
): Promise<number> {
  const lane = async () => {
    for (let done = 0; ; ) {
      const ran = await runNext(deps, work, batch);
      if (ran === 0) return done;
      done += ran;
    }
  };
  // Wait for both lanes even if one fails, so that none still runs when the caller continues.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  return ends.reduce((sum, end) => {
    if (end.status === 'rejected') throw end.reason;
    return sum + end.value;
  }, 0);
}

/**
 * Claims a batch and does its work in one transaction. If that fails, nothing of the batch is
 * stored, and each tenant is tried in a transaction of its own, so that only the one at fault is
 * postponed.
 */
async function runNext<T extends TenantKey>(
  deps: Deps,
  work: TenantWork<T>,
  limit: number,
): Promise<number> {
  const { db, log, now } = deps;
  let claimed: readonly T[] = [];
  try {
    await runUnitOfWork(deps, now, async (uow) => {
      claimed = await work.claim(uow.tx, now, limit);
      if (claimed.length > 0) await work.run(uow, claimed);
    });
    return claimed.length;
  } catch (error) {
    const [first] = claimed;
    // An outage, such as a full disk, is no tenant's fault: postpone nobody.
    if (!first || isOutage(error)) throw error;
    if (limit > 1) return runEach(deps, work, claimed.length);
    log.error({ err: error, tenant_id: first.tenantId }, `${work.name} failed for a tenant`);
    await work.postpone(db, first, new Date(now.getTime() + 3_600_000));
    return 1;
  }
}

async function runEach<T extends TenantKey>(
  deps: Deps,
  work: TenantWork<T>,
  count: number,
): Promise<number> {
  for (let done = 0; done < count; done += 1) {
    if ((await runNext(deps, work, 1)) === 0) return done;
  }
  return count;
}
