import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { isSimulated, type TenantTime, tenantTime, wallTime } from '../tenants/time.ts';
import { loadDossier, positionOf } from './load-standing.ts';

interface Whom {
  readonly partnerId: string;
  readonly pms: string;
  readonly tenantId: string;
}

/**
 * Tells the partner whether the tenant can split, if that is not what it was last told. The row is
 * locked. One who is new hears it first in the answer to portal_info.
 */
export async function tellEligibility(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { partnerId, pms, tenantId }: Whom,
  moment?: TenantTime,
): Promise<void> {
  const dossier = await loadDossier(ctx.tx, { partnerId, tenantId }, { lock: false });
  if (!dossier) return;
  const { tenant } = dossier;
  const { eligibilityState, eligibilityReason, externalId } = tenant;
  const at = moment ?? tenantTime(tenant, ctx.now);
  const { state, reason } = positionOf(dossier, wallTime(tenant, at)).standing;
  if (eligibilityState === null) return;
  if (eligibilityState === state && eligibilityReason === reason) return;
  const version = tenant.version + 1;
  await ctx.tx.run(sql`
    update tenant set eligibility_state = ${state}, eligibility_reason = ${reason},
      version = ${version}, updated_at = ${ctx.now}
    where id = ${tenantId}`);
  const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at };
  const data = { state, reason };
  await emit(ctx, subject, [{ type: 'tenant.eligibility_changed', version, data }]);
}
