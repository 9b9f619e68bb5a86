import type { ProductVariant } from '@svc/contract';
import { boolean, bytes, instant, integer, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import { newSecret, sha256 } from './secrets.ts';
import type { Exchanged } from './tenant-tokens.ts';

// A reminder is sent three days before its payment.
const linkDays = 4;
const repeatSeconds = 30;
/** Wrong answers after which a link and its session are dead. */
export const mostTries = 5;

interface Addressee {
  readonly tenantId: string;
  readonly productVariant: ProductVariant;
  readonly email: string;
}

/**
 * Creates the secret of a mail's link to the tenant's plan. It stands in the URL's fragment, works
 * once, and only while the tenant's e-mail address is the one that it was sent to.
 */
export async function createMailLink(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { tenantId, productVariant, email }: Addressee,
): Promise<string> {
  const secret = newSecret('svc_ml_');
  const expiresAt = new Date(ctx.now.getTime() + linkDays * 86_400_000);
  await ctx.tx.run(sql`
    insert into tenant_token (secret_sha256, tenant_id, product_variant, by_mail, email_sha256,
      created_at, expires_at)
    values (${sha256(secret)}, ${tenantId}, ${productVariant}, true, ${sha256(email)}, ${ctx.now},
      ${expiresAt})`);
  return secret;
}

/** Whether the link was made for this address, so that a later attempt may send it again. */
export async function isLinkFor(
  { tx }: Pick<Ctx, 'tx'>,
  { secret, email }: { readonly secret: string; readonly email: string },
): Promise<boolean> {
  const found = await tx.run(sql`
    select from tenant_token
    where secret_sha256 = ${sha256(secret)} and email_sha256 = ${sha256(email)}`);
  return found === 1;
}

/**
 * Of token `k` and its tenant `t`: a mail's link is over once the portal reports another address,
 * and after too many wrong answers. Compared when it is used, so that a mail that is being sent
 * while the address changes carries a dead link too.
 */
export const isLinkAlive = sql`(k.failed_tries < ${mostTries}
  and coalesce(k.email_sha256 = sha256(convert_to(t.email, 'UTF8')), false))`;

interface Opened extends Exchanged {
  readonly partnerId: string;
  readonly pms: string;
}

const linkRow = row('mail link', {
  tenant_id: text,
  product_variant: oneOf('rent', 'hoa'),
  partner_id: text,
  pms: text,
  expires_at: instant,
  exchanged_at: nullable(instant),
  exchange_nonce_sha256: nullable(bytes),
  alive: boolean,
});

/** Uses a link up, as the exchange does a token. Only the press of a button does, never a GET. */
export async function useMailLink(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  input: { readonly link: string; readonly nonce: string },
): Promise<Opened> {
  const hash = sha256(input.link);
  const nonce = sha256(input.nonce);
  const row = await ctx.tx.maybe(
    linkRow,
    sql`
    select k.tenant_id, k.product_variant, t.partner_id, p.pms, k.expires_at, k.exchanged_at,
      k.exchange_nonce_sha256, ${isLinkAlive} as alive
    from tenant_token k join tenant t on t.id = k.tenant_id join partner p on p.id = t.partner_id
    where k.secret_sha256 = ${hash} and k.by_mail
    for update of k`,
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
    where secret_sha256 = ${hash}`);
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

/** How many wrong answers are left to a session that began with a link; locks the link's row. */
export async function lockTries(
  ctx: Pick<Ctx, 'tx'>,
  { sessionId }: { readonly sessionId: string },
): Promise<number> {
  const { failed_tries } = await ctx.tx.one(
    triesRow,
    sql`
    select k.failed_tries from tenant_token k
    where k.secret_sha256 = (select token_sha256 from experience_session where id = ${sessionId})
    for update of k`,
  );
  return mostTries - failed_tries;
}

/** Without a lock, to show. */
export async function readTries(
  ctx: Pick<Ctx, 'tx'>,
  { sessionId }: { readonly sessionId: string },
): Promise<number> {
  const { failed_tries } = await ctx.tx.one(
    triesRow,
    sql`
    select k.failed_tries from tenant_token k join experience_session s
      on s.token_sha256 = k.secret_sha256
    where s.id = ${sessionId}`,
  );
  return mostTries - failed_tries;
}

/** One wrong answer. The last one ends the link, and the session with it. */
export async function countWrongAnswer(
  { tx }: Pick<Ctx, 'tx'>,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  await tx.run(sql`
    update tenant_token set failed_tries = failed_tries + 1
    where secret_sha256 = (select token_sha256 from experience_session where id = ${sessionId})`);
}

/** From now on the session may pay and change things, as one from the portal. */
export async function confirmSession(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  await tx.run(sql`update experience_session set confirmed_at = ${now} where id = ${sessionId}`);
}
