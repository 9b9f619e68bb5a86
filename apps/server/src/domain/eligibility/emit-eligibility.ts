import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { isSimulated, type TenantTime, tenantTime, wallTime } from '../tenants/time.ts';
import { asFew, shared } from '../together.ts';
import { type ChangingFacts, nextChange } from './eligibility-changes.ts';
import { loadTenantSnapshotOf, positionOf, type TenantSnapshot } from './load-tenant-snapshot.ts';

interface Whom {
  readonly partnerId: string;
  readonly pms: string;
  readonly tenantId: string;
}

/**
 * Tells the partner whether the tenant can split, if that is not what it was last told, and notes
 * when it may next change by itself. The row is locked. One who is new hears it first in the answer
 * to portal_info. Answers what it knows: `known`, or what it has read.
 */
export async function emitEligibility(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { partnerId, pms, tenantId }: Whom,
  moment?: TenantTime,
  known?: TenantSnapshot,
): Promise<TenantSnapshot | undefined> {
  const snapshot = known ?? (await loadTenantSnapshotOf(ctx, tenantId));
  if (!snapshot || snapshot.tenant.eligibilityState === null) return snapshot;
  const { tenant } = snapshot;
  const { eligibilityState, eligibilityReason, externalId } = tenant;
  const at = moment ?? tenantTime(tenant, ctx.now);
  const now = wallTime(tenant, at);
  const { state, reason } = positionOf(snapshot, { ...ctx, now }).standing;
  const isNew = eligibilityState !== state || eligibilityReason !== reason;
  const eligibilityChangesAt = nextEligibilityChange(snapshot, at);
  if (!isNew && tenant.eligibilityChangesMs === (eligibilityChangesAt?.getTime() ?? null))
    return snapshot;
  const version = tenant.version + (isNew ? 1 : 0);
  const saved = save(ctx, { tenantId, state, reason, version, eligibilityChangesAt, isNew });
  const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at };
  const data = { state, reason };
  const type = 'tenant.eligibility_changed';
  await Promise.all([saved, isNew && emit(ctx, subject, [{ type, version, data }])]);
  return snapshot;
}

/** When the tenant's standing may next change with nobody doing anything, in wall time. */
export function nextEligibilityChange(snapshot: ChangingFacts, at: TenantTime): Date | null {
  const next = nextChange(snapshot, at);
  return next && wallTime(snapshot.tenant, next);
}

/** The same for a tenant whose clock or result was just set. */
export async function scheduleEligibilityChange(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  snapshot: ChangingFacts,
): Promise<void> {
  const { tenant } = snapshot;
  const eligibilityChangesAt =
    tenant.eligibilityState && nextEligibilityChange(snapshot, tenantTime(tenant, now));
  await tx.run(sql`update tenant set turns_at = ${eligibilityChangesAt} where id = ${tenant.id}`);
}

const save = shared(async ({ tx, now }: Pick<Ctx, 'tx' | 'now'>, all: readonly object[]) => {
  await tx.run(sql`
    update tenant t set eligibility_state = e.state, eligibility_reason = e.reason,
      version = e.version, turns_at = e."eligibilityChangesAt",
      updated_at = case when e."isNew" then ${now}::timestamptz else t.updated_at end
    from (select * from json_to_recordset(${JSON.stringify(all)}::json) as r("tenantId" text,
      state text, reason text, version integer, "eligibilityChangesAt" timestamptz, "isNew" boolean)
      ${asFew(all)}) e
    where t.id = e."tenantId"`);
});
