import { bigint, boolean, type Queryable, row, sql, type Tx, text } from '@svc/db';
import type { Vault } from '@svc/runtime';
import { timeOfId } from '../../ids.ts';
import { followChain } from '../sealed-chain.ts';
import { auditKeptMs } from './delete-old.ts';
import { installation } from './record.ts';
import { auditChain, hashEntries } from './seal.ts';

interface AuditChain {
  /** The partner's name; `operator` for commands about the whole installation. */
  readonly chain: string;
  readonly entries: number;
  readonly seals: number;
  /** Entries that wait for the next seal. */
  readonly unsealed: number;
  /** Number and hash of the last seal. Noted elsewhere, they show later that no seal was cut off. */
  readonly last_seal: string | null;
  readonly faults: readonly string[];
}

export interface AuditReport {
  readonly chains: readonly AuditChain[];
  /** The faults of all chains, in sentences. */
  readonly faults: readonly string[];
  /** The database role of this command, and whether it could change or delete entries. */
  readonly role: string;
  readonly role_may_change: boolean;
}

interface Deps {
  readonly vault: Vault;
  readonly now: Date;
}

/** Recomputes the chain of seals of each partner and of the operator, entry by entry. */
export async function verifyAudit(q: Tx, deps: Deps): Promise<AuditReport> {
  // One snapshot for all statements. Entries are still written and sealed, and an entry that is
  // sealed between two statements would look like a fault.
  await q.run(sql`set transaction isolation level repeatable read, read only`);
  const chains: AuditChain[] = [];
  for (const chain of await listChains(q)) chains.push(await verifyChain(q, chain, deps));
  const { role, mayChange } = await q.one(
    roleRow,
    sql`
    select current_user::text as role, has_table_privilege('audit_entry', 'update, delete, truncate')
      or has_table_privilege('audit_seal', 'update, delete, truncate') as may_change`,
  );
  const faults = chains.flatMap((it) => it.faults);
  return { chains, faults, role, role_may_change: mayChange };
}

const roleRow = row('role', { role: text, mayChange: boolean });

export interface Chain {
  readonly partnerId: string;
  readonly name: string;
  readonly entries: number;
  readonly unsealed: number;
}

const chainRow = row('audit chain', {
  partnerId: text,
  name: text,
  entries: bigint,
  unsealed: bigint,
});

export function listChains(q: Queryable): Promise<Chain[]> {
  return q.many(
    chainRow,
    sql`
    /* all partners */
    /* many rows: the audit trail of all partners */
    select c.id as partner_id, coalesce(p.pms, c.id) as name,
      sum(c.entries)::int8 as entries, sum(c.unsealed)::int8 as unsealed
    from (select id, 0 as entries, 0 as unsealed from partner
        union all select ${installation}, 0, 0
        union all select distinct partner_id, 0, 0 from audit_seal
        union all select partner_id, count(*), 0 from audit_entry group by 1
        union all select partner_id, 0, count(*) from audit_unsealed group by 1) c
      left join partner p on p.id = c.id
    group by 1, 2 order by 2`,
  );
}

export async function verifyChain(
  q: Queryable,
  chain: Chain,
  { vault, now }: Deps,
): Promise<AuditChain> {
  const { partnerId, name, entries, unsealed } = chain;
  const expiredBefore = new Date(now.getTime() - auditKeptMs);
  const { seals, sha256, signed, faults } = await followChain(q, auditChain(chain), {
    vault,
    checked: (seal) => verifyEntries(q, { partnerId, ...seal }, { name, expiredBefore }),
  });
  const unsigned = [];
  // A hash covers all earlier seals, so a seal with a valid signature vouches for those before it, also
  // for ones that a removed key signed.
  if (signed < seals) {
    const which = signed + 1 === seals ? `Seal ${seals}` : `Seals ${signed + 1} to ${seals}`;
    unsigned.push(
      `${which} of ${name} cannot be trusted: no key in SVC_SECRET_KEY has signed the last of them. Add the key that was the first one then; if there is none, the seals were forged.`,
    );
  }
  return {
    chain: name,
    entries,
    seals,
    unsealed,
    last_seal: seals === 0 ? null : `${seals} ${sha256.toString('hex')}`,
    faults: [...faults, ...unsigned, ...(await findUnsealable(q, chain))],
  };
}

/** Compares the entries of a seal with their hashes. Entries past their age may be gone. */
async function verifyEntries(
  q: Queryable,
  {
    partnerId,
    number,
    entryIds,
    entrySha256s,
  }: {
    partnerId: string;
    number: number;
    entryIds: readonly string[];
    entrySha256s: readonly string[];
  },
  { name, expiredBefore }: { name: string; expiredBefore: Date },
): Promise<string[]> {
  const hashes = await hashEntries(q, { partnerId, entryIds });
  return entryIds.flatMap((id, index) => {
    const place = `Entry ${id} of ${name}, ${index + 1} of ${entryIds.length} in seal ${number},`;
    const found = hashes.get(id);
    if (found === entrySha256s[index]) return [];
    if (found !== undefined) return [`${place} was changed.`];
    return timeOfId(id) < expiredBefore ? [] : [`${place} is missing.`];
  });
}

const strayRow = row('stray audit entry', { id: text, exists: boolean });

/** Finds entries that are in no seal and wait for none, and entries that were deleted before their seal. */
async function findUnsealable(q: Queryable, { partnerId, name }: Chain): Promise<string[]> {
  const rows = await q.many(
    strayRow,
    sql`
    (select id, true as exists from (
        select id from audit_entry where partner_id = ${partnerId}
        except select unnest(entry_ids) from audit_seal where partner_id = ${partnerId}
        except select entry_id from audit_unsealed where partner_id = ${partnerId}) stray
      order by id limit 20)
    union all
    (select u.entry_id as id, false as exists from audit_unsealed u
      where u.partner_id = ${partnerId} and not exists (select from audit_entry e
        where e.partner_id = u.partner_id and e.id = u.entry_id)
      order by 1 limit 20)`,
  );
  return rows.map(({ id, exists }) =>
    exists
      ? `Entry ${id} of ${name} is in no seal and waits for none: it was inserted past the service.`
      : `Entry ${id} of ${name} is missing: it was deleted before it was sealed.`,
  );
}
