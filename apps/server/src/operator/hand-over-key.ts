import { createKeyLink, type KeyLink } from '../domain/access/key-links.ts';
import { flag, type TransactionContext } from './command.ts';

export const linkOption = flag(
  '--link',
  'print a link that shows the key once, within 7 days, instead of the key',
);

interface CreatedKey {
  readonly key_id: string;
  readonly api_key: string;
}

/** A new key as the operator gets it: the key, or a link that shows it once to somebody else. */
export type HandedOver =
  | (CreatedKey & { readonly link?: undefined })
  | (Pick<CreatedKey, 'key_id'> & { readonly link: KeyLink });

/**
 * Returns the key, or a link that shows it, and the details for the audit entry.
 * @param link the value of `linkOption`
 */
export async function handOver(
  ctx: TransactionContext,
  {
    partnerId,
    created,
    link,
  }: { readonly partnerId: string; readonly created: CreatedKey; readonly link: true | undefined },
): Promise<{ key: HandedOver; details: Record<string, string> }> {
  if (!link) return { key: created, details: {} };
  const { key_id } = created;
  const keyLink = await createKeyLink(ctx, { partnerId, keyId: key_id });
  return { key: { key_id, link: keyLink }, details: { link_expires_at: keyLink.expires_at } };
}

export function describeHandover({ pms, ...key }: { readonly pms: string } & HandedOver): string {
  const head = `pms      ${pms}\nkey id   ${key.key_id}\n`;
  if (key.link === undefined) {
    return `${head}API key  ${key.api_key}\n\nThe key is shown only once. Store it with your backend's secrets.\n`;
  }
  const { url, expires_at } = key.link;
  return `${head}\nSend this link to the partner's developer. It shows the key once, until ${expires_at.slice(0, 10)}. Revoking the key ends it:\n\n${url}\n`;
}
