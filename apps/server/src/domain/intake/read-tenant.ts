import type { TenantOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { viewCycle } from '../charges/rent-cycle.ts';
import { loadTenantSnapshot, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { readChargedOffPlans } from '../plans/read-charged-off.ts';
import { findPlan } from '../plans/read-plan.ts';
import { Refusal } from '../refusal.ts';
import { simulatedTime } from '../tenants/time.ts';

/** Reads one tenant's eligibility, open plan and clock. The result never contains the reasons for a decline. */
export async function readTenant(
  ctx: Ctx<PartnerActor>,
  { external_id }: { external_id: string },
): Promise<TenantOutput> {
  const { partnerId } = ctx.actor;
  const snapshot = await loadTenantSnapshot(
    ctx.tx,
    { partnerId, externalId: external_id },
    { lock: false },
  );
  if (!snapshot) throw new Refusal('tenant_not_found');
  const { tenant, openPlan } = snapshot;
  const { cycle, eligibility } = positionOf(snapshot, ctx);
  const chargedOff = await readChargedOffPlans(ctx.tx, [{ partnerId, tenantId: tenant.id }]);
  return {
    external_id: tenant.externalId,
    product_variant: tenant.productVariant,
    rent_cycle: viewCycle(cycle),
    eligibility: { state: eligibility.state, reason: eligibility.reason },
    plan: openPlan ? await findPlan(ctx.tx, { partnerId, id: openPlan.id }) : null,
    charged_off_plan_id: chargedOff.get(tenant.id) ?? null,
    simulated_time: simulatedTime(tenant, ctx.now),
  };
}
