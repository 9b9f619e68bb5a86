import {
  type PayoutOutput,
  type PayoutStatement,
  type PayoutStatus,
  payoutMethods,
  payoutStatuses,
} from '@svc/contract';
import {
  bigint,
  date,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { bankTimeZone } from '../bank-time-zone.ts';
import { requireMoneyRunning } from '../controls/money-switch.ts';
import { type AccountKind, post } from '../ledger/post.ts';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { partnerOf } from '../operators/partner-of.ts';
import { requirePartner } from '../partners/find-partner.ts';
import { findPayoutSetting } from '../partners/payout-setting.ts';
import { Refusal } from '../refusal.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { createPayout } from './create-payout.ts';
import { movePayout, type Outcome } from './move-payout.ts';
import { type LockedPayout, lockPayout } from './read.ts';
import { requireStep } from './report-payout.ts';
import { payoutStatementOf } from './statement.ts';

/** The outcome that an operator reports of a payout that the operator sends. */
type OperatorOutcome =
  | { readonly status: 'sent' }
  | { readonly status: 'paid'; readonly reference?: string | undefined }
  | { readonly status: 'failed' | 'returned'; readonly reason: string };

export interface MovedPayout extends PayoutOutput {
  readonly partner_id: string;
  readonly pms: string;
  readonly destination: string;
}

/**
 * Records that the operator has given a payout to the bank, or its outcome. The portal reports its debits, and
 * a rail its payouts, so that a payout that is still on its way is not paid again.
 */
export async function movePayoutByOperator(
  ctx: Ctx,
  id: string,
  outcome: OperatorOutcome,
): Promise<MovedPayout> {
  const { partnerId, destination, payout } = await lockAny(ctx.tx, id);
  if (payout.isAsked && payout.rail === ctx.service.payoutRail?.name) {
    const rehearse = ctx.service.simulator
      ? ` To rehearse these commands, schedule the portal with a destination such as "${payout.pms} by hand".`
      : '';
    throw refused(
      `${id} is sent by ${payout.rail}, which also reports what becomes of it.${rehearse}`,
    );
  }
  if (payout.method === 'debit' && outcome.status === 'sent') {
    throw refused(`${id} is debited by ${payout.pms}. There is nothing to send.`);
  }
  if (outcome.status === 'sent') {
    if (payout.status === 'sent') {
      throw refused(
        `${id} was sent at ${payout.sent_at}. Ask the bank before you send anything again; "svc-admin payout list" shows it.`,
      );
    }
    await requireMoneyRunning(ctx.tx);
  }
  requireStep(payout, outcome);
  const moved = await movePayout(ctx, { ...payout, partnerId }, outcome satisfies Outcome);
  return { ...moved, partner_id: partnerId, pms: payout.pms, destination };
}

const ownerRow = row('owner of a payout', { partnerId: text, destination: text });

async function lockAny(
  tx: Tx,
  id: string,
): Promise<{ partnerId: string; destination: string; payout: LockedPayout }> {
  const owner = await findOwner(tx, id);
  return { ...owner, payout: await lockPayout(tx, { partnerId: owner.partnerId, id }) };
}

async function findOwner(q: Queryable, id: string): Promise<RowOf<typeof ownerRow>> {
  const partnerId = await partnerOf(q, { subject: 'payout_id', id });
  const owner = await q.maybe(
    ownerRow,
    sql`
    select partner_id, destination from payout where partner_id = ${partnerId} and id = ${id}`,
  );
  if (!owner) throw new Refusal('payout_not_found', { message: `There is no payout ${id}.` });
  return owner;
}

/** Reads the statement of any portal's payout. */
export async function readAnyStatement(q: Queryable, id: string): Promise<PayoutStatement> {
  return payoutStatementOf(q, { ...(await findOwner(q, id)), id });
}

/** Creates a payout now, in addition to those of the schedule. */
export async function createPayoutNow(
  ctx: Ctx,
  { pms }: { readonly pms: string },
): Promise<PayoutOutput & { readonly partner_id: string }> {
  const { id: partnerId } = await requirePartner(ctx.tx, pms);
  await ctx.tx.run(sql`select from payout_setting where partner_id = ${partnerId} for update`);
  const setting = await findPayoutSetting(ctx.tx, partnerId);
  if (!setting) throw refused(`${pms} gets no payouts. See "svc-admin payout schedule".`);
  await requireMoneyRunning(ctx.tx);
  const day = nextBankingDay(localDate(ctx.now, bankTimeZone));
  const created = await createPayout(ctx, { ...setting, partnerId, pms, day });
  if (!created) throw refused(`We owe ${pms} nothing that a payout could pay.`);
  return { ...created, partner_id: partnerId };
}

/** The accounts that a correction can be booked to. */
export const adjustmentAccounts = [
  'fee_income',
  'credit_loss',
  'processing_cost',
  'books_difference',
] as const satisfies readonly AccountKind[];

interface NewAdjustment {
  readonly pms: string;
  /** Positive if we owe it to the portal. */
  readonly amount_in_cents: number;
  readonly account: (typeof adjustmentAccounts)[number];
  readonly reason: string;
  readonly user: string;
}

interface PayoutAdjustment {
  readonly id: string;
  readonly partner_id: string;
  readonly pms: string;
  readonly amount_in_cents: number;
  readonly account: string;
}

/** Corrects what we owe a portal. The next payout has the correction as a line. */
export async function adjustPayouts(
  ctx: Ctx,
  { pms, amount_in_cents, account, reason, user }: NewAdjustment,
): Promise<PayoutAdjustment> {
  const { id: partnerId } = await requirePartner(ctx.tx, pms);
  if (!(await findPayoutSetting(ctx.tx, partnerId))) {
    throw refused(`${pms} gets no payouts. See "svc-admin payout schedule".`);
  }
  const id = await insertAdjustment(ctx, {
    partnerId,
    amountInCents: amount_in_cents,
    reason,
    user,
  });
  await post(ctx, [
    {
      partnerId,
      tenantId: null,
      kind: 'payout_adjustment',
      sourceId: id,
      occurredAt: ctx.now as TenantTime,
      entries: [
        { kind: account, amountInCents: amount_in_cents },
        { kind: 'partner_payable', amountInCents: -amount_in_cents },
      ],
    },
  ]);
  return { id, partner_id: partnerId, pms, amount_in_cents, account };
}

/** Stores an adjustment whose ledger entries the caller posts. */
export async function insertAdjustment(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  adjustment: { partnerId: string; amountInCents: number; reason: string; user: string },
): Promise<string> {
  const { partnerId, amountInCents, reason, user } = adjustment;
  const id = newId('pad', now);
  await tx.run(sql`
    insert into payout_adjustment (partner_id, id, amount_in_cents, reason, created_by, created_at)
    values (${partnerId}, ${id}, ${amountInCents}, ${reason}, ${user}, ${now})`);
  return id;
}

function refused(message: string): Refusal {
  return new Refusal('payout_transition_invalid', { message });
}

export interface ListedPayout {
  readonly id: string;
  readonly pms: string;
  readonly method: string;
  readonly status: PayoutStatus;
  readonly day: string;
  readonly amount_in_cents: number;
  readonly line_count: number;
  readonly destination: string;
  /** The sender: a rail, `operator`, or `portal` for a debit. */
  readonly sent_by: string;
  readonly reference: string | null;
  readonly failure_reason: string | null;
}

const listedRow = row('payout of any partner', {
  id: text,
  pms: text,
  method: oneOf(...payoutMethods),
  status: oneOf(...payoutStatuses),
  day: date,
  amount_in_cents: bigint,
  line_count: bigint,
  destination: text,
  sent_by: text,
  reference: nullable(text),
  failure_reason: nullable(text),
});

/** Lists the newest payouts, those that are not over first. */
export async function listAllPayouts(
  q: Queryable,
  {
    pms,
    partnerIds = null,
    status = null,
    limit = mostListed,
  }: {
    readonly pms?: string;
    readonly partnerIds?: readonly string[] | null;
    readonly status?: PayoutStatus | null;
    readonly limit?: number;
  },
): Promise<Listed<ListedPayout>> {
  const rows = await q.many(
    listedRow,
    sql`
    /* all partners, unless one is named */
    select p.id, o.pms, p.method, p.status, p.day, p.amount_in_cents,
      p.line_count::int8 as line_count, p.destination,
      case when p.method = 'debit' then 'portal' else coalesce(p.rail, 'operator') end as sent_by,
      p.reference, p.failure_reason
    from payout p join partner o on o.id = p.partner_id
    where (${pms ?? null}::text is null or o.pms = ${pms ?? null})
      and (${partnerIds}::text[] is null or p.partner_id = any(${partnerIds}::text[]))
      and (${status}::text is null or p.status = ${status})
    order by p.status not in ('pending', 'sent'), p.id desc limit ${limit + 1}`,
  );
  return listNewest(rows, limit);
}
