import type { Ctx } from '../../context.ts';
import { expireApplications } from '../applications/expire-applications.ts';
import { runProcessorEvents, upcomingProcessorEvents } from '../disputes/run-processor-events.ts';
import { eligibilityChanges } from '../eligibility/eligibility-changes.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import type { TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { depositDue } from '../payments/deposit.ts';
import { runDue, type Span } from '../plans/run-due.ts';

const mostDeposits = 1_000;

/**
 * Takes one tenant's clock to a later moment. All that time alone brings happens on the way, in
 * order, and is told at its own instant. The tenant's row is locked and has the new clock.
 */
export async function runDueUntil(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'> & { actor: { pms: string } },
  snapshot: TenantSnapshot,
  span: Span,
): Promise<void> {
  const { id: tenantId, partnerId } = snapshot.tenant;
  const whom = { partnerId, tenantId, pms: ctx.actor.pms };
  let { from } = span;
  const moments = [
    ...eligibilityChanges(snapshot),
    ...(await upcomingProcessorEvents(ctx, tenantId)),
  ]
    .filter((it) => it > from && it < span.until)
    .sort((a, b) => a.getTime() - b.getTime());
  for (const until of [...moments, span.until]) {
    await runDue(ctx, tenantId, { ...span, from, until });
    await runProcessorEvents(ctx, { tenantId, at: until });
    await expireApplications(ctx, { limit: 1, tenantId, until });
    await emitEligibility(ctx, whom, until);
    from = until;
  }
  await depositDue(ctx, { tenantId, limit: mostDeposits });
}
