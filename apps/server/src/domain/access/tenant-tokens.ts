import { type ProductVariant, productVariants } from '@svc/contract';
import { bytes, instant, nullable, oneOf, row, type Sql, sql, type Tx, text } from '@svc/db';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';
import { sha256 } from './secrets.ts';

const repeatSeconds = 30;

interface Exchange {
  readonly token: string;
  readonly nonce: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly productVariant: ProductVariant;
}

/** A token or a mail's link that was used. */
export interface Exchanged extends TenantKey {
  readonly tokenSha256: Buffer;
  readonly productVariant: ProductVariant;
}

const tokenRow = row('tenant token', {
  tenant_id: text,
  product_variant: nullable(oneOf(...productVariants)),
  expires_at: instant,
  exchanged_at: nullable(instant),
  exchange_nonce_sha256: nullable(bytes),
});

/**
 * Uses a token, which works once: the row's lock decides between two concurrent calls. The same nonce
 * may repeat the call for 30 s, because the first response may have been lost.
 */
export async function useTenantToken(tx: Tx, now: Date, input: Exchange): Promise<Exchanged> {
  const hash = sha256(input.token);
  const nonce = sha256(input.nonce);
  const row = await tx.maybe(
    tokenRow,
    sql`
    select k.tenant_id, k.product_variant, k.expires_at, k.exchanged_at, k.exchange_nonce_sha256
    from tenant_token k join tenant t on t.partner_id = k.partner_id and t.id = k.tenant_id
    where k.secret_sha256 = ${hash} and k.partner_id = ${input.partnerId}
      and t.external_id = ${input.externalId} and not k.by_mail
    for update of k`,
  );
  if (!row) throw new Refusal('token_invalid');
  if (row.exchanged_at === null) {
    if (row.expires_at <= now) throw new Refusal('token_expired');
  } else {
    const repeated = row.exchange_nonce_sha256?.equals(nonce) ?? false;
    const age = now.getTime() - row.exchanged_at.getTime();
    if (!repeated || age > repeatSeconds * 1000) throw new Refusal('token_invalid');
  }
  if (row.product_variant !== null && row.product_variant !== input.productVariant) {
    throw new Refusal('validation_failed', {
      param: 'product_variant',
      message: `portal_info named the variant "${row.product_variant}" but the widget says "${input.productVariant}": make them agree.`,
    });
  }
  await tx.run(sql`
    update tenant_token set exchanged_at = coalesce(exchanged_at, ${now}),
      exchange_nonce_sha256 = ${nonce}
    where secret_sha256 = ${hash} and partner_id = ${input.partnerId}`);
  const { partnerId, productVariant } = input;
  return { partnerId, tenantId: row.tenant_id, tokenSha256: hash, productVariant };
}

interface NewToken {
  readonly secret: string;
  /** The variant that the portal named; null if it named none. */
  readonly variant: ProductVariant | null;
  readonly expiresAt: Date;
}

/**
 * Returns the statement that stores a token.
 * @param into.from the name of a `with` query that returns the tenant's `partner_id` and `id`
 */
export function insertToken(
  { secret, variant, expiresAt }: NewToken,
  { from, now }: { readonly from: Sql; readonly now: Date },
): Sql {
  return sql`
    insert into tenant_token (secret_sha256, partner_id, tenant_id, product_variant, created_at,
      expires_at)
    select ${sha256(secret)}, saved.partner_id, saved.id, ${variant}, ${now}, ${expiresAt}
    from ${from} as saved`;
}
