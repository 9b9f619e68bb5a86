import { type ProductVariant, productVariants } from '@svc/contract';
import {
  boolean,
  bytes,
  instant,
  integer,
  nullable,
  oneOf,
  type Queryable,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { newSecret, sha256 } from './secrets.ts';
import type { Exchanged } from './tenant-tokens.ts';

// A reminder is sent three days before its payment, and its link must still work on that day.
const linkDays = 4;
const repeatSeconds = 30;
/** After so many wrong answers, a link and its session no longer work. */
const mostTries = 5;

interface Addressee extends TenantKey {
  readonly productVariant: ProductVariant;
  readonly addressedTo: LinkAddress;
}

/** The address that a link was mailed to, as its row stores it. Without the tenant's key, it reveals nothing. */
export interface LinkAddress {
  /** The tenant's `email_hmac`. Null if a service before 0.3.0 stored the tenant. */
  readonly hmac: Buffer | null;
  /** SHA-256 of an address that is stored in clear text, for such a service. */
  readonly sha256: Buffer | null;
}

/**
 * Creates the secret of a mail's link to the tenant's plan. It is in the URL's fragment, works once,
 * and only while the tenant's e-mail address is the one that it was sent to.
 */
export async function createMailLink(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, tenantId, productVariant, addressedTo }: Addressee,
): Promise<string> {
  const secret = newSecret('svc_ml_');
  const expiresAt = new Date(ctx.now.getTime() + linkDays * 86_400_000);
  await ctx.tx.run(sql`
    insert into tenant_token (secret_sha256, partner_id, tenant_id, product_variant, by_mail,
      email_hmac, email_sha256, created_at, expires_at)
    values (${sha256(secret)}, ${partnerId}, ${tenantId}, ${productVariant}, true,
      ${addressedTo.hmac}, ${addressedTo.sha256}, ${ctx.now}, ${expiresAt})`);
  return secret;
}

/** Returns whether the link was made for this address, so that a later attempt may send it again. */
export async function isLinkFor(
  { tx }: Pick<Ctx, 'tx'>,
  link: Pick<Addressee, 'partnerId' | 'addressedTo'> & { readonly secret: string },
): Promise<boolean> {
  const found = await tx.run(sql`
    select from tenant_token k
    where k.secret_sha256 = ${sha256(link.secret)} and k.partner_id = ${link.partnerId}
      and ${isSentTo(sql`${link.addressedTo.sha256}::bytea`, sql`${link.addressedTo.hmac}::bytea`)}`);
  return found === 1;
}

/**
 * SQL condition: the link of token `k` and its tenant `t` still works. It ends when the portal reports another
 * address, and after too many wrong answers. The address is compared when the link is used, so a mail
 * that is sent while the address changes has a link that no longer works, too.
 */
const isLinkAlive = sql`(k.failed_tries < ${mostTries}
  and ${isSentTo(sql`sha256(convert_to(t.email, 'UTF8'))`, sql`t.email_hmac`)})`;

const aliveRow = row('alive link', { alive: boolean });

/** Returns whether the link with which a session began still works. */
export async function doesLinkWork(
  q: Queryable,
  { partnerId, tenantId, tokenSha256 }: TenantKey & { readonly tokenSha256: Buffer },
): Promise<boolean> {
  const { alive } = await q.one(
    aliveRow,
    sql`
    select ${isLinkAlive} as alive
    from tenant_token k join tenant t on t.partner_id = k.partner_id and t.id = k.tenant_id
    where k.partner_id = ${partnerId} and t.id = ${tenantId} and k.secret_sha256 = ${tokenSha256}`,
  );
  return alive;
}

/**
 * SQL condition: the link of token `k` was sent to this address. An address in clear text is newer than the HMAC, so it
 * decides if there is one.
 */
function isSentTo(clearSha256: Sql, hmac: Sql): Sql {
  return sql`coalesce(case when ${clearSha256} is null then k.email_hmac = ${hmac}
      else k.email_sha256 = ${clearSha256} end, false)`;
}

interface Opened extends Exchanged {
  readonly pms: string;
}

const linkRow = row('mail link', {
  tenant_id: text,
  product_variant: oneOf(...productVariants),
  partner_id: text,
  pms: text,
  expires_at: instant,
  exchanged_at: nullable(instant),
  exchange_nonce_sha256: nullable(bytes),
  alive: boolean,
});

