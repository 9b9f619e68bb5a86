import type { TenantViewOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { openViewSession } from '../access/experience-sessions.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { Refusal } from '../refusal.ts';

/**
 * Opens the experience as a sandbox tenant sees it, read-only and for ten minutes. The address carries the
 * session in its fragment, which browsers send to no server.
 */
export async function viewTenant(
  ctx: Ctx<PartnerActor>,
  { external_id: externalId }: { readonly external_id: string },
): Promise<TenantViewOutput> {
  const { tx, actor, service } = ctx;
  const { partnerId, pms, credentialId } = actor;
  const snapshot = await loadTenantSnapshot(tx, { partnerId, externalId }, { lock: false });
  if (!snapshot || snapshot.tenant.personal === null) throw new Refusal('tenant_not_found');
  const { secret, expiresAt } = await openViewSession(ctx, {
    partnerId,
    tenantId: snapshot.tenant.id,
    productVariant: snapshot.tenant.productVariant ?? 'rent',
    portalSessionId: credentialId,
  });
  return {
    url: `${service.publicOrigin}/experience/${pms}#link=${secret}`,
    expires_at: expiresAt.toISOString(),
  };
}
