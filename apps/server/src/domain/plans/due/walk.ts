import type { Ctx } from '../../../context.ts';
import { cycleEdges } from '../../charges/rent-cycle.ts';
import { startOfDay } from '../../tenants/calendar.ts';
import type { TenantTime } from '../../tenants/time.ts';
import { expireApplications } from '../application/expire-applications.ts';
import type { Dossier } from '../load-standing.ts';
import { depositDue } from '../payment/deposit.ts';
import { tellEligibility } from '../tell-eligibility.ts';
import { runDue, type Span } from './run-due.ts';

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
  for (const until of [...turningPoints(dossier, span), span.until]) {
    await runDue(ctx, tenantId, { ...span, from, until });
    await expireApplications(ctx, { limit: 1, tenantId, until });
    await tellEligibility(ctx, whom, until);
    from = until;
  }
  await depositDue(ctx, { tenantId, limit: mostDeposits });
}

/** When a tenant's standing may change with nobody doing anything. */
function turningPoints(
  { tenant, charges, application }: Dossier,
  { from, until }: Pick<Span, 'from' | 'until'>,
): TenantTime[] {
  const { timeZone, simulatedCycleDate } = tenant;
  const dates = [...charges.map((it) => it.dueDate), simulatedCycleDate ?? []].flat();
  const moments = [...new Set(dates).values()].flatMap((date) => cycleEdges(date, timeZone));
  const reapply = application?.reapplyAfter;
  if (reapply) moments.push(startOfDay(reapply, timeZone));
  const times = new Set(moments.map((it) => it.getTime()));
  return [...times]
    .filter((ms) => ms > from.getTime() && ms < until.getTime())
    .sort((a, b) => a - b)
    .map((ms) => new Date(ms) as TenantTime);
}
