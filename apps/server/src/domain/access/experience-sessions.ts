import { productVariants } from '@svc/contract';
import { boolean, bytes, instant, oneOf, type Queryable, row, type Sql, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import type { TenantActor } from './actor.ts';
import { doesLinkWork } from './mail-links.ts';
import { newSecret, sha256 } from './secrets.ts';
import type { Exchanged } from './tenant-tokens.ts';

const idleMinutes = 15;
const totalMinutes = 60;

const sessionRow = row('experience session', {
  id: text,
  tenant_id: text,
  partner_id: text,
  pms: text,
  product_variant: oneOf(...productVariants),
  live: boolean,
  is_due: boolean,
  token_sha256: bytes,
  by_mail: boolean,
  access: oneOf('full', 'look', 'view'),
});

/** Finds the tenant of a live session by the session's secret. @throws Refusal of 401 */
export function findExperienceSession(
  q: Queryable,
  secret: string,
  now: Date,
): Promise<TenantActor> {
  return findLiveSession(q, sql`s.secret_sha256 = ${sha256(secret)}`, now);
}

/** Finds the tenant of a live session by its id, which the address of a document contains. @throws Refusal of 401 */
export function findSessionById(
  q: Queryable,
  { partnerId, sessionId }: Pick<TenantActor, 'partnerId' | 'sessionId'>,
  now: Date,
): Promise<TenantActor> {
  return findLiveSession(q, sql`s.partner_id = ${partnerId} and s.id = ${sessionId}`, now);
}

/**
 * Finds a live session and restarts its idle timeout, at most once a minute: writing and committing in each
 * request took as long as reading the whole state. A session can therefore idle out up to a minute early.
 */
async function findLiveSession(q: Queryable, which: Sql, now: Date): Promise<TenantActor> {
  const idleUntil = minutes(now, idleMinutes);
  const row = await q.maybe(
    sessionRow,
    sql`
    /* all partners: the secret or the id says which */
    select s.id, s.tenant_id, s.partner_id, p.pms, s.product_variant,
      s.idle_until > ${now} and (s.operator_session_id is null or exists (
        select from operator_session o where o.id = s.operator_session_id and o.revoked_at is null)) as live,
      s.idle_until <= least(s.expires_at, ${idleUntil}::timestamptz) - interval '1 minute' as is_due,
      s.token_sha256, k.by_mail and not ${isView} as by_mail,
      case when ${isView} then 'view' when k.by_mail and s.confirmed_at is null then 'look' else 'full' end as access
    from experience_session s
      join partner p on p.id = s.partner_id
      join tenant_token k on k.secret_sha256 = s.token_sha256
    where ${which}`,
  );
  if (!row) throw new Refusal('token_invalid');
  const { partner_id: partnerId, tenant_id: tenantId, token_sha256: tokenSha256 } = row;
  // Only a link's session reads the tenant, so that other requests start without a query to another cluster node.
  const isAlive = !row.by_mail || (await doesLinkWork(q, { partnerId, tenantId, tokenSha256 }));
  if (!row.live || !isAlive) throw new Refusal('token_expired');
  if (row.is_due) {
    await q.run(sql`
      update experience_session
      set idle_until = least(expires_at, ${idleUntil}::timestamptz)
      where partner_id = ${partnerId} and id = ${row.id} and idle_until > ${now}`);
  }
  return {
    kind: 'tenant',
    partnerId,
    pms: row.pms,
    tenantId,
    productVariant: row.product_variant,
    sessionId: row.id,
    access: row.access,
  };
}

/** SQL condition: the session `s` was opened for someone else to see what the tenant sees. */
const isView = sql`(s.operator_session_id is not null or s.portal_session_id is not null)`;

const openedRow = row('opened experience session', { id: text, expires_at: instant });

/**
 * Opens the session of a token. A repeated exchange of the same token replaces the session's secret,
 * because the caller did not receive the first one.
 */
export async function openExperienceSession(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  input: Exchanged,
): Promise<{ id: string; secret: string; expiresAt: Date }> {
  const secret = newSecret('svc_es_');
  const id = newId('xps', ctx.now);
  const row = await ctx.tx.one(
    openedRow,
    sql`
    insert into experience_session (id, secret_sha256, token_sha256, partner_id, tenant_id,
      product_variant, created_at, idle_until, expires_at)
    values (${id}, ${sha256(secret)}, ${input.tokenSha256}, ${input.partnerId}, ${input.tenantId},
      ${input.productVariant}, ${ctx.now}, ${minutes(ctx.now, idleMinutes)},
      ${minutes(ctx.now, totalMinutes)})
    on conflict (token_sha256) do update set secret_sha256 = excluded.secret_sha256
    returning id, expires_at`,
  );
  return { id: row.id, secret, expiresAt: row.expires_at };
}

const viewMinutes = 10;

/**
 * Opens a session in which an operator, or in the sandbox a partner, sees what the tenant sees. It ends after 10
 * minutes, and with the operator's own session. Its token is stored as that of a mail without an address, so nothing
 * else can use it.
 */
export async function openViewSession(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  view: TenantKey & {
    readonly productVariant: TenantActor['productVariant'];
    readonly operatorSessionId?: string;
    readonly portalSessionId?: string;
  },
): Promise<{ secret: string; expiresAt: Date }> {
  const { partnerId, tenantId, productVariant } = view;
  const { operatorSessionId = null, portalSessionId = null } = view;
  const secret = newSecret('svc_es_');
  const tokenSha256 = sha256(newSecret('svc_ml_'));
  const expiresAt = minutes(now, viewMinutes);
  await tx.run(sql`
    insert into tenant_token (secret_sha256, partner_id, tenant_id, product_variant, by_mail,
      created_at, expires_at, exchanged_at, exchange_nonce_sha256)
    values (${tokenSha256}, ${partnerId}, ${tenantId}, ${productVariant}, true, ${now}, ${expiresAt},
      ${now}, ${tokenSha256})`);
  await tx.run(sql`
    insert into experience_session (id, secret_sha256, token_sha256, partner_id, tenant_id,
      product_variant, created_at, idle_until, expires_at, operator_session_id, portal_session_id)
    values (${newId('xps', now)}, ${sha256(secret)}, ${tokenSha256}, ${partnerId}, ${tenantId},
      ${productVariant}, ${now}, ${expiresAt}, ${expiresAt}, ${operatorSessionId},
      ${portalSessionId})`);
  return { secret, expiresAt };
}

function minutes(from: Date, count: number): Date {
  return new Date(from.getTime() + count * 60_000);
}
