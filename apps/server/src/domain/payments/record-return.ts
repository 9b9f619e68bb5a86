import { bigint, type Queryable, row, type Sql, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantKey } from '../tenant-key.ts';
import type { TenantTime } from '../tenants/time.ts';

interface PaymentKey {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly paymentId: string;
}

const reportedRow = row('money that a bank has moved', {
  amountInCents: bigint,
  takenInCents: bigint,
  wonInCents: bigint,
  /** The number of `won` events without an amount: all money that was out is ours again. */
  wonAll: bigint,
});

/**
 * Reads what processors and operators have reported about a payment so far, whether it is in the books yet
 * or not. With `disputeRef`, reads only what that dispute moved. The tenant's row is locked.
 */
export async function readReported(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, paymentId }: Pick<PaymentKey, 'partnerId' | 'paymentId'>,
  disputeRef: string | null = null,
) {
  const ofDispute = disputeRef === null ? sql`true` : sql`v.dispute_ref = ${disputeRef}`;
  return tx.one(
    reportedRow,
    sql`
    select y.amount_in_cents,
      coalesce(sum(coalesce(v.amount_in_cents, y.amount_in_cents))
        filter (where v.kind = 'taken_back'), 0)::int8 as taken_in_cents,
      coalesce(sum(v.amount_in_cents) filter (where v.kind = 'won'), 0)::int8 as won_in_cents,
      count(*) filter (where v.kind = 'won' and v.amount_in_cents is null) as won_all
    from payment y left join processor_event v on v.partner_id = y.partner_id
      and v.payment_id = y.id and ${ofDispute}
    where y.partner_id = ${partnerId} and y.id = ${paymentId}
    group by y.amount_in_cents`,
  );
}

interface Moved {
  readonly kind: 'taken_back' | 'won';
  readonly returnCode: string | null;
  /** Null for all money that is out when the event is handled. */
  readonly amountInCents: number | null;
  readonly disputeRef: string | null;
  readonly at: TenantTime;
}

/** Stores that a bank has moved money of a payment. `runProcessorEvents` books it. */
export async function insertMoved(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, tenantId, paymentId }: PaymentKey,
  { kind, returnCode, amountInCents, disputeRef, at }: Moved,
): Promise<void> {
  await tx.run(sql`
    insert into processor_event (partner_id, id, tenant_id, payment_id, kind, return_code,
      amount_in_cents, dispute_ref, occurs_at, created_at)
    values (${partnerId}, ${newId('pev', now)}, ${tenantId}, ${paymentId}, ${kind}, ${returnCode},
      ${amountInCents}, ${disputeRef}, ${at}, ${now})`);
}

/**
 * Records that the bank returned a payment, or a part of it, without saying which dispute that was. If that
 * much is out already, it is the same return, reported twice. Returns the cents that are new.
 */
export async function recordReturn(
  uow: Pick<UnitOfWork, 'tx' | 'now'>,
  payment: PaymentKey,
  { returnCode, amountInCents, at }: Pick<Moved, 'returnCode' | 'at'> & Partial<Moved>,
): Promise<number> {
  const reported = await readReported(uow, payment);
  const outInCents =
    reported.wonAll > 0 ? 0 : Math.max(0, reported.takenInCents - reported.wonInCents);
  const newInCents = (amountInCents ?? reported.amountInCents) - outInCents;
  if (newInCents <= 0) return 0;
  const returned = { kind: 'taken_back', returnCode, at } as const;
  await insertMoved(uow, payment, { ...returned, amountInCents: newInCents, disputeRef: null });
  return newInCents;
}

/**
 * Records that all money of the payment that banks have taken is ours again. This may be reported before the
 * return that it ends.
 */
export async function recordMoneyWonBack(
  uow: Pick<UnitOfWork, 'tx' | 'now'>,
  payment: PaymentKey,
  at: TenantTime,
): Promise<void> {
  const { takenInCents, wonInCents, wonAll } = await readReported(uow, payment);
  const isKnown = wonAll > 0 || (takenInCents > 0 && wonInCents >= takenInCents);
  if (isKnown) return;
  const won = { kind: 'won', returnCode: null, amountInCents: null, disputeRef: null } as const;
  await insertMoved(uow, payment, { ...won, at });
}

/**
 * Makes a dispute that arrives now the reason of a return that was stored already, because an operator had
 * heard of it or the processor had reported the charge as failed.
 */
export async function adoptReturn(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, paymentId }: Pick<PaymentKey, 'partnerId' | 'paymentId'>,
  disputeRef: string,
): Promise<void> {
  await tx.run(sql`
    update processor_event v set dispute_ref = ${disputeRef}
    where v.partner_id = ${partnerId} and v.payment_id = ${paymentId} and v.dispute_ref is null
      and not exists (select from processor_event d where d.partner_id = ${partnerId}
        and d.payment_id = ${paymentId} and d.dispute_ref = ${disputeRef})
      -- A return whose money is ours again had another reason.
      and not exists (select from processor_event w where w.partner_id = ${partnerId}
        and w.payment_id = ${paymentId} and w.dispute_ref is null and w.kind = 'won')`);
}

/** Makes a stored return of the payment due, which could not be applied before and was postponed. */
export async function hastenReturn(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, paymentId }: Pick<PaymentKey, 'partnerId' | 'paymentId'>,
  at: TenantTime,
): Promise<void> {
  await tx.run(sql`
    update processor_event set occurs_at = least(occurs_at, ${at}::timestamptz)
    where partner_id = ${partnerId} and payment_id = ${paymentId} and kind = 'taken_back'
      and handled_at is null`);
}

/**
 * Returns a statement that marks an event as handled, and returns its row.
 * @param next a subquery with the event's id
 */
export function markEventHandled(partnerId: string, next: Sql, now: Date): Sql {
  return sql`
    update processor_event set handled_at = ${now} where partner_id = ${partnerId} and id = (${next})
    returning partner_id, id, kind, return_code, payment_id, amount_in_cents`;
}

/** Stores how much money an event without an amount moved. */
export async function completeAmount(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
  amountInCents: number,
): Promise<void> {
  await tx.run(sql`
    update processor_event set amount_in_cents = ${amountInCents}
    where partner_id = ${partnerId} and id = ${id} and amount_in_cents is null`);
}

/** Postpones the tenant's events that are not handled yet, because handling one failed. */
export function postponeEvents(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
  until: Date,
): Promise<number> {
  return q.run(sql`
    update processor_event e set occurs_at = greatest(e.occurs_at, ${until}::timestamptz
      + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond')
    from tenant t where t.partner_id = ${partnerId} and t.id = ${tenantId}
      and e.partner_id = t.partner_id and e.tenant_id = t.id and e.handled_at is null`);
}
