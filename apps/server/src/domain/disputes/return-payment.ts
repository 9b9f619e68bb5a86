import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { type LockedPayment, lockPayment } from '../payments/lock-payment.ts';
import { failures } from '../payments/return-codes.ts';
import { Refusal } from '../refusal.ts';
import { tenantTime } from '../tenants/time.ts';
import { runProcessorEvents } from './run-processor-events.ts';

export interface PaymentReturn {
  readonly partner_id: string;
  readonly payment_id: string;
  readonly plan_id: string;
  readonly amount_in_cents: number;
  readonly return_code: string;
  /** False if the payment was returned before. */
  readonly changed: boolean;
}

/**
 * The operator knows from the bank that a payment was returned. Has the effect of the processor's own
 * event, and a payment has one return only, so a later event about it changes nothing.
 */
export async function returnPayment(
  ctx: Ctx,
  { paymentId, returnCode }: { readonly paymentId: string; readonly returnCode: string },
): Promise<PaymentReturn> {
  const payment = await lockPayment(ctx.tx, paymentId);
  requireCode(payment, returnCode);
  const { partnerId, tenantId, amountInCents } = payment;
  const result = {
    partner_id: partnerId,
    payment_id: paymentId,
    plan_id: payment.planId,
    amount_in_cents: amountInCents,
  };
  if (payment.outcome === 'returned') {
    return { ...result, return_code: payment.returnCode ?? '', changed: false };
  }
  if (payment.outcome !== 'succeeded') {
    throw refused(`This payment is ${payment.outcome}. Only one that succeeded can be returned.`);
  }
  const at = tenantTime(payment, ctx.now);
  const stored = await ctx.tx.run(sql`
    insert into processor_event (partner_id, id, tenant_id, payment_id, kind, return_code,
      occurs_at, created_at)
    values (${partnerId}, ${newId('pev', ctx.now)}, ${tenantId}, ${paymentId}, 'taken_back',
      ${returnCode}, ${at}, ${ctx.now})
    on conflict (partner_id, payment_id, kind) do update
      set occurs_at = least(processor_event.occurs_at, excluded.occurs_at)
      where processor_event.handled_at is null`);
  if (stored === 0) {
    throw refused('This payment was returned and won back. A payment is returned only once.');
  }
  await runProcessorEvents(ctx, { partnerId, tenantId, at });
  const after = await lockPayment(ctx.tx, paymentId);
  if (after.outcome !== 'returned') throw new Error(`the return of ${paymentId} was not applied`);
  return { ...result, return_code: after.returnCode ?? returnCode, changed: true };
}

/** A bank returns a debit with a code of Nacha. A card's payment comes back as a chargeback. */
function requireCode({ methodType }: LockedPayment, code: string): void {
  if (methodType === 'card') {
    if (code === 'charged_back') return;
    throw refused('This is a payment by card. Pass --code charged_back.');
  }
  if (/^R\d\d$/.test(code) && Object.hasOwn(failures, code)) return;
  throw refused(
    `--code must be the bank's return code, from R01 to R31, not "${code}". They are listed in docs/operate/controls.md.`,
  );
}

function refused(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}
