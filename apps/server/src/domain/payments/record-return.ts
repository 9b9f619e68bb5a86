import { bigint, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
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
  /** Without an amount: all that is out is ours again. */
  wonAll: bigint,
});

/**
 * What processors and operators have reported about a payment so far, whether it is in the books yet or
 * not. With a dispute, only what that one moved. The tenant's row is locked.
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
    select y.amount_in_cents as "amountInCents",
      coalesce(sum(coalesce(v.amount_in_cents, y.amount_in_cents))
        filter (where v.kind = 'taken_back'), 0)::int8 as "takenInCents",
      coalesce(sum(v.amount_in_cents) filter (where v.kind = 'won'), 0)::int8 as "wonInCents",
      count(*) filter (where v.kind = 'won' and v.amount_in_cents is null) as "wonAll"
    from payment y left join processor_event v on v.partner_id = y.partner_id
      and v.payment_id = y.id and ${ofDispute}
    where y.partner_id = ${partnerId} and y.id = ${paymentId}
    group by y.amount_in_cents`,
  );
}

interface Moved {
  readonly kind: 'taken_back' | 'won';
  readonly returnCode: string | null;
  /** Null: all that is out when the event is handled. */
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
 * The bank returned a payment, or cents of it, and nothing says which dispute that was. If that much is
 * out already, it is the same return, reported twice. Returns the cents that are new.
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
 * All money of the payment that banks have taken is ours again. It may be reported before the return
 * that it ends.
 */
export async function recordWon(
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
