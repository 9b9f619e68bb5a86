import { type Queryable, sql } from '@svc/db';
import type { SvcEnvironment } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import type { PartnerActor } from './actor.ts';
import { keyEnvironment, sha256 } from './secrets.ts';

/** The partner behind a live API key. @throws Refusal of 401 */
export async function findKey(
  q: Queryable,
  secret: string,
  environment: SvcEnvironment,
): Promise<PartnerActor> {
  const named = keyEnvironment(secret);
  if (!named) throw new Refusal('invalid_credentials');
  if (named !== environment) throw new Refusal('wrong_environment');
  const row = await q.maybe<{ id: string; partner_id: string; pms: string }>(sql`
    select k.id, k.partner_id, p.pms from api_key k join partner p on p.id = k.partner_id
    where k.secret_sha256 = ${sha256(secret)} and k.revoked_at is null`);
  if (!row) throw new Refusal('invalid_credentials');
  return {
    kind: 'partner',
    partnerId: row.partner_id,
    pms: row.pms,
    via: 'key',
    credentialId: row.id,
    readOnly: false,
    expiresAt: null,
  };
}
