import { randomInt, timingSafeEqual } from 'node:crypto';
import { type HostedInput, type ProductVariant, productVariants } from '@svc/contract';
import { bytes, instant, integer, nullable, oneOf, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { newSecret, sha256 } from './secrets.ts';
import type { Exchanged } from './tenant-tokens.ts';

const repeatSeconds = 30;
const codeSeconds = 600;
/** The most codes that are sent for one link. */
const mostCodes = 5;

export type CodeChannel = 'email' | 'text';

interface NewLink extends TenantKey {
  readonly pms: string;
  readonly keyId: string;
  readonly variant: ProductVariant | null;
  /** Checked against the portal's origins and schemes. */
  readonly returnUrl: string | null;
}

/**
 * Creates a link that opens the experience once, on our own page. The secret is in the fragment, so it
 * reaches no server's log; its prefix tells the page whether to ask for a code.
 */
export async function createHostedLink(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { partnerId, tenantId, pms, keyId, variant, returnUrl }: NewLink,
  { use, sent_by, expires_in }: HostedInput,
): Promise<{ url: string; expiresAt: Date }> {
  const secret = newSecret(use === 'message' ? 'svc_hm_' : 'svc_hl_');
  const expiresAt = new Date(now.getTime() + expires_in * 1000);
  await tx.run(sql`
    insert into hosted_link (partner_id, id, tenant_id, key_id, secret_sha256, product_variant, use,
      sent_by, return_url, created_at, expires_at)
    values (${partnerId}, ${newId('hlk', now)}, ${tenantId}, ${keyId}, ${sha256(secret)}, ${variant},
      ${use}, ${sent_by}, ${returnUrl}, ${now}, ${expiresAt})`);
  return { url: `${service.publicOrigin}/experience/${pms}#link=${secret}`, expiresAt };
}

const linkRow = row('hosted link', {
  id: text,
  partnerId: text,
  tenantId: text,
  pms: text,
  productVariant: nullable(oneOf(...productVariants)),
  use: oneOf('redirect', 'message'),
  sentBy: oneOf('email', 'text'),
  secretSha256: bytes,
  expiresAt: instant,
  openedAt: nullable(instant),
  openNonceSha256: nullable(bytes),
  revokedAt: nullable(instant),
  codeHmac: nullable(bytes),
  codeExpiresAt: nullable(instant),
  codesSent: integer,
  triesLeft: integer,
});
export type HostedLink = RowOf<typeof linkRow>;

const whatToDo = 'Go back to your portal and open it again from there.';

/**
 * Finds a link and locks it, so that of two concurrent uses the second one sees the first.
 * @throws Refusal `token_invalid` or `token_expired`, with a sentence for the tenant
 */
export async function lockHostedLink(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { link: secret, nonce }: { readonly link: string; readonly nonce?: string },
): Promise<HostedLink> {
  const link = await tx.maybe(
    linkRow,
    sql`
    /* all partners: the secret says which */
    select h.id, h.partner_id, h.tenant_id, p.pms, h.product_variant, h.use, h.sent_by,
      h.secret_sha256, h.expires_at, h.opened_at, h.open_nonce_sha256, h.revoked_at, h.code_hmac,
      h.code_expires_at, h.codes_sent, h.tries_left
    from hosted_link h join partner p on p.id = h.partner_id
    where h.secret_sha256 = ${sha256(secret)} for update of h`,
  );
  const refuse = (code: 'token_invalid' | 'token_expired', message: string) =>
    new Refusal(code, { message: `${message} ${whatToDo}` });
  if (!link) throw refuse('token_invalid', 'This link is not complete.');
  if (link.revokedAt !== null) throw refuse('token_invalid', 'This link was turned off.');
  if (link.openedAt !== null) {
    const isRepeated =
      nonce !== undefined && (link.openNonceSha256?.equals(sha256(nonce)) ?? false);
    const age = now.getTime() - link.openedAt.getTime();
    if (!isRepeated || age > repeatSeconds * 1000) {
      throw refuse('token_invalid', 'This link was used already: each works once.');
    }
  } else if (link.expiresAt <= now) {
    throw refuse('token_expired', 'This link has expired.');
  }
  if (link.triesLeft === 0) {
    throw refuse('token_invalid', 'This link was turned off after five wrong codes.');
  }
  return link;
}

/**
 * Uses a locked link, which works once. The page that used it may repeat the call for 30 seconds, because
 * the first response may have been lost.
 */
export async function useHostedLink(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  link: HostedLink,
  { nonce }: { readonly nonce: string },
): Promise<Exchanged & { readonly pms: string }> {
  const { partnerId, tenantId, pms, secretSha256: tokenSha256, expiresAt } = link;
  const productVariant = link.productVariant ?? 'rent';
  const nonceSha256 = sha256(nonce);
  await tx.run(sql`
    update hosted_link set opened_at = coalesce(opened_at, ${now}), open_nonce_sha256 = ${nonceSha256},
      code_hmac = null
    where partner_id = ${partnerId} and id = ${link.id}`);
  // A session needs a token. This one is stored as used, so it opens nothing else.
  await tx.run(sql`
    insert into tenant_token (secret_sha256, partner_id, tenant_id, product_variant, created_at,
      expires_at, exchanged_at, exchange_nonce_sha256)
    values (${tokenSha256}, ${partnerId}, ${tenantId}, ${productVariant}, ${now}, ${expiresAt}, ${now},
      ${nonceSha256})
    on conflict (secret_sha256) do nothing`);
  return { partnerId, tenantId, pms, tokenSha256, productVariant };
}

/**
 * Makes a new code for a locked link. Only the newest one works, for 10 minutes. Null after five codes.
 */
export async function newLinkCode(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  link: HostedLink,
): Promise<string | null> {
  if (link.codesSent >= mostCodes) return null;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await tx.run(sql`
    update hosted_link set code_hmac = ${digestsOf({ service }, link, code)[0]},
      code_expires_at = ${new Date(now.getTime() + codeSeconds * 1000)}, codes_sent = codes_sent + 1
    where partner_id = ${link.partnerId} and id = ${link.id}`);
  return code;
}

/**
 * Compares a code with the newest one of a locked link. A wrong code is data, not a refusal, because its
 * count must be committed.
 */
export async function checkLinkCode(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  link: HostedLink,
  code: string,
): Promise<'wrong_code' | 'code_expired' | null> {
  const { codeHmac, codeExpiresAt } = link;
  if (codeHmac === null || codeExpiresAt === null || codeExpiresAt <= now) return 'code_expired';
  if (digestsOf({ service }, link, code).some((it) => timingSafeEqual(it, codeHmac))) return null;
  await tx.run(sql`
    update hosted_link set tries_left = tries_left - 1
    where partner_id = ${link.partnerId} and id = ${link.id}`);
  return 'wrong_code';
}

/** Returns the code's digests. They include the link's id, so that equal codes have different digests. */
function digestsOf({ service }: Pick<Ctx, 'service'>, { id }: HostedLink, code: string) {
  return service.vault.digests(`${id} ${code}`);
}

/** Turns off the links of a tenant, and ends the sessions that they opened. Returns how many worked. */
export async function revokeHostedLinks(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, tenantId }: TenantKey,
): Promise<number> {
  await tx.run(sql`
    update experience_session s set idle_until = least(s.idle_until, ${now}::timestamptz)
    from hosted_link h
    where h.partner_id = ${partnerId} and h.tenant_id = ${tenantId} and h.revoked_at is null
      and s.partner_id = ${partnerId} and s.token_sha256 = h.secret_sha256`);
  return tx.run(sql`
    update hosted_link set revoked_at = ${now}
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and revoked_at is null
      and expires_at > ${now}`);
}
