import { type PayoutOutput, type PayoutStatus, payoutMethods, payoutStatuses } from '@svc/contract';
import {
  bigint,
  boolean,
  date,
  instant,
  integer,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

interface PayoutKey {
  readonly partnerId: string;
  readonly id: string;
}

interface Filter {
  readonly status?: PayoutStatus | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists the partner's payouts, newest first. The cursor is the last id shown. */
export async function listPayouts(ctx: Ctx<PartnerActor>, { status, cursor, limit }: Filter) {
  const rows = await ctx.tx.many(
    payoutRow,
    sql`${payouts} where p.partner_id = ${ctx.actor.partnerId}
    and (${status ?? null}::text is null or p.status = ${status ?? null})
    and (${cursor ?? null}::text is null or p.id < ${cursor ?? null})
    order by p.id desc limit ${limit + 1}`,
  );
  const items = rows.slice(0, limit).map(view);
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

export function readPayout(
  { tx, actor }: Pick<Ctx<PartnerActor>, 'tx' | 'actor'>,
  { id }: { readonly id: string },
): Promise<PayoutOutput> {
  return findPayout(tx, { partnerId: actor.partnerId, id });
}

/** @throws Refusal `payout_not_found` */
export async function findPayout(q: Queryable, { partnerId, id }: PayoutKey) {
  const found = await q.maybe(payoutRow, payoutOf({ partnerId, id }));
  if (!found) throw new Refusal('payout_not_found');
  return view(found);
}

/** Locks a payout, so that its outcome is decided once. */
export async function lockPayout(q: Queryable, key: PayoutKey): Promise<LockedPayout> {
  const found = await q.maybe(payoutRow, sql`${payoutOf(key)} for update of p`);
  if (!found) throw new Refusal('payout_not_found');
  const { pms, rail, isAsked } = found;
  return { ...view(found), pms, rail, isAsked };
}

export interface LockedPayout extends PayoutOutput {
  readonly pms: string;
  readonly rail: string | null;
  /** True if the rail is still asked for the outcome. */
  readonly isAsked: boolean;
}

const payoutRow = row('payout', {
  id: text,
  pms: text,
  rail: nullable(text),
  isAsked: boolean,
  method: oneOf(...payoutMethods),
  status: oneOf(...payoutStatuses),
  day: date,
  amount_in_cents: bigint,
  line_count: integer,
  reference: nullable(text),
  failure_reason: nullable(text),
  created_at: instant,
  sent_at: nullable(instant),
  ended_at: nullable(instant),
  version: integer,
});

const payouts = sql`
  /* many rows: all settlements of a payout */
  select p.id, o.pms, p.rail, p.check_at is not null as is_asked, p.method, p.status, p.day,
    p.amount_in_cents, p.line_count, p.reference, p.failure_reason, p.created_at,
    p.sent_at, coalesce(p.ended_at, p.paid_at) as ended_at, p.version
  from payout p join partner o on o.id = p.partner_id`;

function payoutOf({ partnerId, id }: PayoutKey): Sql {
  return sql`${payouts} where p.partner_id = ${partnerId} and p.id = ${id}`;
}

function view(payout: RowOf<typeof payoutRow>): PayoutOutput {
  const { pms: _pms, rail: _rail, isAsked: _isAsked, ...shown } = payout;
  return {
    ...shown,
    created_at: payout.created_at.toISOString(),
    sent_at: payout.sent_at?.toISOString() ?? null,
    ended_at: payout.ended_at?.toISOString() ?? null,
  };
}

/** The part of a payout that its events carry. */
export function payoutData(payout: PayoutOutput) {
  const { id, method, status, day, amount_in_cents, line_count, reference } = payout;
  return { payout_id: id, method, status, day, amount_in_cents, line_count, reference };
}
