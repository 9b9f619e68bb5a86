import type { UnitOfWork } from '../../context.ts';
import type { NewEvent } from '../events/emit.ts';
import { actionFor } from '../payments/return-codes.ts';
import { afterFailure, isLate, partOf } from '../plans/collect.ts';
import {
  type LivePart,
  type LivePlan,
  mailFactsOf,
  partData,
  planData,
} from '../plans/live-plan.ts';
import { markReturned } from '../plans/payment-outcome.ts';
import { type PlanStep, writeSteps } from '../plans/plan-step.ts';
import { changePlan, movePart, movePlan, withPart } from '../plans/save-change.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { MovedEvent } from './processor-event.ts';

/**
 * Records that the bank took back a payment that had succeeded, or a part of it, so the tenant owes that again. The
 * settlement stays, because the rent is paid. A completed plan becomes active again.
 */
export async function reversePayment(
  uow: UnitOfWork,
  before: LivePlan,
  event: MovedEvent,
  at: TenantTime,
): Promise<LivePlan> {
  const returnCode = event.returnCode ?? '';
  await markReturned(uow, before, event, returnCode);
  const step = reversal(before, event, returnCode, at);
  await writeSteps(uow, [step]);
  return step.change.plan;
}

/** Computes the changes that a return makes to plan, ledger and events. Pure. */
function reversal(
  before: LivePlan,
  event: MovedEvent,
  returnCode: string,
  at: TenantTime,
): PlanStep {
  const after = planAfterReversal(before, event, at);
  const reopens = before.state === 'completed';
  const stopped = before.autopay && !after.autopay;
  const isPastDue = after.state === 'past_due' && before.state !== 'past_due';
  const { number } = partOf(after, event.installmentId);
  const { amountInCents } = event;
  const change = changePlan({
    before,
    after,
    at,
    history: [
      { kind: 'taken_back', number, amountInCents, returnCode },
      ...(stopped ? [{ kind: 'autopay_disabled' } as const] : []),
      ...(isPastDue ? [{ kind: 'past_due' } as const] : []),
    ],
  });
  const { plan } = change;
  const { version } = plan;
  const data = planData(plan);
  const part = partOf(plan, event.installmentId);
  const next = part.nextAttemptMs;
  const events: NewEvent[] = [
    {
      type: 'installment.failed',
      version: part.version,
      data: {
        ...partData(plan, part),
        amount_in_cents: amountInCents,
        method: event.methodType,
        return_code: returnCode,
        next_attempt_at: next === null ? null : new Date(next).toISOString(),
        taken_back: true,
      },
      mail: mailFactsOf(plan),
    },
  ];
  if (reopens) {
    events.push({ type: 'plan.updated', version, data: { ...data, change: 'reopened' } });
  }
  if (stopped) events.push({ type: 'autopay.disabled', version, data: { plan_id: plan.id } });
  if (isPastDue) {
    const reason = 'unpaid_for_30_days';
    events.push({ type: 'plan.past_due', version, data: { ...data, reason } });
  }
  return { change, events, ...moneyOfReversal(before, event, at) };
}

/** If the plan was charged off, the loss grows; otherwise the tenant owes the amount again. */
function moneyOfReversal(
  { partnerId, tenantId, timeZone, state }: LivePlan,
  { id: sourceId, amountInCents, methodId }: MovedEvent,
  at: TenantTime,
): Pick<PlanStep, 'transfers' | 'movements'> {
  return {
    transfers: [
      {
        partnerId,
        tenantId,
        kind: 'payment_taken_back',
        sourceId,
        occurredAt: at,
        entries: [
          { kind: state === 'charged_off' ? 'credit_loss' : 'tenant_receivable', amountInCents },
          { kind: 'processor_clearing', amountInCents: -amountInCents },
        ],
      },
    ],
    movements: [
      { partnerId, tenantId, methodId, sourceId, timeZone, at, amountInCents: -amountInCents },
    ],
  };
}

/** Returns the plan after a return. A completed plan reopens without autopay: the tenant has to pay the installment. */
function planAfterReversal(before: LivePlan, event: MovedEvent, at: TenantTime): LivePlan {
  const part = partOf(before, event.installmentId);
  const unpaid = withoutPayment(part, event.amountInCents);
  if (before.state === 'charged_off') {
    const path = part.state === 'paid' ? (['failed', 'canceled'] as const) : [];
    return withPart(before, movePart(unpaid, path));
  }
  if (part.state !== 'paid') return afterPartReversal(before, unpaid, event);
  const reopens = before.state === 'completed';
  const autopay = before.autopay && !reopens;
  const { changed, disables } = autopay
    ? afterFailure(
        before,
        { part: unpaid, kind: 'scheduled', at, partState: 'paid' },
        event.returnCode ?? '',
      )
    : { changed: movePart(unpaid, ['failed', 'overdue']), disables: false };
  const open = withPart(reopens ? movePlan(before, 'active') : before, changed);
  const plan = { ...open, autopay: autopay && !disables };
  return plan.state === 'active' && isLate(plan, at) ? movePlan(plan, 'past_due') : plan;
}

/** Returns the installment as if the returned payment had never been made: its amount is owed again. */
function withoutPayment(part: LivePart, amountInCents: number): LivePart {
  const isPaid = part.state === 'paid';
  const paidInCents = isPaid ? part.amountInCents : part.partPaidInCents;
  return {
    ...part,
    paidMs: null,
    amountInCents: isPaid ? amountInCents : part.amountInCents + amountInCents,
    partPaidInCents: paidInCents - amountInCents,
  };
}

/**
 * Returns the plan after a part payment came back. The rest of its installment is due as before: on its day, late, or
 * in flight, which then pays only a part.
 */
function afterPartReversal(before: LivePlan, part: LivePart, event: MovedEvent): LivePlan {
  const stops = actionFor(event.returnCode ?? '') === 'stop';
  return { ...withPart(before, part), autopay: before.autopay && !stops };
}
