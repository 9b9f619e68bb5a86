import { bigint, nullable, row, sql, text } from '@svc/db';
import type { Ctx, UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { mayBeginMoney } from '../controls/money-switch.ts';
import { emit } from '../events/emit.ts';
import { isOfAccount } from '../ledger/is-of-account.ts';
import { post } from '../ledger/post.ts';
import { lockPayment } from '../payments/lock-payment.ts';
import { processorOf } from '../payments/processor-of.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { centsToRefund, requestRefunds } from '../payments/refund-calls.ts';
import { loadPlan, mailFactsOf, planData, subjectOf } from '../plans/live-plan.ts';
import { saveChange } from '../plans/save-change.ts';
import { Refusal } from '../refusal.ts';
import { tenantTime } from '../tenants/time.ts';

interface PaymentRefund {
  readonly partner_id: string;
  readonly payment_id: string;
  readonly plan_id: string;
  readonly amount_in_cents: number;
  /** The part that we give up. The rest was owed to the tenant, because a bank had refused a refund. */
  readonly our_loss_in_cents: number;
}

interface Request {
  readonly paymentId: string;
  /** If omitted, everything that has not been refunded yet. */
  readonly amountInCents?: number;
}

/**
 * Refunds a payment to the tenant for the operator. The installment stays paid, and the amount is our
 * loss. A job sends the refund.
 */
export async function refundPayment(ctx: Ctx, request: Request): Promise<PaymentRefund> {
  // Locks the tenant: of two operators at once, the second sees the refund of the first.
  const payment = await lockPayment(ctx.tx, request.paymentId);
  const { partnerId, tenantId, planId, id: paymentId, methodId } = payment;
  if (payment.outcome !== 'succeeded') {
    throw refused(`This payment is ${payment.outcome}. Only one that succeeded can be refunded.`);
  }
  const { name } = processorOf(ctx.service);
  if (payment.processor !== null && payment.processor !== name) {
    throw refused(
      `This payment was taken by ${payment.processor}, and SVC_PROCESSOR is ${name}. Refund it there.`,
    );
  }
  const left = await centsToRefund(ctx, { partnerId, planId, paymentId });
  if (left <= 0) throw refused('All of this payment was given back already.');
  const amountInCents = request.amountInCents ?? left;
  if (amountInCents > left) {
    throw refused(`Only ${left} cents of this payment are left to give back.`);
  }
  if (!(await mayBeginMoney(ctx.tx))) {
    throw new Refusal('payments_paused', {
      message: 'Money is stopped, so no refund begins. See "svc-admin money status".',
    });
  }
  const before = await loadPlan(ctx.tx, { partnerId, tenantId, planId });
  if (!before) throw new Error(`payment ${paymentId} has no plan`);
  const { timeZone } = before;
  const at = tenantTime(payment, ctx.now);
  const owedToTenant = Math.min(amountInCents, await refusedCents(ctx, { partnerId, paymentId }));
  const loss = amountInCents - owedToTenant;
  const sourceId = newId('prf', ctx.now);
  await post(ctx, [
    {
      partnerId,
      tenantId,
      kind: 'paid_back',
      sourceId,
      occurredAt: at,
      entries: [
        { kind: 'tenant_receivable', amountInCents: owedToTenant },
        { kind: 'credit_loss', amountInCents: loss },
        { kind: 'processor_clearing', amountInCents: -amountInCents },
      ],
    },
  ]);
  const movement = { partnerId, tenantId, methodId, sourceId, at, timeZone };
  recordProcessorEntries(ctx, [{ ...movement, amountInCents: -amountInCents }]);
  const refundRequest = { partnerId, tenantId, planId, sourceId, amountInCents, paymentId };
  if ((await requestRefunds(ctx, refundRequest)) > 0)
    throw new Error(`${paymentId} has changed under its lock`);
  // A refund that a bank refused was reported to the tenant and the partner when it was first made.
  if (loss > 0) {
    const history = [{ kind: 'refunded', amountInCents: loss }] as const;
    const plan = saveChange(ctx, { before, after: before, at, history });
    const data = { ...planData(plan), change: 'refunded' as const };
    const mail = { ...mailFactsOf(plan), refunded_in_cents: loss };
    emit(ctx, subjectOf(plan, at), [{ type: 'plan.updated', version: plan.version, data, mail }]);
  }
  return {
    partner_id: partnerId,
    payment_id: paymentId,
    plan_id: planId,
    amount_in_cents: amountInCents,
    our_loss_in_cents: loss,
  };
}

const refusedRow = row('refused refunds', { owed: nullable(bigint), id: text });

/** Cents of a payment's refunds that a bank refused and that no later refund has paid. */
async function refusedCents(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, paymentId }: { readonly partnerId: string; readonly paymentId: string },
): Promise<number> {
  const { owed } = await tx.one(
    refusedRow,
    sql`
    select y.id,
      (select sum(c.amount_in_cents) from processor_call c
        where c.partner_id = ${partnerId} and c.payment_id = y.id and c.kind = 'refund'
          and c.state = 'failed')::int8
      - coalesce((select sum(e.amount_in_cents) from processor_call c
        join ledger_transfer_source l on l.partner_id = c.partner_id and l.source_id = c.source_id
          and l.kind = 'paid_back'
        join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.transfer_id
          and ${isOfAccount('tenant_receivable', { partnerId: sql`${partnerId}` })}
        where c.partner_id = ${partnerId} and c.payment_id = y.id and c.kind = 'refund'
          and starts_with(c.source_id, 'prf_')), 0)::int8 as owed
    from payment y where y.partner_id = ${partnerId} and y.id = ${paymentId}`,
  );
  return owed ?? 0;
}

function refused(message: string): Refusal {
  return new Refusal('refund_not_possible', { message });
}
