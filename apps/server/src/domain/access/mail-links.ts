import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import { newSecret, sha256 } from './secrets.ts';
import type { Exchanged } from './tenant-tokens.ts';

// A reminder comes three days before its payment.
const linkDays = 4;
const repeatSeconds = 30;

/** The secret of a mail's link to the tenant's plan; it stands in the fragment and works once. */
export async function createMailLink(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  tenant: { readonly tenantId: string; readonly productVariant: 'rent' | 'hoa' },
): Promise<string> {
  const secret = newSecret('svc_ml_');
  const expiresAt = new Date(ctx.now.getTime() + linkDays * 86_400_000);
  await ctx.tx.run(sql`
    insert into tenant_token (secret_sha256, tenant_id, product_variant, by_mail, created_at,
      expires_at)
    values (${sha256(secret)}, ${tenant.tenantId}, ${tenant.productVariant}, true, ${ctx.now},
      ${expiresAt})`);
  return secret;
}

interface Opened extends Exchanged {
  readonly partnerId: string;
  readonly pms: string;
}

interface Row {
  readonly tenant_id: string;
  readonly product_variant: 'rent' | 'hoa';
  readonly partner_id: string;
  readonly pms: string;
  readonly expires_at: Date;
  readonly exchanged_at: Date | null;
  readonly exchange_nonce_sha256: Buffer | null;
}

/** Uses a link up, as the exchange does a token: only the page's own call does, never a GET. */
export async function useMailLink(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  input: { readonly link: string; readonly nonce: string },
): Promise<Opened> {
  const hash = sha256(input.link);
  const nonce = sha256(input.nonce);
  const row = await ctx.tx.maybe<Row>(sql`
    select k.tenant_id, k.product_variant, t.partner_id, p.pms, k.expires_at, k.exchanged_at,
      k.exchange_nonce_sha256
    from tenant_token k join tenant t on t.id = k.tenant_id join partner p on p.id = t.partner_id
    where k.secret_sha256 = ${hash} and k.by_mail
    for update of k`);
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
