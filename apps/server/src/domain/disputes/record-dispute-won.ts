import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import { post } from '../ledger/post.ts';
import { returnSuffix } from '../payments/entry-key.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { requestRefunds } from '../payments/refund-calls.ts';
import { markPaid, markPartPaid, partOf } from '../plans/collect.ts';
import { isOpen, type LivePlan, mailFactsOf, planData, subjectOf } from '../plans/live-plan.ts';
import { markWonBack } from '../plans/payment-outcome.ts';
import { lossToUndo } from '../plans/plan-loss.ts';
import { writeSteps } from '../plans/plan-step.ts';
import { type HistoryLine, saveChange } from '../plans/save-change.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { MovedEvent } from './processor-event.ts';

interface Split {
  /** Cents that pay back a loss that we had charged off. */
  readonly recovered: number;
  /** Cents that are no longer owed, and go back to the tenant's account or card. */
  readonly over: number;
}

/**
 * Records that we won a dispute, or a part of it: the bank pays a returned payment again. The money pays the
 * installment if it is still open, then a loss that we had charged off; the rest goes back to the tenant.
 */
export async function recordDisputeWon(
  ctx: UnitOfWork,
  before: LivePlan,
  event: MovedEvent,
  at: TenantTime,
): Promise<LivePlan> {
  const part = partOf(before, event.installmentId);
  const pays = isOpen(part);
  const recovered = Math.min(event.amountInCents, await lossToUndo(ctx.tx, before));
  const paidInCents = pays ? Math.min(part.amountInCents, event.amountInCents - recovered) : 0;
  const isPart = pays && paidInCents < part.amountInCents;
  const over = event.amountInCents - recovered - paidInCents;
  await postWon(ctx, before, event, { recovered, over, at });
  // A part that a bank still holds leaves the payment returned.
  if (pays && event.amountInCents === event.outInCents) {
    await markWonBack(ctx, before, event, { isPart });
  }
  const collection = { part, kind: 'scheduled', at, amountInCents: paidInCents } as const;
  const step = pays
    ? isPart
      ? markPartPaid(before, collection, { ...event, partState: part.state })
      : markPaid(before, collection, event)
    : null;
  if (step) await writeSteps(ctx, [step]);
  const saved = step ? step.change.plan : before;
  const history: HistoryLine[] = [
    ...(recovered > 0
      ? [{ kind: 'paid', number: part.number, amountInCents: recovered } as const]
      : []),
    ...(over > 0 ? [{ kind: 'refunded', amountInCents: over } as const] : []),
  ];
  if (history.length === 0) return saved;
  const plan = saveChange(ctx, { before: saved, after: saved, at, history });
  if (over === 0) return plan;
  const data = { ...planData(plan), change: 'refunded' as const };
  const mail = { ...mailFactsOf(plan), refunded_in_cents: over };
  emit(ctx, subjectOf(plan, at), [{ type: 'plan.updated', version: plan.version, data, mail }]);
  return plan;
}

async function postWon(
  ctx: UnitOfWork,
  { partnerId, tenantId, timeZone }: LivePlan,
  { id, amountInCents, methodId, planId, paymentId }: MovedEvent,
  { recovered, over, at }: Split & { readonly at: TenantTime },
): Promise<void> {
  const transferFacts = { partnerId, tenantId, occurredAt: at };
  const movement = { partnerId, tenantId, methodId, timeZone, at };
  await post(ctx, [
    {
      ...transferFacts,
      kind: 'payment_won',
      sourceId: id,
      entries: [
        { kind: 'processor_clearing', amountInCents },
        { kind: 'credit_loss', amountInCents: -recovered },
        { kind: 'tenant_receivable', amountInCents: recovered - amountInCents },
      ],
    },
  ]);
  recordProcessorEntries(ctx, [{ ...movement, sourceId: id, amountInCents }]);
  if (over === 0) return;
  const sourceId = `${id}${returnSuffix}`;
  await post(ctx, [
    {
      ...transferFacts,
      kind: 'paid_back',
      sourceId,
      entries: [
        { kind: 'tenant_receivable', amountInCents: over },
        { kind: 'processor_clearing', amountInCents: -over },
      ],
    },
  ]);
  recordProcessorEntries(ctx, [{ ...movement, sourceId, amountInCents: -over }]);
  const refund = { partnerId, tenantId, planId, sourceId };
  const left = await requestRefunds(ctx, { ...refund, amountInCents: over, paymentId });
  // An operator had refunded a part of this payment, so the rest is refunded from the payments that paid instead.
  if (left > 0) await requestRefunds(ctx, { ...refund, amountInCents: left });
}
