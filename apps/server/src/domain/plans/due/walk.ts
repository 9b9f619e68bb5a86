import type { Ctx } from '../../../context.ts';
import { expireApplications } from '../application/expire-applications.ts';
import { momentsToCome, runProcessorEvents } from '../dispute/run-processor-events.ts';
import type { Dossier } from '../load-standing.ts';
import { depositDue } from '../payment/deposit.ts';
import { tellEligibility } from '../tell-eligibility.ts';
import { runDue, type Span } from './run-due.ts';
import { turningPoints } from './turning-points.ts';

const mostDeposits = 1_000;

/**
 * Takes one tenant's clock to a later moment. All that time alone brings happens on the way, in
 * order, and is told at its own instant. The tenant's row is locked and has the new clock.
 */
export async function walk(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'> & { actor: { pms: string } },
  dossier: Dossier,
  span: Span,
): Promise<void> {
  const { id: tenantId, partnerId } = dossier.tenant;
  const whom = { partnerId, tenantId, pms: ctx.actor.pms };
  let { from } = span;
  const moments = [...turningPoints(dossier), ...(await momentsToCome(ctx, tenantId))]
    .filter((it) => it > from && it < span.until)
    .sort((a, b) => a.getTime() - b.getTime());
  for (const until of [...moments, span.until]) {
    await runDue(ctx, tenantId, { ...span, from, until });
    await runProcessorEvents(ctx, { tenantId, at: until });
    await expireApplications(ctx, { limit: 1, tenantId, until });
    await tellEligibility(ctx, whom, until);
    from = until;
  }
  await depositDue(ctx, { tenantId, limit: mostDeposits });
}
