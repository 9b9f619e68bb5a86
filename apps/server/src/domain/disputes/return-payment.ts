import type { Ctx } from '../../context.ts';
import { type LockedPayment, lockPayment } from '../payments/lock-payment.ts';
import { hastenReturn, recordReturn } from '../payments/record-return.ts';
import { failureFacts } from '../payments/return-codes.ts';
import { Refusal } from '../refusal.ts';
import { tenantTime } from '../tenants/time.ts';
import { runProcessorEvents } from './run-processor-events.ts';

interface PaymentReturn {
  readonly partner_id: string;
  readonly payment_id: string;
  readonly plan_id: string;
  /** The cents that this command returned, or an earlier one if nothing changed. */
  readonly amount_in_cents: number;
  readonly return_code: string;
  /** False if that much of the payment had been returned already. */
  readonly changed: boolean;
}

interface Request {
  readonly paymentId: string;
  readonly returnCode: string;
  /** Left out for the whole payment. Only a card's chargeback can be about a part. */
  readonly amountInCents?: number;
}

/**
 * Records a return that the operator knows of from the bank. This does what the processor's own event would
 * do. If that event comes later, it changes nothing, because the money was returned already.
 */
export async function returnPayment(
  ctx: Ctx,
  { paymentId, returnCode, amountInCents }: Request,
): Promise<PaymentReturn> {
  const payment = await lockPayment(ctx.tx, paymentId);
  requireCode(payment, returnCode);
  requireAmount(payment, amountInCents);
  const { partnerId, tenantId, planId } = payment;
  const result = { partner_id: partnerId, payment_id: paymentId, plan_id: planId };
  if (payment.outcome !== 'succeeded' && payment.outcome !== 'returned') {
    throw refused(`This payment is ${payment.outcome}. Only one that succeeded can be returned.`);
  }
  const at = tenantTime(payment, ctx.now);
  const returned = { returnCode, at, ...(amountInCents !== undefined && { amountInCents }) };
  const newInCents = await recordReturn(ctx, { partnerId, tenantId, paymentId }, returned);
  await hastenReturn(ctx, { partnerId, paymentId }, at);
  await runProcessorEvents(ctx, { partnerId, tenantId, at });
  const after = await lockPayment(ctx.tx, paymentId);
  if (after.outcome !== 'returned') throw new Error(`the return of ${paymentId} was not applied`);
  return {
    ...result,
    amount_in_cents: newInCents > 0 ? newInCents : (amountInCents ?? payment.amountInCents),
    return_code: after.returnCode ?? returnCode,
    changed: newInCents > 0,
  };
}

function requireAmount(payment: LockedPayment, amountInCents: number | undefined): void {
  if (amountInCents === undefined) return;
  if (payment.methodType !== 'card') {
    throw refused('A bank returns a debit as a whole. Leave --amount out.');
  }
  if (amountInCents > payment.amountInCents) {
    throw refused(`This payment is ${payment.amountInCents} cents. --amount must not be more.`);
  }
}

/** When a bank returns a debit, it gives a Nacha return code. A card's payment comes back as a chargeback. */
function requireCode({ methodType }: LockedPayment, code: string): void {
  if (methodType === 'card') {
    if (code === 'charged_back') return;
    throw refused('This is a payment by card. Pass --code charged_back.');
  }
  if (/^R\d\d$/.test(code) && Object.hasOwn(failureFacts, code)) return;
  throw refused(
    `--code must be the bank's return code, from R01 to R31, not "${code}". They are listed in docs/operate/failed-payments.md.`,
  );
}

function refused(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}
