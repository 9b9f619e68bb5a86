import { createHash } from 'node:crypto';
import { bigint, bytes, instant, listOf, type Queryable, row, sql, type Tx, text } from '@svc/db';
import type { Vault } from '@svc/runtime';
import type { UnitOfWork } from '../../context.ts';
import { appendSeal, type SealedChain } from '../sealed-chain.ts';

const partnerRow = row('partner with unsealed entries', { id: text });

/** Returns the ids of the partners with audit entries that wait for a seal; `operator` among them. */
export async function auditsToSeal(q: Queryable): Promise<string[]> {
  const rows = await q.many(
    partnerRow,
    sql`/* many rows: all that is not sealed yet */ /* all partners */ select distinct partner_id as id from audit_unsealed order by 1`,
  );
  return rows.map((it) => it.id);
}

const unsealedRow = row('unsealed entry', { id: text });

/**
 * Adds up to `limit` committed entries to the chain of a partner, as one signed seal. Returns how many it
 * sealed.
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
    /* many rows: all that is not sealed yet */
    delete from audit_unsealed where partner_id = ${partnerId} and entry_id = any(array(
      select u.entry_id from audit_unsealed u
        join audit_entry e on e.partner_id = u.partner_id and e.id = u.entry_id
      where u.partner_id = ${partnerId} order by u.entry_id limit ${limit}))
    returning entry_id as id`,
  );
  if (unsealed.length === 0) return 0;
  await appendAuditSeal(
    tx,
    { partnerId, entryIds: unsealed.map((it) => it.id).sort() },
    { now, vault },
  );
  return unsealed.length;
}

/**
 * Locks a chain until the transaction ends. Without the lock, two processes could read the same last seal,
 * and the second one's insert would fail.
 */
export async function lockChain(tx: Tx, partnerId: string): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`audit seal ${partnerId}`}, 0))`);
}

interface Entries {
  readonly partnerId: string;
  readonly entryIds: readonly string[];
}

/** Adds a seal to a chain. Without entries it only signs the chain so far with the first key. */
export async function appendAuditSeal(
  tx: Tx,
  { partnerId, entryIds }: Entries,
  { now, vault }: { readonly now: Date; readonly vault: Vault },
): Promise<void> {
  const hashes = await hashEntries(tx, { partnerId, entryIds });
  const entrySha256s = entryIds.map((id) => hashes.get(id) ?? '');
  const chain = auditChain({ partnerId, name: partnerId });
  await appendSeal(tx, chain, { entryIds, entrySha256s }, { now, vault });
}

interface SealedEntries extends Pick<Entries, 'entryIds'> {
  /** The hash of each entry in hexadecimal, in the order of `entryIds`. */
  readonly entrySha256s: readonly string[];
}

const sealRow = row('audit seal', {
  number: bigint,
  entryIds: listOf(text),
  entrySha256s: listOf(text),
  previous: bytes,
  sha256: bytes,
  mac: bytes,
  sealedAt: instant,
});

/**
 * The chain of one partner's audit log, or of the operator's.
 * @param it.name the partner's name, for faults
 */
export function auditChain(it: {
  readonly partnerId: string;
  readonly name: string;
}): SealedChain<SealedEntries> {
  const { partnerId, name } = it;
  return {
    title: (number) => `Seal ${number} of ${name}`,
    from: sql`audit_seal where partner_id = ${partnerId}`,
    start: Buffer.alloc(32),
    signedAs: 'audit seal',
    async hash(_q, previous, { number, sealedAt, entryIds, entrySha256s }) {
      const content = [partnerId, number, sealedAt.getTime(), entryIds, entrySha256s];
      return createHash('sha256').update(previous).update(JSON.stringify(content)).digest();
    },
    async store(tx, { number, entryIds, entrySha256s, previous, sha256, mac, sealedAt }) {
      await tx.run(sql`
        insert into audit_seal (partner_id, number, entry_ids, entry_sha256s, previous_sha256, sha256,
          mac, sealed_at)
        values (${partnerId}, ${number}, ${entryIds}::text[], ${entrySha256s}::text[], ${previous},
          ${sha256}, ${mac}, ${sealedAt})`);
    },
    next: (q, after) =>
      q.maybe(
        sealRow,
        sql`
        select number, entry_ids, entry_sha256s,
          previous_sha256 as previous, sha256, mac, sealed_at
        from audit_seal where partner_id = ${partnerId} and number > ${after}
        order by number limit 1`,
      ),
    changed: () => 'was changed: its list of entries does not match its hash.',
  };
}

const lineRow = row('audit entry to hash', { id: text, line: text });

/** Hashes everything in these entries of a partner, by their id. Entries that do not exist are left out. */
export async function hashEntries(
  q: Queryable,
  { partnerId, entryIds }: Entries,
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
