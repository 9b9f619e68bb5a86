import type { OpenedKeyOutput } from '@svc/contract';
import { boolean, bytes, instant, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { recordAudit } from '../audit/record.ts';
import { Refusal } from '../refusal.ts';
import { isLiveKey } from './find-key.ts';
import { newSecret, sha256 } from './secrets.ts';

const linkDays = 7;

export interface KeyLink {
  readonly url: string;
  readonly expires_at: string;
}

/**
 * Creates the link that shows a new API key once. Its secret is in the fragment, so it reaches no server's
 * log, and only its hash is stored. Revoking the key ends the link.
 */
export async function createKeyLink(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { partnerId, keyId }: { readonly partnerId: string; readonly keyId: string },
): Promise<KeyLink> {
  const secret = newSecret('svc_kl_');
  const expiresAt = new Date(now.getTime() + linkDays * 86_400_000);
  await tx.run(sql`
    update api_key set link_sha256 = ${sha256(secret)}, link_expires_at = ${expiresAt}
    where partner_id = ${partnerId} and id = ${keyId}`);
  return {
    url: `${service.publicOrigin}/portal#${secret}`,
    expires_at: expiresAt.toISOString(),
  };
}

const linkRow = row('API key of a link', {
  id: text,
  partner_id: text,
  pms: text,
  secret_sealed: bytes,
  link_expires_at: instant,
  link_opened_at: nullable(instant),
  is_live: boolean,
});

/**
 * Returns the key of a link. Opening it ends the link: of two concurrent calls, the second one waits for the
 * row's lock and finds the link already opened.
 * @throws Refusal `token_invalid` for an opened or unknown link, `token_expired` if it ended before anyone saw the key
 */
export async function openKeyLink(
  ctx: Ctx,
  { secret }: { readonly secret: string },
): Promise<OpenedKeyOutput> {
  const { tx, now, service } = ctx;
  const key = await tx.maybe(
    linkRow,
    sql`
    /* all partners: the secret says which */
    select k.id, k.partner_id, p.pms, k.secret_sealed, k.link_expires_at, k.link_opened_at,
      ${isLiveKey(now)} as is_live
    from api_key k join partner p on p.id = k.partner_id
    where k.link_sha256 = ${sha256(secret)} for update of k`,
  );
  if (!key) {
    throw new Refusal('token_invalid', {
      message: 'This link is incomplete. Copy all of it from the message that you got.',
    });
  }
  requireUnopened(key, now);
  await tx.run(sql`
    update api_key set link_opened_at = ${now}
    where partner_id = ${key.partner_id} and id = ${key.id}`);
  const by = { partnerId: key.partner_id, via: 'key', credentialId: key.id } as const;
  await recordAudit(ctx, by, { action: 'key.link_opened', subject_id: key.id });
  return {
    pms: key.pms,
    environment: service.environment,
    api_url: `${service.publicOrigin}/v1`,
    key_id: key.id,
    api_key: service.vault.open(key.secret_sealed, key.id),
  };
}

type Linked = Readonly<{ link_opened_at: Date | null; link_expires_at: Date; is_live: boolean }>;

function requireUnopened({ link_opened_at, link_expires_at, is_live }: Linked, now: Date): void {
  if (link_opened_at !== null) {
    throw new Refusal('token_invalid', {
      message: `This link was opened on ${minuteOf(link_opened_at)}, and it shows the key only once.`,
    });
  }
  if (!is_live) {
    throw new Refusal('token_expired', {
      message: 'The key was revoked before the link was opened. No one has seen it.',
    });
  }
  if (link_expires_at <= now) {
    throw new Refusal('token_expired', {
      message: `This link expired on ${minuteOf(link_expires_at)}. No one has seen the key.`,
    });
  }
}

/** Formats a time as `2026-11-28 at 16:12 UTC`. */
function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
}
