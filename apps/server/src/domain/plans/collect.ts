import type { InstallmentState } from '@svc/contract';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { NewEvent } from '../events/emit.ts';
import { workHour } from '../partners/operating-hours.ts';
import type { CallToMake } from '../payments/calls.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';
import { nextMorning } from '../payments/record-processor-entry.ts';
import { actionFor } from '../payments/return-codes.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays, daysBetween, hourOf, localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import {
  isOpen,
  type LivePart,
  type LivePlan,
  mailFactsOf,
  partData,
  planData,
} from './live-plan.ts';
import type { NewCharge, PlanStep } from './plan-step.ts';
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
  /** The part of the amount owed that is collected. Default: all of it. */
  readonly amountInCents?: number;
  /** Paid by the tenant, collected on its due date, or retried after a failure. */
  readonly kind: 'tenant' | 'scheduled' | 'retry';
  readonly at: TenantTime;
}

/** A payment for an installment, with the call that takes its money. */
interface BegunCharge {
  readonly step: PlanStep;
  /** The call to make after the commit. */
  readonly call: CallToMake;
}

/** Returns the intent to charge one installment, which is in flight from now on. Writes nothing. */
export function beginCharge(
  { now }: Pick<UnitOfWork, 'now'>,
  before: LivePlan,
  { part, kind, at, amountInCents = part.amountInCents }: Collection,
): BegunCharge {
  const { partnerId, tenantId, timeZone, method } = before;
  const charge: NewCharge = {
    id: newId('pay', now),
    partnerId,
    tenantId,
    installmentId: part.id,
    amountInCents,
    kind,
    methodId: method.id,
    at,
    settlesAt: nextMorning(at, timeZone),
    occasion: kind,
    partState: part.state,
  };
  const after = withPart(before, movePart(part, toProcessing(part)));
  return {
    step: { change: changePlan({ before, after, at }), events: [], charges: [charge] },
    call: chargeCall(before, charge, now),
  };
}

/** Returns the call for a charge, which the caller sends as soon as it has committed. */
export function chargeCall(
  { timeZone, detailsSealed }: Pick<LivePlan, 'timeZone' | 'detailsSealed'>,
  { id, partnerId, tenantId, at, amountInCents, methodId, occasion }: NewCharge,
  now: Date,
): CallToMake {
  return {
    todo: 'send',
    kind: 'charge',
    key: id,
    amountInCents,
    methodId,
    detailsSealed,
    occasion,
    payer: { partnerId, tenantId, timeZone, at },
    of: { key: id, ref: null },
    ref: null,
    sentAt: now,
  };
}

/** A payment whose outcome is known now. */
export interface Charged {
  readonly paymentId: string;
  readonly amountInCents: number;
  readonly methodId: string;
  readonly methodType: PaymentMethod['type'];
  /** The installment's state before the charge. */
  readonly partState: InstallmentState;
}

/**
 * Applies a payment whose money arrived: it pays its installment or a part of it. It can also be a part
 * because the bank returned an earlier payment while this one was in flight. Pure.
 */
export function applySucceededCharge(
  before: LivePlan,
  collection: Collection,
  { paymentId, amountInCents, methodId, methodType, partState }: Charged,
): PlanStep {
  const { partnerId } = before;
  const isPart = amountInCents < collection.part.amountInCents;
  return {
    ...(isPart
      ? markPartPaid(before, { ...collection, amountInCents }, { paymentId, partState })
      : markPaid(before, collection, { paymentId, methodType })),
    payments: [{ id: paymentId, partnerId, outcome: 'succeeded', isPart, returnCode: null }],
    ...moneyOf(before, { paymentId, amountInCents, methodId }, collection.at),
  };
}

/** Returns the transfer and the movement of a payment that arrived. */
export function moneyOf(
  { partnerId, tenantId, timeZone }: LivePlan,
  { paymentId, amountInCents, methodId }: Pick<Charged, 'paymentId' | 'amountInCents' | 'methodId'>,
  at: TenantTime,
): Required<Pick<PlanStep, 'transfers' | 'movements'>> {
  const source = { partnerId, tenantId, sourceId: paymentId };
  return {
    transfers: [
      {
        ...source,
        kind: 'payment',
        occurredAt: at,
        entries: [
          { kind: 'processor_clearing', amountInCents },
          { kind: 'tenant_receivable', amountInCents: -amountInCents },
        ],
      },
    ],
    movements: [{ ...source, methodId, amountInCents, at, timeZone }],
  };
}

interface Paid {
  readonly paymentId: string;
  readonly methodType: PaymentMethod['type'];
}

