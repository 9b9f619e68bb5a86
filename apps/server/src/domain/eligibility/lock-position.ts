import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import type { Cycle } from '../charges/rent-cycle.ts';
import type { Subject } from '../events/emit.ts';
import { Refusal } from '../refusal.ts';
import { isSimulated } from '../tenants/time.ts';
import {
  loadTenantSnapshot,
  type Position,
  positionOf,
  type TenantSnapshot,
} from './load-tenant-snapshot.ts';

export interface LockedPosition {
  readonly snapshot: TenantSnapshot;
  readonly position: Position;
  /** The current rent cycle. Without one, the command is refused. */
  readonly cycle: Cycle;
  readonly subject: Subject;
}

/** Locks the tenant's row, so that commands of one tenant run one after another. */
export async function lockPosition(ctx: Ctx<TenantActor>): Promise<LockedPosition> {
  return positionIn(ctx, await lockTenantSnapshot(ctx));
}

export async function lockTenantSnapshot(ctx: Ctx<TenantActor>): Promise<TenantSnapshot> {
  const { partnerId, tenantId } = ctx.actor;
  const snapshot = await loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: true });
  if (!snapshot) throw new Refusal('tenant_not_found');
  return snapshot;
}

export function positionIn(ctx: Ctx<TenantActor>, snapshot: TenantSnapshot): LockedPosition {
  const { partnerId, pms, productVariant } = ctx.actor;
  const position = positionOf(snapshot, ctx, productVariant);
  if (!position.cycle) throw new Refusal('step_not_allowed');
  const { tenant } = snapshot;
  const { externalId } = tenant;
  const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at: position.at };
  return { snapshot, position, cycle: position.cycle, subject };
}
