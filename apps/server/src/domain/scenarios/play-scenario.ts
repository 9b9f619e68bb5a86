import type { ScenarioInput, ScenarioOutput } from '@svc/contract';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { readTenant } from '../intake/read-tenant.ts';
import { findPlan } from '../plans/read-plan.ts';
import { listRefunds } from '../refunds/list-refunds.ts';
import { Refusal } from '../refusal.ts';
import { readSimulation } from '../simulation/read.ts';
import { scenarioPaths } from './scenarios.ts';
import { notReachable, type Scene } from './scene.ts';
import { describeSituation, fingerprintOf, readSituation, type Situation } from './situation.ts';
import { simulatorOf } from './steps.ts';
import { watchCommits } from './watch-commits.ts';

interface Request {
  readonly external_id: string;
  readonly input: ScenarioInput;
  readonly caller: Scene['caller'];
}

// More than any path needs, since a step may run more than once.
const mostTurns = 30;

/**
 * Takes one tenant from its present state to a scenario's, by that scenario's steps. Each step commits, so a
 * repeated call continues where the previous one stopped, and a call for a scenario that is already reached
 * changes nothing. Stops between two steps if the caller has closed the connection.
 */
export async function playScenario(
  request: RequestSteps<PartnerActor>,
  { external_id: externalId, input, caller }: Request,
): Promise<ScenarioOutput> {
  const events: ScenarioOutput['events'] = [];
  const steps = watchCommits(request, (messages) => {
    events.push(...messages.map(({ id, type }) => ({ id, type })));
  });
  const scene: Scene = { steps, externalId, input, caller };
  const path = scenarioPaths[input.scenario];
  const read = () => steps.step((ctx) => readSituation(ctx, externalId));
  let now = await read();
  requireVariant(scene, now);
  // Before anything is changed.
  if (path.steps.some((it) => it.needsSimulator && !it.isDone(now, scene))) {
    simulatorOf(steps.service);
  }
  for (let turn = 0; turn < mostTurns; turn += 1) {
    steps.requireCaller();
    const step = path.steps.find((it) => !it.isDone(now, scene));
    if (!step) break;
    const conflict = await step.run(scene, now).then(() => null, conflictOrThrow);
    const before = fingerprintOf(now);
    now = await read();
    if (fingerprintOf(now) !== before) continue;
    if (conflict) throw conflict;
    break;
  }
  requireReached(scene, now);
  return steps.step((ctx) => describe(ctx, scene, { now, events }));
}

/** Once the portal has reported a tenant, a scenario can't change the tenant's variant. */
function requireVariant(scene: Scene, { stage, tenant }: Situation): void {
  const asked = scene.input.product_variant;
  const known = tenant?.productVariant ?? 'rent';
  if (stage === 'unknown' || asked === undefined || asked === known) return;
  const help = 'Use another external id, or leave product_variant out.';
  throw notReachable(scene, `has the product_variant ${known}`, help);
}

/**
 * Codes that another request can cause, such as the tenant's own click, or the same scenario at the same time: it
 * may have reported the settlement (`settlement_transition_invalid`), or have given back all that is left to
 * refund (`validation_failed`).
 */
const conflicts = [
  'step_not_allowed',
  'plan_already_exists',
  'quote_not_found',
  'settlement_transition_invalid',
  'validation_failed',
];

/** Returns the refusal of a conflict. If the other request changed something, the path continues from there. */
function conflictOrThrow(error: unknown): Refusal {
  if (error instanceof Refusal && conflicts.includes(error.code)) return error;
  throw error;
}

function requireReached(scene: Scene, now: Situation): void {
  const { isReached } = scenarioPaths[scene.input.scenario];
  if (!isReached(now)) throw notReachable(scene, describeSituation(now));
  const { installment_count: wanted } = scene.input;
  const count = now.plan?.parts.length;
  if (wanted === undefined || count === undefined || wanted === count) return;
  throw notReachable(scene, `has a plan of ${count} payments, not of ${wanted}`);
}

async function describe(
  ctx: Ctx<PartnerActor>,
  { externalId, input }: Scene,
  { now, events }: { now: Situation; events: ScenarioOutput['events'] },
): Promise<ScenarioOutput> {
  const { partnerId } = ctx.actor;
  const external_id = externalId;
  const { product_variant, rent_cycle, eligibility } = await readTenant(ctx, { external_id });
  const { simulated_time, rent_cycle_date } = await readSimulation(ctx, { external_id });
  const { application, settlement } = now;
  const planId = now.plan?.id ?? now.failedPlanId;
  const refunds = settlement && (await listRefunds(ctx, { id: settlement.id }));
  const api = `${ctx.service.publicOrigin}/v1`;
  const escaped = encodeURIComponent(externalId);
  return {
    scenario: input.scenario,
    external_id,
    tenant: { external_id, product_variant, rent_cycle, eligibility },
    application: application && {
      id: application.id,
      state: application.state as 'approved',
      rent_cycle_date: application.rentCycleDate,
      approved_amount_in_cents: application.approvedAmountInCents,
    },
    plan: planId === null ? null : await findPlan(ctx.tx, { partnerId, id: planId }),
    settlement,
    refund: refunds?.items[0] ?? null,
    clock: { simulated_time, rent_cycle_date },
    events,
    links: {
      tenant: `${api}/tenants/${escaped}`,
      plan: planId === null ? null : `${api}/plans/${planId}`,
      settlement: settlement && `${api}/settlements/${settlement.id}`,
      messages: `${api}/webhooks/messages?external_id=${escaped}`,
      simulation: `${api}/simulation/${escaped}`,
    },
  };
}
