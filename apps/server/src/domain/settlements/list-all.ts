import { type SettlementStatus, settlementStatuses } from '@svc/contract';
import {
  bigint,
  boolean,
  date,
  instant,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { requirePartner } from '../partners/find-partner.ts';
import { isStale } from './read.ts';

const listedRow = row('listed settlement', {
  id: text,
  pms: text,
  external_id: text,
  plan_id: text,
  status: oneOf(...settlementStatuses),
  amount_in_cents: bigint,
  debit_by: date,
  /** The portal's id of its debit. */
  processor_transaction_id: nullable(text),
  payout_id: nullable(text),
  failure_reason: nullable(text),
  is_stale: boolean,
  created_at: instant,
});

/** A settlement as the operator sees it. */
export interface ListedSettlement extends Omit<RowOf<typeof listedRow>, 'created_at'> {
  readonly created_at: string;
}

interface Filter {
  readonly pms?: string;
  readonly status?: SettlementStatus;
  /** True to list only settlements that have been open for too long. */
  readonly stale?: boolean;
}

/** The newest settlements of one partner, or of all, in each status or in one. */
export async function listAllSettlements(
  { tx, now }: { readonly tx: Queryable; readonly now: Date },
  { pms, status, stale = false }: Filter,
): Promise<Listed<ListedSettlement>> {
  const partnerId = pms === undefined ? null : (await requirePartner(tx, pms)).id;
  const rows = await tx.many(
    listedRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    select s.id, o.pms, t.external_id, s.plan_id, s.status, s.amount_in_cents, s.debit_by,
      s.processor_transaction_id, s.payout_id, s.failure_reason, ${isStale(now)} as is_stale,
      s.created_at
    from settlement s join partner o on o.id = s.partner_id
      join tenant t on t.partner_id = s.partner_id and t.id = s.tenant_id
    where (${partnerId}::text is null or s.partner_id = ${partnerId})
      and (${status ?? null}::text is null or s.status = ${status ?? null})
      and (not ${stale}::boolean or ${isStale(now)})
    order by s.id desc limit ${mostListed + 1}`,
  );
  const { items, has_more } = listNewest(rows);
  return {
    items: items.map((it) => ({ ...it, created_at: it.created_at.toISOString() })),
    has_more,
  };
}