/** Marks an installment as paid. Returns the change of its plan and the events, without the ledger. Pure. */
export function markPaid(
  before: LivePlan,
  { part, kind, at }: Collection,
  { paymentId, methodType }: Paid,
): { readonly change: PlanChange; readonly events: NewEvent[] } {
  const done = movePart(part, [...toProcessing(part), 'paid'], {
    amountInCents: part.amountInCents + part.partPaidInCents,
    partPaidInCents: 0,
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
      mail: mailFactsOf(plan),
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

/**
 * Marks a part of an installment as paid. The installment keeps its state from before the payment, and the
 * remainder stays due on its day. Pure.
 */
export function markPartPaid(
  before: LivePlan,
  { part, kind, at, amountInCents }: Collection & { readonly amountInCents: number },
  { paymentId, partState }: Pick<Charged, 'paymentId' | 'partState'>,
): { readonly change: PlanChange; readonly events: NewEvent[] } {
  const { number } = part;
  const after = withPart(
    before,
    movePart(part, part.state === partState ? [] : [partState], {
      amountInCents: part.amountInCents - amountInCents,
      partPaidInCents: part.partPaidInCents + amountInCents,
    }),
  );
  const history: HistoryLine[] = [{ kind: 'paid', number, amountInCents }];
  const change = changePlan({ before, after, at, history });
  const { plan } = change;
  const updated = { ...planData(plan), change: 'part_paid' as const };
  const mail = {
    ...mailFactsOf(plan),
    amount_in_cents: amountInCents,
    due_date: part.dueDate,
    rest: {
      amount_in_cents: part.amountInCents - amountInCents,
      // A payment that is already late is collected only if the tenant pays it.
      automatic: plan.autopay && partState === 'scheduled',
    },
  };
  const events: NewEvent[] = [{ type: 'plan.updated', version: plan.version, data: updated, mail }];
  if (kind === 'tenant') {
    const data = { ...partData(plan, part), amount_in_cents: amountInCents };
    events.push({
      type: 'repayment.created',
      version: 1,
      data: { ...data, repayment_id: paymentId },
    });
  }
  return { change, events };
}

/** Moves a plan after a payment: the last one completes it, and one that leaves it no longer late reactivates it. */
export function afterPayment(plan: LivePlan, at: TenantTime) {
  if (!plan.parts.some(isOpen)) {
    return { plan: movePlan(plan, 'completed'), ended: 'completed' as const };
  }
  return plan.state === 'past_due' && !isLate(plan, at)
    ? { plan: movePlan(plan, 'active'), ended: 'recovered' as const }
    : { plan, ended: null };
}

/** Returns whether an open installment is late enough to make the plan past due. */
export function isLate({ parts, timeZone, terms }: LivePlan, at: TenantTime): boolean {
  const today = localDate(at, timeZone);
  return parts.some((it) => isOpen(it) && daysBetween(it.dueDate, today) >= terms.pastDueDays);
}

/** Applies a payment that the bank or the processor refused. Pure. */
export function applyFailedCharge(
  before: LivePlan,
  { part, kind, at }: Collection,
  {
    paymentId,
    amountInCents,
    methodType,
    partState,
    returnCode,
  }: Charged & { readonly returnCode: string },
): PlanStep {
  const { changed, disables } = afterFailure(before, { part, kind, at, partState }, returnCode);
  const after = { ...withPart(before, changed), autopay: before.autopay && !disables };
  const stopped = before.autopay && disables;
  const { number } = part;
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
        amount_in_cents: amountInCents,
        method: methodType,
        return_code: returnCode,
        next_attempt_at: next === null ? null : new Date(next).toISOString(),
        taken_back: false,
      },
      mail: mailFactsOf(plan),
    },
  ];
  if (stopped) {
    events.push({ type: 'autopay.disabled', version: plan.version, data: { plan_id: plan.id } });
  }
  const payment = {
    id: paymentId,
    partnerId: plan.partnerId,
    outcome: 'failed',
    isPart: false,
    returnCode,
  } as const;
  return { change, events, payments: [payment] };
}

/**
 * A failed attempt by the tenant leaves the installment as it was. A failed collection is retried,
 * or the installment becomes overdue.
 */
export function afterFailure(
  plan: LivePlan,
  { part, kind, at, partState }: Collection & { readonly partState: InstallmentState },
  returnCode: string,
) {
  const action = actionFor(returnCode);
  // The tenant's permission to debit was revoked or never given: no more automatic payments.
  const disables = action === 'stop';
  const path = [...toProcessing(part), 'failed'] as const;
  if (kind === 'tenant') {
    const back = partState === 'failed' ? [] : ([partState] as const);
    return { changed: movePart(part, [...path, ...back]), disables };
  }
  const retryDays = plan.terms.retryAfterDays[part.retries];
  if (action !== 'retry' || retryDays === undefined) {
    return { changed: movePart(part, [...path, 'overdue'], { nextAttemptMs: null }), disables };
  }
  const { timeZone } = plan;
  const day = nextBankingDay(addDays(localDate(at, timeZone), retryDays));
  const nextAttemptMs = hourOf(day, workHour, timeZone).getTime();
  const retries = part.retries + 1;
  return { changed: movePart(part, path, { nextAttemptMs, retries }), disables };
}

/** Returns the states through which an installment passes when a payment for it begins. */
export function toProcessing({ state }: LivePart) {
  if (state === 'paid' || state === 'processing') return [];
  return state === 'failed' ? (['scheduled', 'processing'] as const) : (['processing'] as const);
}

export function partOf(plan: LivePlan, id: string): LivePart {
  const part = plan.parts.find((it) => it.id === id);
  if (!part) throw new Error(`plan ${plan.id} has no installment ${id}`);
  return part;
}
