import type { UnitOfWork } from '../../context.ts';
import { expireApplications } from '../applications/expire-applications.ts';
import { runProcessorEvents, upcomingProcessorEvents } from '../disputes/run-processor-events.ts';
import { eligibilityChanges } from '../eligibility/eligibility-changes.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import type { TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { depositDue } from '../payments/deposit.ts';
import { runDue, type Span } from '../plans/run-due.ts';

const mostDeposits = 1_000;

/**
 * Runs everything that falls due for one tenant on the way to a later time, in order. Each event
 * carries the time at which it fell due. The tenant's row is locked and has the new clock.
 */
export async function runDueUntil(
  ctx: UnitOfWork & { readonly actor: { readonly pms: string } },
  snapshot: TenantSnapshot,
  span: Span,
): Promise<void> {
  const { id: tenantId, partnerId } = snapshot.tenant;
  const tenant = { partnerId, tenantId };
  let { from } = span;
  const moments = [...eligibilityChanges(snapshot), ...(await upcomingProcessorEvents(ctx, tenant))]
    .filter((it) => it > from && it < span.until)
    .sort((a, b) => a.getTime() - b.getTime());
  for (const until of [...moments, span.until]) {
    await runDue(ctx, [{ ...span, ...tenant, from, until }]);
    await runProcessorEvents(ctx, { ...tenant, at: until });
    await expireApplications(ctx, { limit: 1, tenant, until });
    await emitEligibility(ctx, { ...tenant, pms: ctx.actor.pms, at: until });
    from = until;
  }
  await depositDue(ctx, { tenant, limit: mostDeposits });
}
