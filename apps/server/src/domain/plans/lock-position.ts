import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import type { Cycle } from '../charges/rent-cycle.ts';
import type { Subject } from '../events/emit.ts';
import { Refusal } from '../refusal.ts';
import { isSimulated } from '../tenants/time.ts';
import { type Dossier, loadDossier, type Position, positionOf } from './load-standing.ts';

export interface LockedPosition {
  readonly dossier: Dossier;
  readonly position: Position;
  /** Commands of the experience make no sense without one. */
  readonly cycle: Cycle;
  readonly subject: Subject;
}

/** The first line of each command in the experience: one at a time for a tenant. */
export async function lockPosition(ctx: Ctx<TenantActor>): Promise<LockedPosition> {
  const { partnerId, tenantId, pms, productVariant } = ctx.actor;
  const dossier = await loadDossier(ctx.tx, { partnerId, tenantId }, { lock: true });
  if (!dossier) throw new Refusal('tenant_not_found');
  const position = positionOf(dossier, ctx.now, productVariant);
  if (!position.cycle) throw new Refusal('step_not_allowed');
  const { tenant } = dossier;
  const { externalId } = tenant;
  const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at: position.at };
  return { dossier, position, cycle: position.cycle, subject };
}
