import { type Queryable, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { recordAudit } from '../audit/record.ts';
import { Refusal } from '../refusal.ts';
import type { PartnerActor } from './actor.ts';
import { sha256 } from './secrets.ts';

/** The partner behind a live portal cookie. */
export async function findPortalSession(
  q: Queryable,
  secret: string,
  now: Date,
): Promise<PartnerActor> {
  const row = await q.maybe<{
    id: string;
    partner_id: string;
    pms: string;
    read_only: boolean;
    expires_at: Date;
  }>(sql`
    select s.id, s.partner_id, p.pms, s.read_only, s.expires_at
    from portal_session s join partner p on p.id = s.partner_id
    where s.secret_sha256 = ${sha256(secret)} and s.revoked_at is null
      and s.expires_at > ${now}`);
  if (!row) {
    throw new Refusal('invalid_credentials', {
      message: 'The portal session has ended. Open the portal with a new link.',
    });
  }
  return {
    kind: 'partner',
    partnerId: row.partner_id,
    pms: row.pms,
    via: 'portal',
    credentialId: row.id,
    readOnly: row.read_only,
    expiresAt: row.expires_at,
  };
}

export async function describePortalSession({ actor, service }: Ctx<PartnerActor>) {
  return {
    pms: actor.pms,
    environment: service.environment,
    read_only: actor.readOnly,
    expires_at: (actor.expiresAt ?? new Date(0)).toISOString(),
  };
}

/** Signs this browser out. */
export async function closePortalSession(ctx: Ctx<PartnerActor>): Promise<{ revoked: number }> {
  const revoked = await ctx.tx.run(sql`
    update portal_session set revoked_at = ${ctx.now}
    where id = ${ctx.actor.credentialId} and revoked_at is null`);
  await recordAudit(ctx, ctx.actor, { action: 'portal.session_closed' });
  return { revoked };
}

/** Ends every portal session of the partner, and every link not yet used. */
export async function revokePortalSessions(ctx: Ctx<PartnerActor>): Promise<{ revoked: number }> {
  const revoked = await ctx.tx.run(sql`
    update portal_session set revoked_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and revoked_at is null`);
  await ctx.tx.run(sql`
    update portal_link set expires_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and expires_at > ${ctx.now}`);
  await recordAudit(ctx, ctx.actor, { action: 'portal.sessions_revoked', details: { revoked } });
  return { revoked };
}
