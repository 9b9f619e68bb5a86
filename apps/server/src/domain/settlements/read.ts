import { type SettlementOutput, settlementOutput, settlementStatuses } from '@svc/contract';
import {
  bigint,
  boolean,
  date,
  instant,
  integer,
  json,
  nullable,
  oneOf,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { paidCharges } from './paid-charges.ts';

type PartnerScope = Pick<Ctx, 'tx' | 'now'> & { readonly actor: Pick<PartnerActor, 'partnerId'> };

interface Filter {
  readonly status?: SettlementOutput['status'] | undefined;
  readonly external_id?: string | undefined;
  readonly processor_transaction_id?: string | undefined;
  readonly is_stale?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Newest first; the cursor is the last id shown. */
export async function listSettlements(ctx: Ctx<PartnerActor>, filter: Filter) {
  const { status, external_id: externalId, is_stale: stale, cursor } = filter;
  const { processor_transaction_id: debit } = filter;
  const rows = await ctx.tx.many(
    settlementRow,
    sql`${settlements(ctx)}
    ${status === undefined ? sql`` : sql`and s.status = ${status}`}
    ${externalId === undefined ? sql`` : sql`and t.external_id = ${externalId}`}
    ${debit === undefined ? sql`` : sql`and s.processor_transaction_id = ${debit}`}
    ${stale === undefined ? sql`` : sql`and ${isStale(ctx.now)} = ${stale}::boolean`}
    ${cursor === undefined ? sql`` : sql`and s.id < ${cursor}`}
    order by s.id desc limit ${filter.limit + 1}`,
  );
  const items = rows.slice(0, filter.limit).map(view);
  const more = rows.length > filter.limit;
  return { items, next_cursor: more ? (items.at(-1)?.id ?? null) : null };
}

/** Settlements created on that day in UTC, oldest first. */
export async function settlementsOfDay(
  ctx: Ctx<PartnerActor>,
  date: string,
): Promise<SettlementOutput[]> {
  const rows = await ctx.tx.many(
    settlementRow,
    sql`${settlements(ctx)}
    and s.created_at >= ${date}::date::timestamp at time zone 'UTC'
    and s.created_at < (${date}::date + 1)::timestamp at time zone 'UTC'
    order by s.id`,
  );
  return rows.map(view);
}

export async function readSettlementsOfPayout(
  ctx: PartnerScope,
  payoutId: string,
): Promise<SettlementOutput[]> {
  const rows = await ctx.tx.many(
    settlementRow,
    sql`${settlements(ctx)} and s.payout_id = ${payoutId} order by s.id`,
  );
  return rows.map(view);
}

export async function readSettlement(
  ctx: PartnerScope,
  { id }: { id: string },
): Promise<SettlementOutput> {
  const row = await ctx.tx.maybe(settlementRow, sql`${settlements(ctx)} and s.id = ${id}`);
  if (!row) throw new Refusal('settlement_not_found');
  return view(row);
}

const settlementRow = row('settlement', {
  id: text,
  external_id: text,
  plan_id: text,
  status: oneOf(...settlementStatuses),
  amount_in_cents: bigint,
  refunded_in_cents: bigint,
  charges_and_amounts_paid: json(settlementOutput.shape.charges_and_amounts_paid),
  rent_cycle_date: date,
  debit_by: date,
  processor_transaction_id: nullable(text),
  payout_id: nullable(text),
  failure_reason: nullable(text),
  is_stale: boolean,
  created_at: instant,
  updated_at: instant,
  version: integer,
});

/** The condition that settlement `s` of tenant `t` has been open for too long, in tenant time. */
export function isStale(now: Date): Sql {
  return sql`(s.status in ('unsettled', 'unverified')
    and s.stale_after < ((${now}::timestamptz
      + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond') at time zone t.time_zone)::date)`;
}

function settlements(ctx: PartnerScope): Sql {
  const { partnerId } = ctx.actor;
  return sql`
    /* many rows: a report of a day, a payout, or a list by what has no index */
    select s.id, t.external_id, s.plan_id, s.status, s.amount_in_cents,
      (select coalesce(sum(r.amount_in_cents), 0)::int8 from refund r
        where r.partner_id = ${partnerId} and r.settlement_id = s.id) as refunded_in_cents,
      ${paidCharges({ partnerId: sql`${partnerId}`, planId: sql`s.plan_id` })}
        as charges_and_amounts_paid,
      s.rent_cycle_date, s.debit_by, s.processor_transaction_id, s.payout_id,
      s.failure_reason,
      ${isStale(ctx.now)} as is_stale,
      s.created_at, s.updated_at, s.version
    from settlement s join tenant t on t.partner_id = s.partner_id and t.id = s.tenant_id
    where s.partner_id = ${partnerId}`;
}

function view(settlement: RowOf<typeof settlementRow>): SettlementOutput {
  return {
    ...settlement,
    charges_paid: settlement.charges_and_amounts_paid.map((it) => it.charge_id),
    created_at: settlement.created_at.toISOString(),
    updated_at: settlement.updated_at.toISOString(),
  };
}
