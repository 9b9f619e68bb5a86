import { boolean, bytes, instant, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../refusal.ts';
import { isLiveKey } from './find-key.ts';
import { endPortalAccess } from './portal-sessions.ts';
import { newApiKey, sha256 } from './secrets.ts';

/** Adds a live key. To rotate, create a key, switch over to it, and then revoke the old one. */
export async function createKey(ctx: Ctx, input: { pms: string }) {
  const partner_id = await findPartnerId(ctx, input.pms);
  return { partner_id, ...(await insertKey(ctx, partner_id)) };
}

/** An API key as the operator sees it, without the key itself. */
export interface ApiKeyLine {
  readonly key_id: string;
  readonly pms: string;
  /** The partner's name for it; null for a key made by the operator. */
  readonly name: string | null;
  /** The key's last four characters; null for a key that is older than this column. */
  readonly ends_with: string | null;
  readonly created_at: string;
  /** To within one minute. */
  readonly last_used_at: string | null;
  /** When a rotated key stops working; null if nothing replaced it. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

const listedRow = row('listed key', {
  key_id: text,
  pms: text,
  name: nullable(text),
  ends_with: nullable(text),
  created_at: instant,
  last_used_at: nullable(instant),
  expires_at: nullable(instant),
  revoked_at: nullable(instant),
});

/** Lists the keys of one partner, or of all partners, including revoked keys; newest first. */
export async function listKeys(
  ctx: Pick<Ctx, 'tx'>,
  { pms }: { pms?: string },
): Promise<{ items: ApiKeyLine[] }> {
  const partner = pms === undefined ? undefined : await findPartnerId(ctx, pms);
  const rows = await ctx.tx.many(
    listedRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    select k.id as key_id, p.pms, k.name, k.ends_with, k.created_at, k.last_used_at, k.expires_at,
      k.revoked_at
    from api_key k join partner p on p.id = k.partner_id
    where ${partner ?? null}::text is null or p.id = ${partner ?? null}
    order by p.pms, k.id desc`,
  );
  const items = rows.map(({ created_at, last_used_at, expires_at, revoked_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
  }));
  return { items };
}

const revokedRow = row('revoked key', { partner_id: text, pms: text, revoked: boolean });

/**
 * Revokes the key at once. Widget signatures made with it are refused, too, and the console links and
 * sessions that it created end.
 */
export async function revokeKey(
  ctx: Ctx,
  { key_id, even_last }: { readonly key_id: string; readonly even_last: boolean },
) {
  const key = await ctx.tx.maybe(
    revokedRow,
    sql`
    /* all partners: the operator names a key only */
    select k.partner_id, p.pms, k.revoked_at is null as revoked
    from api_key k join partner p on p.id = k.partner_id where k.id = ${key_id}`,
  );
  if (!key) throw new Refusal('not_found', { message: `There is no key ${key_id}.` });
  const { partner_id: partnerId, pms } = key;
  // Of two revocations at once, the second one sees that the other key is gone.
  await ctx.tx.run(sql`select from partner where id = ${partnerId} for no key update`);
  const others = await ctx.tx.many(
    otherKeyRow,
    sql`
    select k.id from api_key k where k.partner_id = ${partnerId} and k.id <> ${key_id}
      and ${isLiveKey(ctx.now)} and k.expires_at is null limit 1`,
  );
  if (key.revoked && others.length === 0 && !even_last) {
    throw new Refusal('last_api_key', {
      message: `${key_id} is the last API key of ${pms} that works without end. Without it, every call of the portal and every widget is refused. Create another one first with "key create ${pms}", or pass --even-last.`,
    });
  }
  const changed = await ctx.tx.run(sql`
    update api_key set revoked_at = ${ctx.now}
    where partner_id = ${partnerId} and id = ${key_id} and revoked_at is null`);
  const revoked = changed === 1;
  const sessions_ended = revoked ? await endPortalAccess(ctx, { partnerId, keyId: key_id }) : 0;
  return { partner_id: partnerId, pms, revoked, sessions_ended };
}

const otherKeyRow = row('other live key', { id: text });

const liveKeyRow = row('live key', { id: text, secret_sealed: bytes });

/** Decrypts all live keys of a partner. Any of them may have signed a widget. */
export async function liveKeys(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  partnerId: string,
): Promise<string[]> {
  const rows = await ctx.tx.many(
    liveKeyRow,
    sql`
    select k.id, k.secret_sealed from api_key k
    where k.partner_id = ${partnerId} and ${isLiveKey(ctx.now)} order by k.id`,
  );
  return rows.map((row) => ctx.service.vault.open(row.secret_sealed, row.id));
}

const storedKeyRow = row('stored key', {
  id: text,
  secret_sealed: bytes,
  ends_with: nullable(text),
  last_used_at: nullable(instant),
  revoked_at: nullable(instant),
});

/** A decrypted key of the partner. */
export interface StoredKey {
  readonly id: string;
  readonly secret: string;
  /** Such as "the key that ends in ab12". Not a secret. */
  readonly name: string;
  readonly isRevoked: boolean;
  readonly lastUsedAt: Date | null;
}

// A partner that rotates often still has an answer in time.
const mostStored = 100;

/** Decrypts the partner's keys, live ones first, then the newest. Revoked ones explain old signatures. */
export async function storedKeys(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  partnerId: string,
): Promise<StoredKey[]> {
  const rows = await tx.many(
    storedKeyRow,
    sql`
    select id, secret_sealed, ends_with, last_used_at, revoked_at from api_key
    where partner_id = ${partnerId}
    order by revoked_at is null desc, id desc limit ${mostStored}`,
  );
  return rows.map((it) => ({
    id: it.id,
    secret: service.vault.open(it.secret_sealed, it.id),
    name: it.ends_with === null ? `the key ${it.id}` : `the key that ends in ${it.ends_with}`,
    isRevoked: it.revoked_at !== null,
    lastUsedAt: it.last_used_at,
  }));
}

const partnerRow = row('partner id', { id: text });

async function findPartnerId({ tx }: Pick<Ctx, 'tx'>, pms: string): Promise<string> {
  const partner = await tx.maybe(partnerRow, sql`select id from partner where pms = ${pms}`);
  if (partner) return partner.id;
  throw new Refusal('not_found', {
    message: `There is no partner ${pms}: create it with "partner create".`,
  });
}

/** Inserts a key with a new secret, which is returned only here. */
export async function insertKey(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  partnerId: string,
  name: string | null = null,
) {
  const id = newId('key', ctx.now);
  const secret = newApiKey(ctx.service.environment);
  await ctx.tx.run(sql`
    insert into api_key (id, partner_id, name, secret_sha256, secret_sealed, ends_with, created_at)
    values (${id}, ${partnerId}, ${name}, ${sha256(secret)},
      ${ctx.service.vault.seal(secret, id)}, ${secret.slice(-4)}, ${ctx.now})`);
  return { key_id: id, api_key: secret };
}
