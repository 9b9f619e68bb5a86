import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { NewEvent } from '../events/emit.ts';
import { terms } from '../partners/terms.ts';
import { charge } from '../payments/charge.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays, daysBetween, hourOf, localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { isOpen, type LivePart, type LivePlan, partData, payerOf, planData } from './live-plan.ts';
import type { PlanStep } from './plan-step.ts';
import {
  changePlan,
  type HistoryLine,
  movePart,
  movePlan,
  type PlanChange,
  withPart,
} from './save-change.ts';

export interface Collection {
  readonly part: LivePart;
  /** Paid by the tenant, collected on its due date, or retried after a failure. */
  readonly kind: 'tenant' | 'scheduled' | 'retry';
  readonly at: TenantTime;
}

export interface CollectionStep extends PlanStep {
  /** Null if the payment succeeded. */
  readonly returnCode: string | null;
}

/**
 * Charges one installment. Returns what follows from the outcome; the caller writes it. The charge
 * itself writes only if the simulation forced it to fail.
 */
export async function collect(
  uow: UnitOfWork,
  plan: LivePlan,
  collection: Collection,
): Promise<CollectionStep> {
  const { part, kind, at } = collection;
  const { result, rest } = await charge(uow, payerOf(plan), { at, isFirst: false });
  const returnCode = result.outcome === 'failed' ? result.returnCode : null;
  const payment = {
    id: newId('pay', uow.now),
    partnerId: plan.partnerId,
    installmentId: part.id,
    amountInCents: part.amountInCents,
    outcome: result.outcome,
    returnCode,
    kind,
    methodId: plan.method.id,
    at,
  };
  const charged = { ...plan, pendingFailures: rest };
  const step =
    returnCode === null
      ? paid(charged, collection, payment.id)
      : failed(charged, collection, returnCode);
  return { ...step, payments: [payment], returnCode };
}

function paid(before: LivePlan, collection: Collection, paymentId: string): PlanStep {
  const { partnerId, tenantId, method, timeZone } = before;
  const { part, at } = collection;
  const { amountInCents } = part;
  return {
    ...markPaid(before, collection, { paymentId, methodType: method.type }),
    transfers: [
      {
        partnerId,
        tenantId,
        kind: 'payment',
        sourceId: paymentId,
        occurredAt: at,
        entries: [
          { kind: 'processor_clearing', amountInCents },
          { kind: 'tenant_receivable', amountInCents: -amountInCents },
        ],
      },
    ],
    movements: [
      {
        partnerId,
        tenantId,
        methodId: method.id,
        sourceId: paymentId,
        amountInCents,
        at,
        timeZone,
      },
    ],
  };
}

interface Paid {
  readonly paymentId: string;
  readonly methodType: PaymentMethod['type'];
}

/** An installment is paid: the change of its plan and the events, without the ledger. Pure. */
export function markPaid(
  before: LivePlan,
  { part, kind, at }: Collection,
  { paymentId, methodType }: Paid,
): { readonly change: PlanChange; readonly events: NewEvent[] } {
  const done = movePart(part, [...toProcessing(part), 'paid'], {
    paidMs: at.getTime(),
    nextAttemptMs: null,
  });
  const { plan: after, ended } = afterPayment(withPart(before, done), at);
  const history: HistoryLine[] = [
    { kind: 'paid', number: part.number, amountInCents: part.amountInCents },
    ...(ended ? [{ kind: ended } as const] : []),
  ];
  const change = changePlan({ before, after, at, history });
  const { plan } = change;
  const data = partData(plan, part);
  const events: NewEvent[] = [
    {
      type: 'installment.paid',
      version: partOf(plan, part.id).version,
      data: { ...data, method: methodType },
    },
  ];
  if (kind === 'tenant') {
    events.push({
      type: 'repayment.created',
      version: 1,
      data: { ...data, repayment_id: paymentId },
    });
  }
  if (ended === 'completed') {
    events.push({ type: 'plan.completed', version: plan.version, data: planData(plan) });
  } else if (ended === 'recovered') {
    const recovered = { ...planData(plan), change: ended };
    events.push({ type: 'plan.updated', version: plan.version, data: recovered });
  }
  return { change, events };
}

