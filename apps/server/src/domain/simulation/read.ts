import type { SimulationOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { currentSimulatedDate } from '../charges/rent-cycle.ts';
import { loadTenantSnapshot, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { simulationWarnings } from '../eligibility/simulation-warnings.ts';
import { Refusal } from '../refusal.ts';
import { simulatedTime } from '../tenants/time.ts';

/** Reads the simulation's settings for one tenant. */
export async function readSimulation(
  ctx: Ctx<PartnerActor>,
  { external_id }: { external_id: string },
): Promise<SimulationOutput> {
  const key = { partnerId: ctx.actor.partnerId, externalId: external_id };
  const snapshot = await loadTenantSnapshot(ctx.tx, key, { lock: false });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { tenant } = snapshot;
  const position = positionOf(snapshot, ctx);
  const { timeZone, simulatedCycleDate: simulatedDate } = tenant;
  return {
    external_id: tenant.externalId,
    underwriting_result: tenant.underwritingResult,
    simulated_time: simulatedTime(tenant, ctx.now),
    rent_cycle_date: currentSimulatedDate({ ...position, simulatedDate, timeZone }),
    pending_payment_failures: [...tenant.pendingFailures],
    warnings: simulationWarnings(tenant, position),
  };
}
