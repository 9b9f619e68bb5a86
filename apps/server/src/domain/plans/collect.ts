import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { post } from '../ledger/post.ts';
import { terms } from '../partners/terms.ts';
import { charge } from '../payments/charge.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';
import { noteEntry } from '../payments/record-processor-entry.ts';
import { nextBankingDay } from '../tenants/banking-days.ts';
import { addDays, daysBetween, hourOf, localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { shared } from '../together.ts';
import {
  isOpen,
  type LivePart,
  type LivePlan,
  partData,
  payerOf,
  planData,
  subjectOf,
} from './live-plan.ts';
import { type HistoryLine, movePart, movePlan, saveChange, withPart } from './save-change.ts';

type DomainCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

export interface Collection {
  readonly part: LivePart;
  /** By the tenant's own hand, on its day, or once more after the bank said no. */
  readonly kind: 'tenant' | 'scheduled' | 'retry';
  readonly at: TenantTime;
}

export interface Collected {
  readonly plan: LivePlan;
  /** Null when the money came. */
  readonly returnCode: string | null;
}

/** Takes one installment: payment, ledger, states and events together. */
export async function collect(
  ctx: DomainCtx,
  plan: LivePlan,
  collection: Collection,
): Promise<Collected> {
  const { part, kind, at } = collection;
  const { result, rest } = await charge(ctx, payerOf(plan), { at, isFirst: false });
  const returnCode = result.outcome === 'failed' ? result.returnCode : null;
  const paymentId = newId('pay', ctx.now);
  await insertPayment(ctx, {
    id: paymentId,
    part: part.id,
    amount: part.amountInCents,
    outcome: result.outcome,
    code: returnCode,
    kind,
    method: plan.method.id,
    at,
  });
  const charged = { ...plan, pendingFailures: rest };
  return returnCode === null
    ? { plan: await paid(ctx, charged, collection, paymentId), returnCode }
    : { plan: await failed(ctx, charged, collection, returnCode), returnCode };
}

const insertPayment = shared(
  async ({ tx, now }: Pick<Ctx, 'tx' | 'now'>, payments: readonly object[]) => {
    await tx.run(sql`
      insert into payment (id, installment_id, attempt, amount_in_cents, outcome, return_code,
        kind, payment_method_id, occurred_at, created_at)
      select p.id, p.part, (select count(*) + 1 from payment y where y.installment_id = p.part),
        p.amount, p.outcome, p.code, p.kind, p.method, p.at, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(payments)}::json) as p(id text, part text,
        amount bigint, outcome text, code text, kind text, method text, at timestamptz)`);
  },
);

async function paid(
  ctx: DomainCtx,
  before: LivePlan,
  { part, kind, at }: Collection,
  paymentId: string,
): Promise<LivePlan> {
  const { partnerId, tenantId } = before;
  await post(ctx, {
    partnerId,
    tenantId,
    kind: 'payment',
    sourceId: paymentId,
    occurredAt: at,
    entries: [
      { kind: 'processor_clearing', amountInCents: part.amountInCents },
      { kind: 'tenant_receivable', amountInCents: -part.amountInCents },
    ],
  });
  await noteEntry(ctx, {
    partnerId,
    tenantId,
    methodId: before.method.id,
    sourceId: paymentId,
    amountInCents: part.amountInCents,
    at,
    timeZone: before.timeZone,
  });
  return markPaid(ctx, before, { part, kind, at }, { paymentId, methodType: before.method.type });
}

interface Paid {
  readonly paymentId: string;
  readonly methodType: PaymentMethod['type'];
}

/** The part, the plan and their events, once the books have the money. */
export async function markPaid(
  ctx: DomainCtx,
  before: LivePlan,
  { part, kind, at }: Collection,
  { paymentId, methodType }: Paid,
): Promise<LivePlan> {
  const done = movePart(part, [...toProcessing(part), 'paid'], {
    paidMs: at.getTime(),
    nextAttemptMs: null,
  });
  const { plan, ended } = afterPayment(withPart(before, done), at);
  const history: HistoryLine[] = [
    { kind: 'paid', number: part.number, amountInCents: part.amountInCents },
    ...(ended ? [{ kind: ended } as const] : []),
  ];
  const saved = await saveChange(ctx, { before, after: plan, at, history });
  const { version } = partOf(saved, part.id);
  const data = partData(saved, part);
  const events: NewEvent[] = [
    { type: 'installment.paid', version, data: { ...data, method: methodType } },
  ];
  if (kind === 'tenant') {
    events.push({
      type: 'repayment.created',
      version: 1,
      data: { ...data, repayment_id: paymentId },
    });
  }
  if (ended === 'completed') {
    events.push({ type: 'plan.completed', version: saved.version, data: planData(saved) });
  } else if (ended === 'recovered') {
    const change = { ...planData(saved), change: ended };
    events.push({ type: 'plan.updated', version: saved.version, data: change });
  }
  await emit(ctx, subjectOf(saved, at), events);
  return saved;
}

/** The last payment completes a plan; one that leaves nothing 30 days late brings it back. */
export function afterPayment(plan: LivePlan, at: TenantTime) {
  if (!plan.parts.some(isOpen)) {
    return { plan: movePlan(plan, 'completed'), ended: 'completed' as const };
  }
  return plan.state === 'past_due' && !isLate(plan, at)
    ? { plan: movePlan(plan, 'active'), ended: 'recovered' as const }
    : { plan, ended: null };
}

/** Whether one of its parts has been open for 30 days. */
export function isLate({ parts, timeZone }: LivePlan, at: TenantTime): boolean {
  const today = localDate(at, timeZone);
  return parts.some((it) => isOpen(it) && daysBetween(it.dueDate, today) >= terms.pastDueDays);
}

async function failed(
  ctx: DomainCtx,
  before: LivePlan,
  { part, kind, at }: Collection,
  returnCode: string,
): Promise<LivePlan> {
  const { changed, disables } = afterFailure(before, { part, kind, at }, returnCode);
  const after = { ...withPart(before, changed), autopay: before.autopay && !disables };
  const stopped = before.autopay && disables;
  const { number, amountInCents } = part;
  const saved = await saveChange(ctx, {
    before,
    after,
    at,
    history: [
      { kind: 'failed', number, amountInCents, returnCode },
      ...(stopped ? [{ kind: 'autopay_disabled' } as const] : []),
    ],
  });
  const next = changed.nextAttemptMs;
  const { version } = partOf(saved, part.id);
  const events: NewEvent[] = [
    {
      type: 'installment.failed',
      version,
      data: {
        ...partData(saved, part),
        method: saved.method.type,
        return_code: returnCode,
        next_attempt_at: next === null ? null : new Date(next).toISOString(),
        taken_back: false,
      },
    },
  ];
  if (stopped) {
    events.push({ type: 'autopay.disabled', version: saved.version, data: { plan_id: saved.id } });
  }
  await emit(ctx, subjectOf(saved, at), events);
  return saved;
}

// Permission taken back, or never given: we may not debit again by ourselves.
const revoked = ['R05', 'R07', 'R10', 'R11', 'authorization_revoked', 'charged_back'];

/** A tenant's own attempt changes nothing of the plan; one of ours is retried, or is overdue. */
export function afterFailure(plan: LivePlan, { part, kind, at }: Collection, returnCode: string) {
  const disables = revoked.includes(returnCode);
  const way = [...toProcessing(part), 'failed'] as const;
  if (kind === 'tenant') {
    const back = part.state === 'failed' ? [] : ([part.state] as const);
    return { changed: movePart(part, [...way, ...back]), disables };
  }
  const wait = terms.retryAfterDays[part.retries];
  const again = terms.retryCodes.some((code) => code === returnCode) && wait !== undefined;
  if (!again) {
    return { changed: movePart(part, [...way, 'overdue'], { nextAttemptMs: null }), disables };
  }
  const { timeZone } = plan;
  const day = nextBankingDay(addDays(localDate(at, timeZone), wait));
  const nextAttemptMs = hourOf(day, terms.workHour, timeZone).getTime();
  const retries = part.retries + 1;
  return { changed: movePart(part, way, { nextAttemptMs, retries }), disables };
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
