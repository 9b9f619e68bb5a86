import {
  type ApiKeyOutput,
  type CreatedApiKeyOutput,
  type KeyScope,
  keyScopes,
  type RevokedApiKeyOutput,
  type RotatedApiKeyOutput,
  type SvcEnvironment,
} from '@svc/contract';
import {
  boolean,
  instant,
  listOf,
  nullable,
  oneOf,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { recordAudit } from '../audit/record.ts';
import { Refusal } from '../refusal.ts';
import type { PartnerActor } from './actor.ts';
import { insertKey } from './api-keys.ts';
import { hasEverythingScope, isLiveKey } from './find-key.ts';
import { endPortalAccess } from './portal-sessions.ts';

// Limited because each widget signature is compared with every live key.
const mostLiveKeys = 20;

const keyRow = row('API key of a partner', {
  id: text,
  name: nullable(text),
  scopes: listOf(oneOf(...keyScopes)),
  ends_with: nullable(text),
  created_at: instant,
  last_used_at: nullable(instant),
  expires_at: nullable(instant),
  revoked_at: nullable(instant),
  is_live: boolean,
  is_current: boolean,
});

/** The partner's keys, newest first, revoked ones included. */
export async function listPartnerKeys(ctx: Ctx<PartnerActor>): Promise<ApiKeyOutput[]> {
  const rows = await ctx.tx.many(keyRow, sql`${selectKeys(ctx)} order by k.id desc`);
  return rows.map((key) => describe(key, ctx.service.environment));
}

/** Creates a key. Only its result contains the secret. */
export async function createPartnerKey(
  ctx: Ctx<PartnerActor>,
  { name, scopes }: { readonly name: string; readonly scopes: readonly KeyScope[] },
): Promise<CreatedApiKeyOutput> {
  await lockKeys(ctx);
  const { live: isFull } = await ctx.tx.one(
    liveRow,
    sql`
    select count(*)::integer >= ${mostLiveKeys}::integer as live from api_key k
    where k.partner_id = ${ctx.actor.partnerId} and ${isLiveKey(ctx.now)}`,
  );
  if (isFull) {
    const message = `There are ${mostLiveKeys} API keys that work. Revoke one that is not used, then create this one.`;
    throw new Refusal('validation_failed', {
      message,
      errors: [{ param: 'name', code: 'too_big', message }],
    });
  }
  const { key_id, api_key } = await insertKey(ctx, {
    partnerId: ctx.actor.partnerId,
    name,
    scopes,
  });
  await recordAudit(ctx, ctx.actor, {
    action: 'key.created',
    subject_id: key_id,
    details: { name, scopes: [...scopes], ends_with: api_key.slice(-4) },
  });
  return { ...(await readKey(ctx, key_id)), api_key, warnings: [] };
}

/**
 * Replaces a key. The old one is valid for `overlap_hours`; console sessions of its links end with it,
 * except the session that makes this call, because its page still has to show the secret. That session
 * continues under the new key, for 15 minutes at most, so that revoking the old key ends it soon.
 */
export async function rotatePartnerKey(
  ctx: Ctx<PartnerActor>,
  { id, overlap_hours }: { id: string; overlap_hours: number },
): Promise<RotatedApiKeyOutput> {
  await lockKeys(ctx);
  const old = await readKey(ctx, id);
  if (old.state !== 'live') throw notLive(old);
  const { partnerId, via, credentialId } = ctx.actor;
  const { name, scopes } = old;
  const { key_id, api_key } = await insertKey(ctx, { partnerId, name, scopes });
  if (via === 'portal') {
    await ctx.tx.run(sql`
      update portal_session set key_id = ${key_id},
        expires_at = least(expires_at, ${ctx.now}::timestamptz + interval '15 minutes')
      where partner_id = ${partnerId} and id = ${credentialId} and key_id = ${id}`);
  }
  const expiresAt = new Date(ctx.now.getTime() + overlap_hours * 3_600_000);
  await ctx.tx.run(sql`
    update api_key set expires_at = ${expiresAt} where partner_id = ${partnerId} and id = ${id}`);
  if (overlap_hours === 0) await revokeKey(ctx, id);
  const expires_at = expiresAt.toISOString();
  await recordAudit(ctx, ctx.actor, {
    action: 'key.rotated',
    subject_id: id,
    details: { new_key_id: key_id, overlap_hours, expires_at },
  });
  return { ...(await readKey(ctx, key_id)), api_key, warnings: [], replaces: { id, expires_at } };
}

/**
 * Returns the response to a repeated call to create or rotate a key: the key's present state, without its
 * secret, because the second caller may have other rights than the first.
 */
export async function describeCreatedKey<K extends CreatedApiKeyOutput>(
  ctx: Ctx<PartnerActor>,
  stored: K,
): Promise<K> {
  const { id } = stored;
  const message = `This call was answered before, and an API key is shown only once. If you do not have that answer, revoke ${id} and create another key.`;
  const warnings = [{ code: 'secret_shown_once', param: 'api_key', message }];
  return { ...stored, ...(await findKey(ctx, id)), api_key: null, warnings };
}

/**
 * Revokes a key at once. Portal links and sessions that it created end. Repeating a call changes
 * nothing.
 * @throws Refusal `last_api_key` when no other key that may do everything works without end
 */
export async function revokePartnerKey(
  ctx: Ctx<PartnerActor>,
  { id }: { id: string },
): Promise<RevokedApiKeyOutput> {
  await lockKeys(ctx);
  const key = await readKey(ctx, id);
  if (key.revoked_at !== null) {
    return { id, revoked_at: key.revoked_at, sessions_ended: 0 };
  }
  if (key.scopes.includes('everything')) {
    const { live: hasOther } = await ctx.tx.one(
      liveRow,
      sql`
      select exists (select from api_key k where k.partner_id = ${ctx.actor.partnerId}
        and k.id <> ${id} and ${isLiveKey(ctx.now)} and k.expires_at is null
        and ${hasEverythingScope}) as live`,
    );
    if (!hasOther) throw new Refusal('last_api_key');
  }
  const sessions_ended = await revokeKey(ctx, id);
  await recordAudit(ctx, ctx.actor, {
    action: 'key.revoked',
    subject_id: id,
    details: { ...(key.ends_with === null ? {} : { ends_with: key.ends_with }), sessions_ended },
  });
  return { id, revoked_at: ctx.now.toISOString(), sessions_ended };
}

const expiredRow = row('expired key', { partner_id: text, id: text });

/**
 * Revokes keys whose overlap is over, and ends the console access that they gave. The key itself stopped
 * working at `expires_at`. Returns how many it revoked.
 */
export async function revokeExpiredKeys(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { limit }: { limit: number },
): Promise<number> {
  const { tx, now } = ctx;
  const expired = await tx.many(
    expiredRow,
    sql`
    /* all partners */
    update api_key set revoked_at = expires_at
    where (partner_id, id) in (
      select partner_id, id from api_key
      where revoked_at is null and expires_at <= ${now}
      limit ${limit} for update skip locked)
    returning partner_id, id`,
  );
  for (const { partner_id: partnerId, id: keyId } of expired) {
    await endPortalAccess(ctx, { partnerId, keyId });
  }
  return expired.length;
}

const liveRow = row('live keys', { live: boolean });

/**
 * Serializes the changes of a partner's keys. Without it, two calls could each revoke a key while the
 * other key still works, and leave none.
 */
async function lockKeys(ctx: Ctx<PartnerActor>): Promise<void> {
  await ctx.tx.run(sql`select from partner where id = ${ctx.actor.partnerId} for no key update`);
}

async function revokeKey(ctx: Ctx<PartnerActor>, keyId: string): Promise<number> {
  const { partnerId } = ctx.actor;
  await ctx.tx.run(sql`
    update api_key set revoked_at = ${ctx.now}
    where partner_id = ${partnerId} and id = ${keyId} and revoked_at is null`);
  return endPortalAccess(ctx, { partnerId, keyId });
}

/** Locks the key, as `openPortalSession` does, so that no session is opened before the commit. */
function readKey(ctx: Ctx<PartnerActor>, id: string): Promise<ApiKeyOutput> {
  return findKey(ctx, id, sql`for update of k`);
}

/** @throws Refusal `api_key_not_found` */
async function findKey(ctx: Ctx<PartnerActor>, id: string, lock = sql``): Promise<ApiKeyOutput> {
  const key = await ctx.tx.maybe(keyRow, sql`${selectKeys(ctx)} and k.id = ${id} ${lock}`);
  if (!key) throw new Refusal('api_key_not_found', { message: `You have no API key ${id}.` });
  return describe(key, ctx.service.environment);
}

function selectKeys({ now, actor }: Ctx<PartnerActor>): Sql {
  const { partnerId, via, credentialId } = actor;
  const current =
    via === 'key'
      ? sql`${credentialId}::text`
      : sql`(select s.key_id from portal_session s
          where s.partner_id = ${partnerId} and s.id = ${credentialId})`;
  return sql`
    select k.id, k.name, k.scopes, k.ends_with, k.created_at, k.last_used_at, k.expires_at, k.revoked_at,
      (${isLiveKey(now)}) as is_live, coalesce(k.id = ${current}, false) as is_current
    from api_key k where k.partner_id = ${partnerId}`;
}

function describe(key: RowOf<typeof keyRow>, environment: SvcEnvironment): ApiKeyOutput {
  const { id, name, scopes, ends_with, created_at, last_used_at, expires_at, revoked_at } = key;
  const liveState = expires_at === null ? ('live' as const) : ('expiring' as const);
  return {
    id,
    name,
    scopes: [...scopes],
    prefix: `svc_${environment}_`,
    ends_with,
    state: key.is_live ? liveState : 'revoked',
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
    // After the overlap, `revoked_at` is null until the lane has written it.
    revoked_at: (revoked_at ?? (key.is_live ? null : expires_at))?.toISOString() ?? null,
    is_current: key.is_current,
  };
}

function notLive({ id, state, expires_at }: ApiKeyOutput): Refusal {
  const message =
    state === 'expiring'
      ? `The API key ${id} was rotated already and works until ${expires_at}. Rotate the key that replaced it.`
      : `The API key ${id} is revoked. Create a new key instead.`;
  return new Refusal('version_conflict', { message });
}
