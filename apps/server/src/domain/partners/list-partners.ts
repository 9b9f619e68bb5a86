import { bigint, instant, nullable, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { isLiveKey } from '../access/find-key.ts';

const partnerRow = row('listed partner', {
  id: text,
  pms: text,
  name: text,
  created_at: instant,
  live_keys: bigint,
  /** When any of its keys was last used, to within one minute. */
  last_used_at: nullable(instant),
});

/** A partner as the operator sees it. */
export interface ListedPartner
  extends Omit<RowOf<typeof partnerRow>, 'created_at' | 'last_used_at'> {
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** Lists all partners, by the portal's name. */
export async function listPartners({
  tx,
  now,
}: Pick<Ctx, 'now'> & { readonly tx: Queryable }): Promise<{
  readonly items: readonly ListedPartner[];
}> {
  const rows = await tx.many(
    partnerRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners */
    select p.id, p.pms, p.name, p.created_at, count(k.id) filter (where ${isLiveKey(now)}) as live_keys,
      max(k.last_used_at) as last_used_at
    from partner p left join api_key k on k.partner_id = p.id
    group by p.id order by p.pms`,
  );
  return {
    items: rows.map(({ created_at, last_used_at, ...it }) => ({
      ...it,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
  };
}
