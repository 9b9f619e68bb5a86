import { bytes, listOf, nullable, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import { requireReachable } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import { isLiveKey, signsWidgets } from '../access/find-key.ts';
import { Refusal } from '../refusal.ts';

const partnerRow = row('partner', {
  id: text,
  pms: text,
  name: text,
  allowedOrigins: listOf(text),
  appSchemes: listOf(text),
});
export type Partner = RowOf<typeof partnerRow>;

export async function findPartnerByPms(q: Queryable, pms: string): Promise<Partner | undefined> {
  return q.maybe(
    partnerRow,
    sql`
    select id, pms, name, allowed_origins, app_schemes from partner where pms = ${pms}`,
  );
}

/**
 * Finds the partner that an operator names.
 * @throws Refusal `not_found`
 */
export async function requirePartner(q: Queryable, pms: string): Promise<Partner> {
  const partner = await findPartnerByPms(q, pms);
  if (partner) return partner;
  throw new Refusal('not_found', { message: `There is no partner ${pms}.` });
}

const partnerKeyRow = row('partner with a live key', {
  id: text,
  pms: text,
  name: text,
  allowedOrigins: listOf(text),
  appSchemes: listOf(text),
  keyId: nullable(text),
  secretSealed: nullable(bytes),
});

/**
 * Finds a partner and decrypts the live keys that may sign a widget.
 * @throws Refusal `unavailable` while the server with the partner's rows does not answer
 */
export async function findPartnerWithKeys(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  pms: string,
): Promise<{ partner: Partner | undefined; keys: string[] }> {
  const rows = await tx.many(
    partnerKeyRow,
    sql`
    select p.id, p.pms, p.name, p.allowed_origins, p.app_schemes, k.id as key_id,
      k.secret_sealed
    from partner p left join api_key k on k.partner_id = p.id and ${isLiveKey(now)} and ${signsWidgets}
    where p.pms = ${pms} order by k.id`,
  );
  if (rows[0]) requireReachable(tx, rows[0].id);
  const keys = rows.flatMap(({ keyId, secretSealed }) =>
    keyId !== null && secretSealed !== null ? [service.vault.open(secretSealed, keyId)] : [],
  );
  return { partner: rows[0], keys };
}
