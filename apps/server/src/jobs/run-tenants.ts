import { type Database, isOutage, type Tx } from '@svc/db';
import type { Ctx, Log, Service } from '../context.ts';
import { together } from '../domain/together.ts';

interface Deps {
  readonly db: Database;
  readonly log: Log;
  readonly service: Service;
  readonly now: Date;
}

/** What time alone brings to tenants. */
export interface TenantWork<T extends { readonly id: string }> {
  readonly name: string;
  /** Locks up to so many for whom it is due, who wait longest; not those whom others hold. */
  claim(tx: Tx, now: Date, limit: number): Promise<T[]>;
  run(ctx: Pick<Ctx, 'tx' | 'now' | 'service'>, tenant: T): Promise<unknown>;
  /** It failed: not again before then. */
  postpone(db: Database, tenantId: string, until: Date): Promise<unknown>;
}

// So that commits share the wait for the disk, and one lane computes while another one waits.
const lanes = 2;
// Beyond, a statement gets no cheaper, and a tenant who comes by waits longer for the row.
const batch = 50;

/** Only the tenants for whom something is due: so many in a transaction. Answers how many. */
export async function runTenants<T extends { readonly id: string }>(
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
  // Whatever happens to one of them, none still runs afterwards.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  return ends.reduce((sum, end) => {
    if (end.status === 'rejected') throw end.reason;
    return sum + end.value;
  }, 0);
}

/** Those who have waited longest; one whose turn fails waits an hour, and holds up nobody. */
async function runNext<T extends { readonly id: string }>(
  deps: Deps,
  work: TenantWork<T>,
  limit: number,
): Promise<number> {
  const { db, log, now, service } = deps;
  let claimed: readonly T[] = [];
  try {
    await db.transaction(async (tx) => {
      claimed = await work.claim(tx, now, limit);
      await together(tx, claimed, (tx, tenant) => work.run({ tx, now, service }, tenant));
    });
    return claimed.length;
  } catch (error) {
    const [first] = claimed;
    // A full disk is no tenant's fault: nobody is postponed for an outage.
    if (!first || isOutage(error)) throw error;
    // Nothing of them stands: each again by itself, so that only the one at fault waits.
    if (limit > 1) return runEach(deps, work, claimed.length);
    log.error({ err: error, tenant_id: first.id }, `${work.name} failed for a tenant`);
    await work.postpone(db, first.id, new Date(now.getTime() + 3_600_000));
    return 1;
  }
}

async function runEach<T extends { readonly id: string }>(
  deps: Deps,
  work: TenantWork<T>,
  count: number,
): Promise<number> {
  for (let done = 0; done < count; done += 1) {
    if ((await runNext(deps, work, 1)) === 0) return done;
  }
  return count;
}
