import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import type { Cycle } from '../charges/rent-cycle.ts';
import type { Subject } from '../events/emit.ts';
import { Refusal } from '../refusal.ts';
import { isSimulated } from '../tenants/time.ts';
import { type Dossier, loadDossier, type Position, positionOf } from './load-tenant-snapshot.ts';

export interface LockedPosition {
  readonly dossier: Dossier;
  readonly position: Position;
  /** Commands of the experience make no sense without one. */
  readonly cycle: Cycle;
  readonly subject: Subject;
}

/** The first line of each command in the experience: one at a time for a tenant. */
export async function lockPosition(ctx: Ctx<TenantActor>): Promise<LockedPosition> {
  return positionIn(ctx, await lockDossier(ctx));
}

export async function lockDossier(ctx: Ctx<TenantActor>): Promise<Dossier> {
  const { partnerId, tenantId } = ctx.actor;
  const dossier = await loadDossier(ctx.tx, { partnerId, tenantId }, { lock: true });
  if (!dossier) throw new Refusal('tenant_not_found');
  return dossier;
}

export function positionIn(ctx: Ctx<TenantActor>, dossier: Dossier): LockedPosition {
  const { partnerId, pms, productVariant } = ctx.actor;
  const position = positionOf(dossier, ctx, productVariant);
  if (!position.cycle) throw new Refusal('step_not_allowed');
  const { tenant } = dossier;
  const { externalId } = tenant;
  const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at: position.at };
  return { dossier, position, cycle: position.cycle, subject };
}
