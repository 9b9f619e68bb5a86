import { sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import type { DisputeReport, ProcessorEvent } from '../payments/processor.ts';
import { adoptReturn, insertMoved, readReported } from '../payments/record-return.ts';
import type { TenantTime } from '../tenants/time.ts';

interface DisputedPayment {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly paymentId: string;
  readonly processor: string;
}

/** The reason why a win is not stored yet: it may arrive before the event with the withdrawal. */
export const notTakenYetReason = 'the money that it gives back was not taken yet';
/** The reason why a win is not stored: an operator has to look up its amount at the processor. */
export const unclearAmountReason = 'the processor does not say how much of the money it gave back';

/**
 * Stores what the processor reports of a dispute: its state, for the operator, and the money that it has
 * moved since the last report. The caller has locked the tenant's row. Returns why money was not stored; null if all
 * of it is.
 */
export async function recordDispute(
  uow: UnitOfWork,
  payment: DisputedPayment,
  { dispute, occurredAt }: Extract<ProcessorEvent, { kind: 'disputed' }>,
  at: TenantTime,
): Promise<string | null> {
  await saveDispute(uow, payment, dispute, occurredAt);
  if ((dispute.withdrawnInCents ?? 0) > 0) await adoptReturn(uow, payment, dispute.ref);
  const { takenInCents, wonInCents } = await readReported(uow, payment, dispute.ref);
  const { returnCode, ref: disputeRef } = dispute;
  const taken = Math.max(takenInCents, dispute.withdrawnInCents ?? 0);
  if (taken > takenInCents) {
    const amountInCents = taken - takenInCents;
    await insertMoved(uow, payment, {
      kind: 'taken_back',
      returnCode,
      amountInCents,
      disputeRef,
      at,
    });
  }
  const mostInCents = dispute.reinstatedAtMostInCents ?? null;
  const won = dispute.reinstatedInCents ?? mostInCents ?? 0;
  if (won <= wonInCents) return null;
  if (taken === 0) return notTakenYetReason;
  // The bank gave back a part, but the most that it can be is all that the bank took.
  if (mostInCents !== null && mostInCents >= taken) return unclearAmountReason;
  const amountInCents = won - wonInCents;
  await insertMoved(uow, payment, { kind: 'won', returnCode: null, amountInCents, disputeRef, at });
  return null;
}

/** Stores a dispute's state. An older state than the stored one changes nothing, and an ended dispute stays ended. */
async function saveDispute(
  { tx, now }: UnitOfWork,
  { partnerId, tenantId, paymentId, processor }: DisputedPayment,
  { ref, status, amountInCents, returnCode, answerBy }: DisputeReport,
  reportedAt: Date,
): Promise<void> {
  await tx.run(sql`
    insert into dispute (partner_id, processor, ref, tenant_id, payment_id, status,
      amount_in_cents, return_code, answer_by, reported_at, created_at)
    values (${partnerId}, ${processor}, ${ref}, ${tenantId}, ${paymentId}, ${status},
      ${amountInCents}, ${returnCode}, ${answerBy}::timestamptz, ${new Date(reportedAt)}, ${now})
    on conflict (partner_id, processor, ref) do update
      set status = excluded.status, amount_in_cents = excluded.amount_in_cents,
        return_code = excluded.return_code, answer_by = excluded.answer_by,
        reported_at = excluded.reported_at
      where excluded.reported_at > dispute.reported_at
        -- Two reports within one second have the same time.
        or (excluded.reported_at = dispute.reported_at
          and dispute.status not in ('won', 'lost', 'closed'))`);
}