/** Uses a link, which works once. Called when the reader presses a button, not on GET. */
export async function useMailLink(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  input: { readonly link: string; readonly nonce: string },
): Promise<Opened> {
  const hash = sha256(input.link);
  const nonce = sha256(input.nonce);
  await ctx.tx.run(sql`
    /* all partners: the secret says which */
    select from tenant_token where secret_sha256 = ${hash} for update`);
  const row = await ctx.tx.maybe(
    linkRow,
    sql`
    /* all partners: the secret says which */
    select k.tenant_id, k.product_variant, k.partner_id, p.pms, k.expires_at, k.exchanged_at,
      k.exchange_nonce_sha256, ${isLinkAlive} as alive
    from tenant_token k join tenant t on t.partner_id = k.partner_id and t.id = k.tenant_id
      join partner p on p.id = k.partner_id
    where k.secret_sha256 = ${hash} and k.by_mail`,
  );
  if (!row) throw new Refusal('token_invalid', { message: `This link is not ours. ${whatToDo}` });
  if (row.exchanged_at === null && row.expires_at <= ctx.now) {
    const message = `This link is older than ${linkDays} days. ${whatToDo}`;
    throw new Refusal('token_expired', { message });
  }
  if (row.exchanged_at !== null) {
    const age = ctx.now.getTime() - row.exchanged_at.getTime();
    const repeated = row.exchange_nonce_sha256?.equals(nonce) ?? false;
    if (!repeated || age > repeatSeconds * 1000) {
      const message = `This link was used already: each works once. ${whatToDo}`;
      throw new Refusal('token_invalid', { message });
    }
  }
  if (!row.alive) {
    const message = `This link was turned off: the tenant has another e-mail address now, or the questions were answered wrong ${mostTries} times. ${whatToDo}`;
    throw new Refusal('token_invalid', { message });
  }
  await ctx.tx.run(sql`
    update tenant_token set exchanged_at = coalesce(exchanged_at, ${ctx.now}),
      exchange_nonce_sha256 = ${nonce}
    where secret_sha256 = ${hash} and partner_id = ${row.partner_id}`);
  return {
    tenantId: row.tenant_id,
    tokenSha256: hash,
    productVariant: row.product_variant,
    partnerId: row.partner_id,
    pms: row.pms,
  };
}

const whatToDo = 'Open your plan from your portal: it is the same plan.';

const triesRow = row('failed tries', { failed_tries: integer });

/** A session that began with a mail's link. */
interface LinkSession {
  readonly partnerId: string;
  readonly sessionId: string;
}

/** Locks the link's row and returns how many wrong answers the session has left. */
export async function lockTries(ctx: Pick<Ctx, 'tx'>, session: LinkSession): Promise<number> {
  const { failed_tries } = await ctx.tx.one(
    triesRow,
    sql`
    select failed_tries from tenant_token
    where partner_id = ${session.partnerId} and secret_sha256 = ${linkHashOf(session)}
    for update`,
  );
  return mostTries - failed_tries;
}

/** Returns how many wrong answers the session has left, without locking anything. */
export async function readTries(ctx: Pick<Ctx, 'tx'>, session: LinkSession): Promise<number> {
  const { failed_tries } = await ctx.tx.one(
    triesRow,
    sql`
    select failed_tries from tenant_token
    where partner_id = ${session.partnerId} and secret_sha256 = ${linkHashOf(session)}`,
  );
  return mostTries - failed_tries;
}

/** Counts a wrong answer. The last one ends the link and its session. */
export async function countWrongAnswer(
  { tx }: Pick<Ctx, 'tx'>,
  session: LinkSession,
): Promise<void> {
  await tx.run(sql`
    update tenant_token set failed_tries = failed_tries + 1
    where partner_id = ${session.partnerId} and secret_sha256 = ${linkHashOf(session)}`);
}

/** Returns a subquery for the hash of the link that the session began with. */
function linkHashOf({ partnerId, sessionId }: LinkSession): Sql {
  return sql`(select token_sha256 from experience_session
    where partner_id = ${partnerId} and id = ${sessionId})`;
}

/** Lets the session pay and change things from now on. */
export async function confirmSession(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, sessionId }: LinkSession,
): Promise<void> {
  await tx.run(sql`
    update experience_session set confirmed_at = ${now}
    where partner_id = ${partnerId} and id = ${sessionId}`);
}
