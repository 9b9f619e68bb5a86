import { bytes, type Queryable, row, sql, text } from '@svc/db';
import type { Service } from '../../context.ts';

const newestRow = row('newest key', { id: text, pms: text, secret_sealed: bytes });

/**
 * The newest key, unless it was revoked or rotated, and its portal name, for the samples of a sandbox on
 * the reader's own machine. Null before the first key.
 */
export async function findNewestKey(
  q: Queryable,
  { vault }: Pick<Service, 'vault'>,
): Promise<{ pms: string; api_key: string } | null> {
  const found = await q.maybe(
    newestRow,
    sql`
    /* all partners: on a local sandbox they are all the reader's */
    select k.id, p.pms, k.secret_sealed from api_key k join partner p on p.id = k.partner_id
    where k.revoked_at is null and k.expires_at is null order by k.id desc limit 1`,
  );
  return found ? { pms: found.pms, api_key: vault.open(found.secret_sealed, found.id) } : null;
}
