import type { ScenarioInput } from '@svc/contract';
import type { RequestSteps, Service } from '../../context.ts';
import type { PartnerActor, TenantActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import type { Situation } from './situation.ts';

/** State that the steps of one call share. */
export interface Scene {
  readonly steps: RequestSteps<PartnerActor>;
  readonly externalId: string;
  readonly input: ScenarioInput;
  /** Stored with the tenant's consent, as in the experience. */
  readonly caller: { readonly ip: string; readonly userAgent: string };
}

/**
 * Returns the steps with the tenant as the actor, so that a scenario runs the commands of the experience.
 * `program` replaces settings of the service for these commands, such as who decides.
 */
export function asTenant(
  { steps }: Pick<Scene, 'steps'>,
  now: Situation,
  program: Partial<Pick<Service, 'decidesOutside' | 'decisionNeedsAccount'>> = {},
): RequestSteps<TenantActor> {
  const { partnerId, pms, credentialId } = steps.actor;
  const { id: tenantId, productVariant } = tenantOf(now);
  const actor: TenantActor = {
    kind: 'tenant',
    partnerId,
    pms,
    tenantId,
    productVariant: productVariant ?? 'rent',
    sessionId: credentialId,
    access: 'full',
  };
  // The scenario sets the decision, so nothing is held for an operator, and no SSN is asked for.
  const service = {
    ...steps.service,
    holdsFlagged: false,
    needsMilitaryLookup: false,
    decisionFields: [],
    ...program,
  };
  return {
    ...steps,
    service,
    actor,
    step: (work) => steps.step((ctx) => work({ ...ctx, service, actor })),
  };
}

export function tenantOf({ tenant }: Situation): NonNullable<Situation['tenant']> {
  if (!tenant) throw new Error('the step needs a tenant, but none is stored');
  return tenant;
}

export function keyOf(now: Situation): TenantKey {
  const { partnerId, id } = tenantOf(now);
  return { partnerId, tenantId: id };
}

/** The refusal of a scenario. `why` says what stands in the way and, if needed, `help` what to do. */
export function notReachable(
  { externalId, input }: Pick<Scene, 'externalId' | 'input'>,
  why: string,
  help = `Call POST /v1/simulation/${encodeURIComponent(externalId)}/reset and repeat this call, or use another external id.`,
): Refusal {
  return new Refusal('scenario_not_reachable', {
    message: `"${input.scenario}" can’t be reached: the tenant ${why}. ${help}`,
    param: 'scenario',
  });
}
