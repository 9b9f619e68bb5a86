import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { recordOperatorAction } from '../operators/record.ts';
import { type NamedTenant, requireVisibleTenant } from './tenant-page.ts';

const shownMs = 15 * 60_000;

/** Shows the caller's session a tenant's personal data in clear for 15 minutes. The reason is in the audit log. */
export async function unmaskTenant(
  ctx: Ctx<OperatorActor>,
  { reason, ...named }: NamedTenant & { readonly reason: string },
): Promise<{ expires_at: string }> {
  const { tx, now, actor } = ctx;
  const { partnerId, tenantId } = await requireVisibleTenant(tx, actor, named);
  const expiresAt = new Date(now.getTime() + shownMs);
  await tx.run(sql`
    insert into tenant_unmasking (partner_id, tenant_id, session_id, expires_at)
    values (${partnerId}, ${tenantId}, ${actor.sessionId}, ${expiresAt})
    on conflict (partner_id, tenant_id, session_id) do update set expires_at = excluded.expires_at`);
  await recordOperatorAction(ctx, actor, {
    action: 'tenant.unmasked',
    subject_id: tenantId,
    details: { external_id: named.external_id, reason },
  });
  return { expires_at: expiresAt.toISOString() };
}
