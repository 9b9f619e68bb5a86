import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { openViewSession } from '../access/experience-sessions.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { recordOperatorAction } from '../operators/record.ts';
import { Refusal } from '../refusal.ts';
import { loadIsDisclosed } from './mask.ts';
import { type NamedTenant, requireVisibleTenant } from './tenant-page.ts';

/**
 * Opens the experience as the tenant sees it, for ten minutes and without any way to change something. The address
 * carries the session in its fragment, which browsers send to no server.
 * @throws Refusal if the tenant's personal data are masked: the experience shows names and agreements
 */
export async function viewTenant(
  ctx: Ctx<OperatorActor>,
  named: NamedTenant,
): Promise<{ url: string; expires_at: string }> {
  const { tx, actor, service } = ctx;
  const { partner, partnerId, tenantId } = await requireVisibleTenant(tx, actor, named);
  if (!(await loadIsDisclosed(ctx, [{ partnerId, tenantId }]))(tenantId)) {
    throw new Refusal('permission_required', {
      message:
        'The experience shows personal data. Show the data of this tenant first, with a reason.',
    });
  }
  const snapshot = await loadTenantSnapshot(tx, { partnerId, tenantId }, { lock: false });
  if (!snapshot || snapshot.tenant.personal === null) throw new Refusal('tenant_not_found');
  const { secret, expiresAt } = await openViewSession(ctx, {
    partnerId,
    tenantId,
    productVariant: snapshot.tenant.productVariant ?? 'rent',
    operatorSessionId: actor.sessionId,
  });
  await recordOperatorAction(ctx, actor, {
    action: 'tenant.viewed',
    subject_id: tenantId,
    details: { external_id: named.external_id },
  });
  return {
    url: `${service.publicOrigin}/experience/${partner.pms}#link=${secret}`,
    expires_at: expiresAt.toISOString(),
  };
}
