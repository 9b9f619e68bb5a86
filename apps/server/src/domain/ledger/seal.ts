import { createHash } from 'node:crypto';
import { bigint, bytes, instant, listOf, type Queryable, row, type Sql, sql, text } from '@svc/db';
import { isReachable } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import { appendSeal, type SealedChain } from '../sealed-chain.ts';
import { countSeal } from './day-totals.ts';
import { transfersOf } from './transfers-of.ts';

const partnerRow = row('partner to seal', { id: text });

/** Returns the partners with transfers that wait for a seal. */
export async function partnersToSeal(q: Queryable): Promise<string[]> {
  const rows = await q.many(
    partnerRow,
    sql`
    /* many rows: all that is not sealed yet */
    /* all partners */
    select distinct u.partner_id as id from ledger_unsealed u where ${isReachable(q, 'u')} order by 1`,
  );
  return rows.map((it) => it.id);
}

const unsealedRow = row('unsealed transfer', { id: text });

interface Batch {
  readonly partnerId: string;
  readonly limit: number;
}

/**
 * Adds up to `limit` committed transfers of one partner to its chain, as one seal. Returns how many
 * transfers it sealed.
 */
export async function sealTransfers(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { partnerId, limit }: Batch,
): Promise<number> {
  // One process at a time for each partner. Otherwise two processes could read the same last seal and
  // both add a seal behind it; the primary key would refuse the second one and fail its tick. Here the
  // second process waits for the first one's commit and then reads its seal. A lock of the
  // partner's row instead would be taken on every server of a cluster.
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`ledger seal ${partnerId}`}, 0))`);
  // Deletes by physical address, because this table is usually empty, and with the statistics of an empty
  // table the planner would choose a join that is slow for a full one.
  const unsealed = await tx.many(
    unsealedRow,
    sql`
    /* many rows: at most all that is unsealed, which is usually nothing */
    delete from ledger_unsealed where partner_id = ${partnerId} and ctid = any(array(
      select ctid from ledger_unsealed where partner_id = ${partnerId}
      order by transfer_id limit ${limit}))
    returning transfer_id as id`,
  );
  if (unsealed.length === 0) return 0;
  const transferIds = unsealed.map((it) => it.id).sort();
  const chain = ledgerChain({ partnerId, name: partnerId, start: await chainStart(tx) });
  const { number } = await appendSeal(tx, chain, { transferIds }, { now });
  await countSeal(tx, { partnerId, number, transferIds });
  return transferIds.length;
}

interface SealedTransfers {
  readonly transferIds: readonly string[];
}

const sealRow = row('ledger seal', {
  number: bigint,
  transferIds: listOf(text),
  previous: bytes,
  sha256: bytes,
  sealedAt: instant,
});

interface LedgerChain {
  readonly partnerId: string;
  /** The partner's name, for the messages of faults. */
  readonly name: string;
  /** The hash before the first seal; see `chainStart`. */
  readonly start: Buffer;
}

/** The chain of one partner's ledger. */
export function ledgerChain({ partnerId, name, start }: LedgerChain): SealedChain<SealedTransfers> {
  return {
    title: (number) => `Seal ${number} of ${name}`,
    from: sql`ledger_seal where partner_id = ${partnerId}`,
    start,
    hash: (q, previous, { transferIds }) =>
      hashOf(q, previous, transfersOf(partnerId, transferIds), sql`${partnerId}`),
    async store(tx, { number, transferIds, previous, sha256, sealedAt }) {
      await tx.run(sql`
        insert into ledger_seal (partner_id, number, transfer_ids, previous_sha256, sha256, sealed_at)
        values (${partnerId}, ${number}, ${transferIds}::text[], ${previous}, ${sha256}, ${sealedAt})`);
    },
    async next(q, after) {
      const seal = await q.maybe(
        sealRow,
        sql`
        select number, transfer_ids, previous_sha256 as previous, sha256,
          sealed_at
        from ledger_seal
        where partner_id = ${partnerId} and number > ${after} order by number limit 1`,
      );
      return seal && { ...seal, mac: null };
    },
    changed: noLongerMatches,
  };
}

const oldSealRow = row('ledger seal before partners', {
  number: bigint,
  partnerIds: listOf(text),
  transferIds: listOf(text),
  previous: bytes,
  sha256: bytes,
  sealedAt: instant,
});

interface TransfersOfPartners extends SealedTransfers {
  /** The partner of each transfer, in the order of `transferIds`. */
  readonly partnerIds: readonly string[];
}

/** The one chain that ran through the transfers of all partners until each got its own. It gets no more seals. */
export const chainBeforePartners: SealedChain<TransfersOfPartners> = {
  title: (number) => `Seal ${number} of the chain that all partners shared`,
  from: sql`/* all partners */ ledger_seal_before_partners`,
  start: Buffer.alloc(32),
  hash: (q, previous, { partnerIds, transferIds }) =>
    hashOf(
      q,
      previous,
      sql`(l.partner_id, l.id) in (
        select * from unnest(${partnerIds}::text[], ${transferIds}::text[]))`,
      sql`l.partner_id`,
    ),
  async store() {
    throw new Error('The chain that all partners shared has ended.');
  },
  async next(q, after) {
    const seal = await q.maybe(
      oldSealRow,
      sql`
      /* all partners */
      select number, partner_ids, transfer_ids,
        previous_sha256 as previous, sha256, sealed_at
      from ledger_seal_before_partners where number > ${after} order by number limit 1`,
    );
    return seal && { ...seal, mac: null };
  },
  changed: noLongerMatches,
};

function noLongerMatches({ transferIds }: SealedTransfers): string {
  return `no longer matches its ${transferIds.length} transfers.`;
}

const hashRow = row('hash of a seal', { sha256: bytes });

/**
 * Returns the hash before a partner's first seal: that of the last seal in the chain that all partners once
 * shared. Shortening that chain would break every partner's.
 */
export async function chainStart(q: Queryable): Promise<Buffer> {
  const last = await q.maybe(
    hashRow,
    sql`
    /* all partners: each continues this chain */
    select sha256 from ledger_seal_before_partners
    order by number desc limit 1`,
  );
  return last?.sha256 ?? chainBeforePartners.start;
}

const lineRow = row('sealed line', { line: text });

/** Computes a seal's hash, over the previous hash and then everything in its transfers and their entries. */
async function hashOf(
  q: Queryable,
  previous: Buffer,
  isSealed: Sql,
  partnerId: Sql,
): Promise<Buffer> {
  const rows = await q.many(
    lineRow,
    sql`
    select json_build_array(l.id, l.partner_id, l.kind, l.source_id, l.reverses_id,
        (extract(epoch from l.occurred_at) * 1000)::bigint,
        (extract(epoch from l.created_at) * 1000)::bigint,
        (select json_agg(json_build_array(e.account_id, e.amount_in_cents)
            order by e.account_id collate "C")
          from ledger_entry e
          where e.partner_id = ${partnerId} and e.transfer_id = l.id))::text as line
    from ledger_transfer l where l.partner_id = ${partnerId} and ${isSealed} order by l.id collate "C"`,
  );
  const hash = createHash('sha256').update(previous);
  for (const { line } of rows) hash.update(line).update('\n');
  return hash.digest();
}
