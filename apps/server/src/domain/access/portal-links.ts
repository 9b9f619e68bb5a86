import { type PortalScope, portalScopes } from '@svc/contract';
import { boolean, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { recordAudit } from '../audit/record.ts';
import { Refusal } from '../refusal.ts';
import type { PartnerActor } from './actor.ts';
import { isLiveKey } from './find-key.ts';
import { portalIdleUntil } from './portal-sessions.ts';
import { newSecret, sha256 } from './secrets.ts';

const linkMinutes = 10;
const sessionHours = 24;

interface LinkInput {
  readonly scope: PortalScope;
  readonly read_only: boolean;
  /** The person the link is for. */
  readonly person?: string | undefined;
}

/**
 * Creates a link to the console, with its secret in the fragment. Opening the page does not use the link;
 * a click on the page's button does.
 */
export async function createPortalLink(
  ctx: Ctx<PartnerActor>,
  { scope, read_only, person }: LinkInput,
): Promise<{ url: string }> {
  const secret = newSecret('svc_pl_');
  await ctx.tx.run(sql`
    insert into portal_link
      (secret_sha256, partner_id, key_id, scope, read_only, person, created_at, expires_at)
    values (${sha256(secret)}, ${ctx.actor.partnerId}, ${ctx.actor.credentialId}, ${scope},
      ${read_only}, ${person ?? null}, ${ctx.now}, ${addMs(ctx.now, linkMinutes * 60_000)})`);
  await recordAudit(ctx, ctx.actor, {
    action: 'portal.link_created',
    details: { scope, read_only, ...(person === undefined ? {} : { person }) },
  });
  return { url: `${ctx.service.publicOrigin}/portal#${secret}` };
}

const revokedRow = row('key of a portal link', { revoked: boolean });

/** Exchanges the link's secret for a session's, which goes into the cookie. */
export async function openPortalSession(ctx: Ctx, input: { secret: string }) {
  // Locks the key before the link, as its revocation does. Whichever of the two commits first, no
  // session is left open: the revocation sees this session, or this statement sees the revocation.
  const key = await ctx.tx.maybe(
    revokedRow,
    sql`
    /* all partners: the secret says which */
    select not (${isLiveKey(ctx.now)}) as revoked
    from portal_link l join api_key k on k.partner_id = l.partner_id and k.id = l.key_id
    where l.secret_sha256 = ${sha256(input.secret)} for share of k`,
  );
  if (key?.revoked) {
    throw new Refusal('token_invalid', {
      message:
        'The API key that created this link was revoked. Ask for a new link with GET /partner/webhook_portal_url.',
    });
  }
  const link = await ctx.tx.maybe(
    linkRow,
    sql`
    /* all partners: the secret says which */
    update portal_link l set used_at = ${ctx.now} from partner p
    where l.secret_sha256 = ${sha256(input.secret)} and l.used_at is null
      and l.expires_at > ${ctx.now} and p.id = l.partner_id
    returning l.partner_id, l.key_id, l.scope, l.read_only, l.person, p.pms`,
  );
  if (!link) {
    throw new Refusal('token_invalid', {
      message:
        'This link was used already or is older than 10 minutes. Ask for a new one with GET /partner/webhook_portal_url.',
    });
  }
  const secret = newSecret('svc_ps_');
  const expiresAt = addMs(ctx.now, sessionHours * 3_600_000);
  const sessionId = newId('pss', ctx.now);
  await ctx.tx.run(sql`
    insert into portal_session
      (id, secret_sha256, partner_id, key_id, scope, read_only, person, created_at, idle_until,
        expires_at)
    values (${sessionId}, ${sha256(secret)}, ${link.partner_id}, ${link.key_id}, ${link.scope},
      ${link.read_only}, ${link.person}, ${ctx.now}, ${portalIdleUntil(ctx.now)}, ${expiresAt})`);
  const by = { partnerId: link.partner_id, via: 'portal', credentialId: sessionId } as const;
  const details = { scope: link.scope, read_only: link.read_only };
  await recordAudit(ctx, by, { action: 'portal.session_opened', details });
  return {
    secret,
    session: {
      id: sessionId,
      pms: link.pms,
      environment: ctx.service.environment,
      read_only: link.read_only,
      scope: link.scope,
      view: null,
      external_id: null,
      person: link.person,
      expires_at: expiresAt.toISOString(),
    },
  };
}

const linkRow = row('portal link', {
  partner_id: text,
  key_id: nullable(text),
  scope: oneOf(...portalScopes),
  read_only: boolean,
  person: nullable(text),
  pms: text,
});

function addMs(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
