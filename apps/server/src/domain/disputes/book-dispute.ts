import { boolean, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { lockPayment } from '../payments/lock-payment.ts';
import { endDisputeReports } from '../payments/receive-events.ts';
import { adoptReturn, insertMoved, readReported } from '../payments/record-return.ts';
import { Refusal } from '../refusal.ts';
import { tenantTime } from '../tenants/time.ts';
import { notTakenYetReason, unclearAmountReason } from './record-dispute.ts';
import { runProcessorEvents } from './run-processor-events.ts';

interface BookedDispute {
  readonly partner_id: string;
  readonly dispute: string;
  readonly payment_id: string;
  readonly plan_id: string;
  /** The cents that this command booked. */
  readonly amount_in_cents: number;
  /** The totals that the bank took in this dispute, and gave back of it. */
  readonly taken_in_cents: number;
  readonly won_in_cents: number;
  /** False if the money is booked once another payment of the installment has its outcome. */
  readonly is_booked: boolean;
}

const disputeRow = row('dispute to book', { processor: text, paymentId: text });
const waitingRow = row('money that waits', { waits: boolean });

/**
 * Books how much a bank gave back of a dispute, which the operator knows and the processor's report did not say. The
 * amount is a total, like those of the reports: a later report with the same total changes nothing.
 * @throws Refusal if that much is booked already, or more than the bank took
 */
export async function bookDispute(
  ctx: Ctx,
  { dispute: ref, amountInCents }: { readonly dispute: string; readonly amountInCents: number },
): Promise<BookedDispute> {
  const found = await ctx.tx.maybe(
    disputeRow,
    sql`
    /* all partners: the operator names a dispute only */
    select processor, payment_id from dispute where ref = ${ref} limit 1`,
  );
  if (!found) throw refused(`There is no dispute ${ref}. "svc-admin dispute list" shows them.`);
  const { processor, paymentId } = found;
  const payment = await lockPayment(ctx.tx, paymentId);
  const { partnerId, tenantId, planId } = payment;
  const key = { partnerId, tenantId, paymentId, processor };
  await adoptReturn(ctx, key, ref);
  const { takenInCents, wonInCents } = await readReported(ctx, key, ref);
  if (takenInCents === 0) {
    throw refused(
      `No money that a bank took in ${ref} is booked, so none can come back. Record it first with "svc-admin payment return ${paymentId}".`,
    );
  }
  if (amountInCents > takenInCents) {
    throw refused(
      `The bank took ${takenInCents} cents in ${ref}. --amount is what it gave back of them in total.`,
    );
  }
  if (amountInCents <= wonInCents) {
    throw refused(
      `${wonInCents} cents that came back in ${ref} are booked already. --amount is their total.`,
    );
  }
  const newInCents = amountInCents - wonInCents;
  const at = tenantTime(payment, ctx.now);
  await insertMoved(ctx, key, {
    kind: 'won',
    returnCode: null,
    amountInCents: newInCents,
    disputeRef: ref,
    at,
  });
  await runProcessorEvents(ctx, { partnerId, tenantId, at });
  await endDisputeReports(ctx, { processor, ref }, [unclearAmountReason, notTakenYetReason]);
  const { waits } = await ctx.tx.one(
    waitingRow,
    sql`
    select exists (select from processor_event where partner_id = ${partnerId}
      and payment_id = ${paymentId} and kind = 'won' and handled_at is null) as waits`,
  );
  return {
    partner_id: partnerId,
    dispute: ref,
    payment_id: paymentId,
    plan_id: planId,
    amount_in_cents: newInCents,
    taken_in_cents: takenInCents,
    won_in_cents: amountInCents,
    is_booked: !waits,
  };
}

function refused(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}
