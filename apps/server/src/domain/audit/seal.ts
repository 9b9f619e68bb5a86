import { createHash } from 'node:crypto';
import { bigint, bytes, type Queryable, row, sql, type Tx, text } from '@svc/db';
import type { Vault } from '@svc/runtime';
import type { UnitOfWork } from '../../context.ts';

const partnerRow = row('partner with unsealed entries', { id: text });

/** The partners with audit entries that wait for a seal; `operator` among them. */
export async function auditsToSeal(q: Queryable): Promise<string[]> {
  const rows = await q.many(
    partnerRow,
    sql`/* all partners */ select distinct partner_id as id from audit_unsealed order by 1`,
  );
  return rows.map((it) => it.id);
}

interface AuditSeal {
  readonly partnerId: string;
  readonly number: number;
  readonly entryIds: readonly string[];
  /** Of each entry, in the order of `entryIds`, in hexadecimal. */
  readonly entrySha256s: readonly string[];
  readonly sealedAt: Date;
}

const unsealedRow = row('unsealed entry', { id: text });
const lastSealRow = row('last audit seal', { number: bigint, sha256: bytes });

/**
 * Adds up to `limit` committed entries to the chain of a partner, as one seal. Each seal hashes its
 * entries and the seal before it, and signs the hash with the secret key. So whoever can write to the
 * database, but has no key, cannot make a chain that fits changed entries. Returns how many it sealed.
 */
export async function sealAudit(
  { tx, now, service: { vault } }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { partnerId, limit }: { readonly partnerId: string; readonly limit: number },
): Promise<number> {
  await lockChain(tx, partnerId);
  // An entry that is gone before its seal stays on the list, so that `audit verify` reports it.
  const unsealed = await tx.many(
    unsealedRow,
    sql`
    delete from audit_unsealed where partner_id = ${partnerId} and entry_id = any(array(
      select u.entry_id from audit_unsealed u
        join audit_entry e on e.partner_id = u.partner_id and e.id = u.entry_id
      where u.partner_id = ${partnerId} order by u.entry_id limit ${limit}))
    returning entry_id as id`,
  );
  if (unsealed.length === 0) return 0;
  const entryIds = unsealed.map((it) => it.id).sort();
  await appendSeal({ tx, now, vault }, { partnerId, entryIds });
  return entryIds.length;
}

/**
 * One process at a time for each chain, until the transaction ends. Two could read the same last seal,
 * and the second one's insert would fail.
 */
export async function lockChain(tx: Tx, partnerId: string): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`audit seal ${partnerId}`}, 0))`);
}

/** Adds a seal to a chain. Without entries it only signs the chain so far with the first key. */
export async function appendSeal(
  { tx, now, vault }: Pick<UnitOfWork, 'tx' | 'now'> & { readonly vault: Vault },
  { partnerId, entryIds }: Pick<AuditSeal, 'partnerId' | 'entryIds'>,
): Promise<void> {
  const last = await tx.maybe(
    lastSealRow,
    sql`
    select number, sha256 from audit_seal where partner_id = ${partnerId}
    order by number desc limit 1`,
  );
  const hashes = await hashEntries(tx, { partnerId, entryIds });
  const previous = last?.sha256 ?? startOfChain;
  const seal = {
    partnerId,
    number: (last?.number ?? 0) + 1,
    entryIds,
    entrySha256s: entryIds.map((id) => hashes.get(id) ?? ''),
    sealedAt: now,
  };
  const sha256 = hashSeal(previous, seal);
  const [mac] = sealMacs(vault, sha256);
  await tx.run(sql`
    insert into audit_seal (partner_id, number, entry_ids, entry_sha256s, previous_sha256, sha256,
      mac, sealed_at)
    values (${partnerId}, ${seal.number}, ${seal.entryIds}::text[], ${seal.entrySha256s}::text[],
      ${previous}, ${sha256}, ${mac}, ${now})`);
}

/** The hash before the first seal of a chain. */
export const startOfChain = Buffer.alloc(32);

export function hashSeal(
  previous: Buffer,
  { partnerId, number, entryIds, entrySha256s, sealedAt }: AuditSeal,
): Buffer {
  const content = [partnerId, number, sealedAt.getTime(), entryIds, entrySha256s];
  return createHash('sha256').update(previous).update(JSON.stringify(content)).digest();
}

/** The signature of a seal by each secret key. The first one is stored; a stored one may be any of them. */
export function sealMacs(vault: Vault, sha256: Buffer): readonly [Buffer, ...Buffer[]] {
  return vault.digests(`audit seal ${sha256.toString('hex')}`);
}

const lineRow = row('audit entry to hash', { id: text, line: text });

/** Hashes everything in these entries of a partner, by their id. Entries that do not exist are left out. */
export async function hashEntries(
  q: Queryable,
  { partnerId, entryIds }: Pick<AuditSeal, 'partnerId' | 'entryIds'>,
): Promise<Map<string, string>> {
  if (entryIds.length === 0) return new Map();
  const rows = await q.many(
    lineRow,
    sql`
    select id, json_build_array(id, partner_id, action, via, credential_id, endpoint_id, subject_id,
      details, request_id, address, (extract(epoch from occurred_at) * 1000000)::bigint)::text as line
    from audit_entry where partner_id = ${partnerId} and id = any(${entryIds}::text[])`,
  );
  return new Map(rows.map(({ id, line }) => [id, createHash('sha256').update(line).digest('hex')]));
}
