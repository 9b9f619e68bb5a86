import { portalScopes, portalViews, type RevokedSessionsOutput } from '@svc/contract';
import {
  boolean,
  instant,
  nullable,
  oneOf,
  type Queryable,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { recordAudit } from '../audit/record.ts';
import { Refusal } from '../refusal.ts';
import type { PartnerActor } from './actor.ts';
import { isLiveKey } from './find-key.ts';
import { sha256 } from './secrets.ts';

const idleMinutes = 30;

// Sessions end within a day, so one page is enough.
const mostListed = 200;

const sessionRow = row('console session', {
  id: text,
  partner_id: text,
  pms: text,
  read_only: boolean,
  scope: oneOf(...portalScopes),
  view: nullable(oneOf(...portalViews)),
  external_id: nullable(text),
  created_at: instant,
  expires_at: instant,
  is_due: boolean,
});

/**
 * Finds the partner of a live console session. `isFramed` is true for a token of a frame and false for a
 * cookie, so that neither works in place of the other. A request that a person caused restarts the session's idle
 * timeout, at most once a minute, as in `findExperienceSession`: so a session can idle out up to a
 * minute early. A page that only refreshes itself (`background`) does not restart it.
 *
 * Services before 0.3.0 open sessions without `idle_until` and never write it. Such a session is live
 * until its first use here, which starts its timeout.
 */
export async function findPortalSession(
  q: Queryable,
  { secret, background, isFramed }: PortalCredential,
  now: Date,
): Promise<PartnerActor> {
  const idleUntil = portalIdleUntil(now);
  const row = await q.maybe(
    sessionRow,
    sql`
    /* all partners: the secret says which */
    select s.id, s.partner_id, p.pms, s.read_only, s.scope, s.view, s.external_id, s.created_at,
      s.expires_at,
      s.idle_until is null or not ${background}::boolean
        and s.idle_until <= least(s.expires_at, ${idleUntil}::timestamptz) - interval '1 minute' as is_due
    from portal_session s join partner p on p.id = s.partner_id
    where s.secret_sha256 = ${sha256(secret)} and (s.view is not null) = ${isFramed}::boolean
      and ${isOpen(now)}`,
  );
  if (!row) {
    throw new Refusal('invalid_credentials', {
      message: isFramed
        ? 'This portal token has expired or was revoked. Create one with POST /v1/portal_tokens.'
        : 'The console session has ended. Open the console with a new link.',
    });
  }
  if (row.is_due) {
    await q.run(sql`
      update portal_session
      set idle_until = least(expires_at, ${idleUntil}::timestamptz)
      where partner_id = ${row.partner_id} and id = ${row.id} and ${isOpen(now)}`);
  }
  return {
    kind: 'partner',
    partnerId: row.partner_id,
    pms: row.pms,
    via: 'portal',
    credentialId: row.id,
    readOnly: row.read_only,
    keyScopes: ['everything'],
    scope: row.scope,
    view: row.view,
    externalId: row.external_id,
    openedAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

interface PortalCredential {
  readonly secret: string;
  readonly background: boolean;
  readonly isFramed: boolean;
}

/** Returns when a session that is used now ends if it is not used again. */
export function portalIdleUntil(now: Date): Date {
  return new Date(now.getTime() + idleMinutes * 60_000);
}

/** SQL condition: the session is neither signed out, nor expired, nor idle. */
function isOpen(now: Date): Sql {
  return sql`revoked_at is null and expires_at > ${now}
      and (idle_until is null or idle_until > ${now})`;
}

const personRow = row('console session person', { person: nullable(text) });

/** Describes the caller's console session; null without one. */
export async function describePortalSession({ tx, actor, service }: Ctx) {
  if (actor.kind !== 'partner') return null;
  const { person } = await tx.one(
    personRow,
    sql`
    select person from portal_session
    where partner_id = ${actor.partnerId} and id = ${actor.credentialId}`,
  );
  return {
    id: actor.credentialId,
    pms: actor.pms,
    environment: service.environment,
    read_only: actor.readOnly,
    scope: actor.scope,
    view: actor.view,
    external_id: actor.externalId,
    person,
    expires_at: (actor.expiresAt ?? new Date(0)).toISOString(),
  };
}

const listedRow = row('listed console session', {
  id: text,
  person: nullable(text),
  read_only: boolean,
  scope: oneOf(...portalScopes),
  view: nullable(oneOf(...portalViews)),
  created_at: instant,
  expires_at: instant,
});

const createdKeyRow = row('API key of an open session', {
  session_id: text,
  id: text,
  name: nullable(text),
});

/** The API keys that were created in the partner's open sessions and still work, newest first. */
async function listKeysOfOpenSessions({ tx, now, actor: { partnerId } }: Ctx<PartnerActor>) {
  return tx.many(
    createdKeyRow,
    sql`
    /* many rows: all open links and sessions */
    select e.credential_id as session_id, k.id, k.name
    from audit_entry e join api_key k on k.partner_id = e.partner_id
      and k.id = coalesce(e.details->>'new_key_id', e.subject_id)
    where e.partner_id = ${partnerId} and k.partner_id = ${partnerId}
      and e.action in ('key.created', 'key.rotated') and ${isLiveKey(now)}
      and e.credential_id in (
        select id from portal_session where partner_id = ${partnerId} and ${isOpen(now)})
    order by k.id desc`,
  );
}

/** The partner's open sessions, newest first, and those of frames last: each frame opens several an hour. */
export async function listPortalSessions(ctx: Ctx<PartnerActor>) {
  const { tx, now, actor } = ctx;
  const keys = await listKeysOfOpenSessions(ctx);
  const rows = await tx.many(
    listedRow,
    sql`
    /* many rows: all open sessions, because those of frames come last */
    select id, person, read_only, scope, view, created_at, expires_at from portal_session
    where partner_id = ${actor.partnerId} and ${isOpen(now)}
    order by view is not null, id desc limit ${mostListed}`,
  );
  const items = rows.map(({ created_at, expires_at, ...row }) => ({
    ...row,
    opened_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    api_keys: keys.filter((key) => key.session_id === row.id),
  }));
  return { items, next_cursor: null };
}

/** Signs this browser out. */
export async function closePortalSession(ctx: Ctx<PartnerActor>): Promise<{ revoked: number }> {
  const revoked = await ctx.tx.run(sql`
    update portal_session set revoked_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and id = ${ctx.actor.credentialId}
      and revoked_at is null`);
  await recordAudit(ctx, ctx.actor, { action: 'portal.session_closed' });
  return { revoked };
}

const endedRow = row('ended console session', { created_at: instant, person: nullable(text) });

/** Signs another browser out. @throws Refusal when the partner has no such open session */
export async function revokePortalSession(
  ctx: Ctx<PartnerActor>,
  { id }: { id: string },
): Promise<null> {
  const ended = await ctx.tx.maybe(
    endedRow,
    sql`
    update portal_session set revoked_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and id = ${id} and ${isOpen(ctx.now)}
    returning created_at, person`,
  );
  if (!ended) throw new Refusal('not_found', { message: 'This session has ended already.' });
  await recordAudit(ctx, ctx.actor, {
    action: 'portal.session_revoked',
    details: {
      opened_at: ended.created_at.toISOString(),
      ...(ended.person === null ? {} : { person: ended.person }),
    },
  });
  return null;
}

/**
 * Ends every console session of the partner, and every link not yet used. API keys that were created in
 * these sessions keep working, because the partner's backend may use them: the caller gets their list.
 */
export async function revokePortalSessions(ctx: Ctx<PartnerActor>): Promise<RevokedSessionsOutput> {
  const api_keys = await listKeysOfOpenSessions(ctx);
  const revoked = await ctx.tx.run(sql`
    update portal_session set revoked_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and revoked_at is null`);
  await ctx.tx.run(sql`
    /* many rows: all open links and sessions */
    update portal_link set expires_at = ${ctx.now}
    where partner_id = ${ctx.actor.partnerId} and expires_at > ${ctx.now}`);
  await recordAudit(ctx, ctx.actor, { action: 'portal.sessions_revoked', details: { revoked } });
  return { revoked, api_keys };
}

/**
 * Ends the links and console sessions that an API key has created. The key's row is locked, so no
 * session can be opened until the commit; see `openPortalSession`. Links and sessions of services before 0.3.0
 * do not name their key, so they end too.
 */
export async function endPortalAccess(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, keyId }: { readonly partnerId: string; readonly keyId: string },
): Promise<number> {
  await tx.run(sql`
    /* many rows: all open links and sessions */
    update portal_link set expires_at = ${now}
    where partner_id = ${partnerId} and (key_id = ${keyId} or key_id is null)
      and expires_at > ${now}`);
  return tx.run(sql`
    /* many rows: all open links and sessions */
    update portal_session set revoked_at = ${now}
    where partner_id = ${partnerId} and (key_id = ${keyId} or key_id is null)
      and ${isOpen(now)}`);
}
