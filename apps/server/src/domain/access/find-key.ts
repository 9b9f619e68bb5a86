import { keyScopes, type SvcEnvironment } from '@svc/contract';
import {
  instant,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { Refusal } from '../refusal.ts';
import { keyActor, type PartnerActor } from './actor.ts';
import { keyEnvironment, sha256 } from './secrets.ts';

/** How often a key's last use is stored. A write for each request would cost more than the exact time is worth. */
const recordUseEveryMs = 60_000;

const keyRow = row('api key', {
  id: text,
  partner_id: text,
  pms: text,
  scopes: listOf(oneOf(...keyScopes)),
  last_used_at: nullable(instant),
});

/** Finds the partner of a live API key. @throws Refusal of 401 */
export async function findKey(
  q: Queryable,
  secret: string,
  environment: SvcEnvironment,
  now: Date,
): Promise<PartnerActor> {
  const namedEnvironment = keyEnvironment(secret);
  if (!namedEnvironment) throw new Refusal('invalid_credentials');
  if (namedEnvironment !== environment) throw new Refusal('wrong_environment');
  const row = await q.maybe(
    keyRow,
    sql`
    /* all partners: the secret says which */
    select k.id, k.partner_id, k.scopes, k.last_used_at, p.pms from api_key k join partner p on p.id = k.partner_id
    where k.secret_sha256 = ${sha256(secret)} and ${isLiveKey(now)}`,
  );
  if (!row) throw new Refusal('invalid_credentials');
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) > recordUseEveryMs) {
    await recordUse(q, { partnerId: row.partner_id, keyId: row.id }, now);
  }
  return keyActor({
    partnerId: row.partner_id,
    pms: row.pms,
    credentialId: row.id,
    keyScopes: row.scopes,
  });
}

/** SQL condition: the key `k` is neither revoked nor replaced by a rotation whose overlap is over. */
export function isLiveKey(now: Date): Sql {
  return sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}::timestamptz)`;
}

/** SQL condition: the key `k` may sign widgets. */
export const signsWidgets: Sql = sql`k.scopes && array['widget', 'everything']`;

/** SQL condition: the key `k` may create other keys. */
export const hasEverythingScope: Sql = sql`k.scopes && array['everything']`;

/**
 * Stores the key's last use for `key list`. Ignores errors: a call that only reads must work while the database is
 * read-only.
 */
async function recordUse(
  q: Queryable,
  { partnerId, keyId }: { readonly partnerId: string; readonly keyId: string },
  now: Date,
): Promise<void> {
  try {
    await q.run(sql`
      update api_key set last_used_at = greatest(last_used_at, ${now})
      where partner_id = ${partnerId} and id = ${keyId}`);
  } catch {
    // The next lookup tries again.
  }
}
