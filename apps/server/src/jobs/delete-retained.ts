import type { Database } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { Service } from '../context.ts';
import {
  blankOldApplications,
  eraseInactiveTenant,
  findInactiveTenants,
  retainedSince,
} from '../domain/privacy/retention.ts';
import { Refusal } from '../domain/refusal.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { Lane } from './lane.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly service: Service;
}

// Rarely, because it reads all tenants, and nothing is urgent.
const everyMs = 3_600_000;
const batchSize = 50;

/** Deletes what the operator's retention settings no longer keep. */
export function retentionLane({ db, clock, service }: Deps): Lane {
  const { applicationMonths, tenantMonths } = service.retention;
  // The last tenant of the previous batch. Tenants that cannot be erased yet must not block those after them.
  let after = '';

  async function batch(stopping: AbortSignal): Promise<number> {
    // The lane reads every server of a cluster, and can wait until all of them answer.
    if (db.cluster?.outage) return 0;
    const now = clock.now();
    const blanked =
      applicationMonths === null ? 0 : await blankApplications(now, applicationMonths);
    if (blanked > 0 || tenantMonths === null) return blanked;
    const since = retainedSince(now, tenantMonths);
    const tenants = await findInactiveTenants(db, { since, after, limit: batchSize });
    for (const tenant of tenants) {
      if (stopping.aborted) break;
      await runUnitOfWork({ db, service }, now, (uow) =>
        eraseInactiveTenant(uow, tenant, since),
      ).catch((error: unknown) => {
        // Money is on its way. The lane finds the tenant again in an hour.
        if (!(error instanceof Refusal)) throw error;
      });
    }
    after = tenants.at(-1)?.tenantId ?? '';
    return tenants.length;
  }

  const blankApplications = (now: Date, months: number) =>
    runUnitOfWork({ db, service }, now, (uow) =>
      blankOldApplications(uow, { since: retainedSince(now, months), limit: batchSize }),
    );

  return { name: 'retention', everyMs, batch };
}
