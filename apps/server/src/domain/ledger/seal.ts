import { createHash } from 'node:crypto';
import { bigint, bytes, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';

export const firstLink = Buffer.alloc(32);

const lastSealRow = row('last seal', { number: bigint, sha256: bytes });

const unsealedRow = row('unsealed transfer', { id: text });

/** Seals up to `limit` committed transfers behind the last seal. Returns how many. */
export async function sealTransfers(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { limit }: { limit: number },
): Promise<number> {
  // One sealer at a time: the second finds the first one's seal before it.
  await tx.run(sql`lock table ledger_seal in share row exclusive mode`);
  // By place: the table is empty but now and then, and a join is planned for that.
  const taken = await tx.many(
    unsealedRow,
    sql`
    delete from ledger_unsealed where ctid = any(array(
      select ctid from ledger_unsealed order by transfer_id limit ${limit}))
    returning transfer_id as id`,
  );
  if (taken.length === 0) return 0;
  const ids = taken.map((it) => it.id).sort();
  const last = await tx.maybe(
    lastSealRow,
    sql`
    select number, sha256 from ledger_seal order by number desc limit 1`,
  );
  const previous = last?.sha256 ?? firstLink;
  await tx.run(sql`
    insert into ledger_seal (number, transfer_ids, previous_sha256, sha256, sealed_at)
    values (${(last?.number ?? 0) + 1}, ${ids}::text[], ${previous},
      ${await linkOf(tx, previous, ids)}, ${now})`);
  return ids.length;
}

const lineRow = row('sealed line', { line: text });

/** The hash of a batch: all that its transfers and entries say, after the link before. */
export async function linkOf(
  q: Queryable,
  previous: Buffer,
  ids: readonly string[],
): Promise<Buffer> {
  const rows = await q.many(
    lineRow,
    sql`
    select json_build_array(l.id, l.partner_id, l.kind, l.source_id, l.reverses_id,
        (extract(epoch from l.occurred_at) * 1000)::bigint,
        (extract(epoch from l.created_at) * 1000)::bigint,
        (select json_agg(json_build_array(e.account_id, e.amount_in_cents)
            order by e.account_id collate "C")
          from ledger_entry e where e.transfer_id = l.id))::text as line
    from ledger_transfer l where l.id = any(${ids}::text[]) order by l.id collate "C"`,
  );
  const hash = createHash('sha256').update(previous);
  for (const { line } of rows) hash.update(line).update('\n');
  return hash.digest();
}
