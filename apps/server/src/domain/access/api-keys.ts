import { type KeyScope, keyScopes } from '@svc/contract';
import { boolean, bytes, instant, listOf, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../refusal.ts';
import { hasEverythingScope, isLiveKey, signsWidgets } from './find-key.ts';
import { endPortalAccess } from './portal-sessions.ts';
import { newApiKey, sha256 } from './secrets.ts';

/** Adds a live key. To rotate, create a key, switch over to it, and then revoke the old one. */
export async function createKey(
  ctx: Ctx,
  { pms, scopes }: { readonly pms: string; readonly scopes?: readonly KeyScope[] | undefined },
) {
  const partner_id = await findPartnerId(ctx, pms);
  return { partner_id, ...(await insertKey(ctx, { partnerId: partner_id, scopes })) };
}

/** An API key as the operator sees it, without the key itself. */
export interface ApiKeyLine {
  readonly key_id: string;
  readonly pms: string;
  /** The partner's name for it; null for a key made by the operator. */
  readonly name: string | null;
  readonly scopes: readonly KeyScope[];
  /** The key's last four characters; null for a key that is older than this column. */
  readonly ends_with: string | null;
  readonly created_at: string;
  /** Accurate to one minute. */
  readonly last_used_at: string | null;
  /** When a rotated key stops working; null if nothing replaced it. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

const listedRow = row('listed key', {
  key_id: text,
  pms: text,
  name: nullable(text),
  scopes: listOf(oneOf(...keyScopes)),
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
    select k.id as key_id, p.pms, k.name, k.scopes, k.ends_with, k.created_at, k.last_used_at, k.expires_at,
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

const revokedRow = row('revoked key', {
  partner_id: text,
  pms: text,
  is_live: boolean,
  may_everything: boolean,
});

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
    select k.partner_id, p.pms, k.revoked_at is null as is_live, ${hasEverythingScope} as may_everything
    from api_key k join partner p on p.id = k.partner_id where k.id = ${key_id}`,
  );
  if (!key) throw new Refusal('not_found', { message: `There is no key ${key_id}.` });
  const { partner_id: partnerId, pms } = key;
  // Makes concurrent revocations wait, so that the second one sees that the other key is gone.
  await ctx.tx.run(sql`select from partner where id = ${partnerId} for no key update`);
  const others = await ctx.tx.many(
    otherKeyRow,
    sql`
    select k.id from api_key k where k.partner_id = ${partnerId} and k.id <> ${key_id}
      and ${isLiveKey(ctx.now)} and k.expires_at is null and ${hasEverythingScope} limit 1`,
  );
  if (key.is_live && key.may_everything && others.length === 0 && !even_last) {
    throw new Refusal('last_api_key', {
      message: `${key_id} is the last API key of ${pms} that has the scope everything and works without end. Without it, calls of the portal and its widgets may be refused. Create another one first with "key create ${pms}", or pass --even-last.`,
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

const fullKeyRow = row('key that may do everything', { id: text, secret_sealed: bytes });

/** Decrypts the partner's oldest live key that may do everything. Undefined if there is none. */
export async function findFullKey(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  partnerId: string,
): Promise<string | undefined> {
  const key = await ctx.tx.maybe(
    fullKeyRow,
    sql`
    select k.id, k.secret_sealed from api_key k
    where k.partner_id = ${partnerId} and ${isLiveKey(ctx.now)} and ${hasEverythingScope}
    order by k.id limit 1`,
  );
  return key && ctx.service.vault.open(key.secret_sealed, key.id);
}

const storedKeyRow = row('stored key', {
  id: text,
  secret_sealed: bytes,
  ends_with: nullable(text),
  signs_widgets: boolean,
  last_used_at: nullable(instant),
  revoked_at: nullable(instant),
});

/** A decrypted key of the partner. */
export interface StoredKey {
  readonly id: string;
  readonly secret: string;
  /** How messages name the key, such as "the key that ends in ab12". Not a secret. */
  readonly name: string;
  readonly isRevoked: boolean;
  readonly signsWidgets: boolean;
  readonly lastUsedAt: Date | null;
}

// Limited so that a partner that rotates often still gets a response in time.
const mostStored = 100;

/** Decrypts the partner's keys, live ones first, then the newest. Revoked ones explain old signatures. */
export async function storedKeys(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  partnerId: string,
): Promise<StoredKey[]> {
  const rows = await tx.many(
    storedKeyRow,
    sql`
    select k.id, k.secret_sealed, k.ends_with, ${signsWidgets} as signs_widgets, k.last_used_at,
      k.revoked_at
    from api_key k where k.partner_id = ${partnerId}
    order by k.revoked_at is null desc, k.id desc limit ${mostStored}`,
  );
  return rows.map((it) => ({
    id: it.id,
    secret: service.vault.open(it.secret_sealed, it.id),
    name: it.ends_with === null ? `the key ${it.id}` : `the key that ends in ${it.ends_with}`,
    isRevoked: it.revoked_at !== null,
    signsWidgets: it.signs_widgets,
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
  {
    partnerId,
    name = null,
    scopes = ['everything'],
  }: {
    readonly partnerId: string;
    readonly name?: string | null;
    readonly scopes?: readonly KeyScope[] | undefined;
  },
) {
  const id = newId('key', ctx.now);
  const secret = newApiKey(ctx.service.environment);
  await ctx.tx.run(sql`
    insert into api_key (id, partner_id, name, scopes, secret_sha256, secret_sealed, ends_with, created_at)
    values (${id}, ${partnerId}, ${name}, ${[...new Set(scopes)]}::text[], ${sha256(secret)},
      ${ctx.service.vault.seal(secret, id)}, ${secret.slice(-4)}, ${ctx.now})`);
  return { key_id: id, api_key: secret };
}