/** The last payment completes a plan. One that leaves nothing 30 days late makes it active again. */
export function afterPayment(plan: LivePlan, at: TenantTime) {
  if (!plan.parts.some(isOpen)) {
    return { plan: movePlan(plan, 'completed'), ended: 'completed' as const };
  }
  return plan.state === 'past_due' && !isLate(plan, at)
    ? { plan: movePlan(plan, 'active'), ended: 'recovered' as const }
    : { plan, ended: null };
}

/** Whether an open installment is 30 days late. */
export function isLate({ parts, timeZone }: LivePlan, at: TenantTime): boolean {
  const today = localDate(at, timeZone);
  return parts.some((it) => isOpen(it) && daysBetween(it.dueDate, today) >= terms.pastDueDays);
}

function failed(before: LivePlan, { part, kind, at }: Collection, returnCode: string): PlanStep {
  const { changed, disables } = afterFailure(before, { part, kind, at }, returnCode);
  const after = { ...withPart(before, changed), autopay: before.autopay && !disables };
  const stopped = before.autopay && disables;
  const { number, amountInCents } = part;
  const change = changePlan({
    before,
    after,
    at,
    history: [
      { kind: 'failed', number, amountInCents, returnCode },
      ...(stopped ? [{ kind: 'autopay_disabled' } as const] : []),
    ],
  });
  const { plan } = change;
  const next = changed.nextAttemptMs;
  const events: NewEvent[] = [
    {
      type: 'installment.failed',
      version: partOf(plan, part.id).version,
      data: {
        ...partData(plan, part),
        method: plan.method.type,
        return_code: returnCode,
        next_attempt_at: next === null ? null : new Date(next).toISOString(),
        taken_back: false,
      },
    },
  ];
  if (stopped) {
    events.push({ type: 'autopay.disabled', version: plan.version, data: { plan_id: plan.id } });
  }
  return { change, events };
}

// The tenant's permission to debit was revoked or never given: no more automatic payments.
const revoked = ['R05', 'R07', 'R10', 'R11', 'authorization_revoked', 'charged_back'];

/**
 * A failed attempt by the tenant leaves the installment as it was. A failed collection is retried,
 * or the installment becomes overdue.
 */
export function afterFailure(plan: LivePlan, { part, kind, at }: Collection, returnCode: string) {
  const disables = revoked.includes(returnCode);
  const path = [...toProcessing(part), 'failed'] as const;
  if (kind === 'tenant') {
    const back = part.state === 'failed' ? [] : ([part.state] as const);
    return { changed: movePart(part, [...path, ...back]), disables };
  }
  const wait = terms.retryAfterDays[part.retries];
  const again = terms.retryCodes.some((code) => code === returnCode) && wait !== undefined;
  if (!again) {
    return { changed: movePart(part, [...path, 'overdue'], { nextAttemptMs: null }), disables };
  }
  const { timeZone } = plan;
  const day = nextBankingDay(addDays(localDate(at, timeZone), wait));
  const nextAttemptMs = hourOf(day, terms.workHour, timeZone).getTime();
  const retries = part.retries + 1;
  return { changed: movePart(part, path, { nextAttemptMs, retries }), disables };
}

function toProcessing({ state }: LivePart) {
  if (state === 'paid') return [];
  return state === 'failed' ? (['scheduled', 'processing'] as const) : (['processing'] as const);
}

export function partOf(plan: LivePlan, id: string): LivePart {
  const part = plan.parts.find((it) => it.id === id);
  if (!part) throw new Error(`plan ${plan.id} has no installment ${id}`);
  return part;
}
