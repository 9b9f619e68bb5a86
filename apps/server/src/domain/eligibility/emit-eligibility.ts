import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import type { TenantKey } from '../tenant-key.ts';
import {
  type ChangedEligibility,
  setEligibilityCheck,
  storeEligibility,
} from '../tenants/store-tenant.ts';
import { isSimulated, type TenantTime, tenantTime, wallTime } from '../tenants/time.ts';
import { type ChangingFacts, nextChange } from './eligibility-changes.ts';
import { loadTenantSnapshots, positionOf, type TenantSnapshot } from './load-tenant-snapshot.ts';

interface CheckedTenant extends TenantKey {
  readonly pms: string;
  /** The tenant's time. Defaults to now. */
  readonly at?: TenantTime;
}

/**
 * Emits an event if the tenant's eligibility differs from the last one emitted. Also stores when it may
 * next change merely because time passes, for the tick. The tenant's row is locked. `known` saves reading
 * the snapshot again; returns the snapshot that was used.
 */
export async function emitEligibility(
  uow: UnitOfWork,
  tenant: CheckedTenant,
  known?: TenantSnapshot,
): Promise<TenantSnapshot | undefined> {
  const snapshot = known ?? (await loadTenantSnapshots(uow.tx, [tenant])).get(tenant.tenantId);
  const changes = snapshot ? checkEligibility(uow, tenant, snapshot) : [];
  if (changes.length > 0) storeEligibility(uow, changes);
  return snapshot;
}

/** Checks many tenants with one statement to read and one to write. Returns what it read, by tenant. */
export async function emitEligibilityOf(
  uow: UnitOfWork,
  tenants: readonly CheckedTenant[],
): Promise<Map<string, TenantSnapshot>> {
  const snapshots = await loadTenantSnapshots(uow.tx, tenants);
  const changes = tenants.flatMap((tenant) => {
    const snapshot = snapshots.get(tenant.tenantId);
    return snapshot ? checkEligibility(uow, tenant, snapshot) : [];
  });
  if (changes.length > 0) storeEligibility(uow, changes);
  return snapshots;
}

/** Emits the event and returns the row to save; empty if nothing differs from what is stored. */
function checkEligibility(
  uow: UnitOfWork,
  { partnerId, pms, tenantId, at: moment }: CheckedTenant,
  snapshot: TenantSnapshot,
): ChangedEligibility[] {
  const { tenant } = snapshot;
  const { eligibilityState, eligibilityReason, externalId } = tenant;
  // A new tenant's eligibility is in the response to portal_info.
  if (eligibilityState === null) return [];
  const at = moment ?? tenantTime(tenant, uow.now);
  const now = wallTime(tenant, at);
  const { state, reason } = positionOf(snapshot, { service: uow.service, now }).eligibility;
  const isNew = eligibilityState !== state || eligibilityReason !== reason;
  const eligibilityChangesAt = nextEligibilityChange(snapshot, at);
  const isRescheduled = tenant.eligibilityChangesMs !== (eligibilityChangesAt?.getTime() ?? null);
  if (!isNew && !isRescheduled) return [];
  const version = tenant.version + (isNew ? 1 : 0);
  if (isNew) {
    const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at };
    emit(uow, subject, [{ type: 'tenant.eligibility_changed', version, data: { state, reason } }]);
  }
  return [{ partnerId, tenantId, state, reason, version, eligibilityChangesAt, isNew }];
}

/** Returns the wall time at which the eligibility may next change merely because time passes; null if it won't. */
export function nextEligibilityChange(facts: ChangingFacts, at: TenantTime): Date | null {
  const next = nextChange(facts, at);
  return next && wallTime(facts.tenant, next);
}

/** Stores when the eligibility of a tenant may next change, after the clock or underwriting result was set. */
export async function scheduleEligibilityChange(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  facts: ChangingFacts,
): Promise<void> {
  const { tenant } = facts;
  const changesAt =
    tenant.eligibilityState === null ? null : nextEligibilityChange(facts, tenantTime(tenant, now));
  await setEligibilityCheck(tx, { partnerId: tenant.partnerId, tenantId: tenant.id }, changesAt);
}
