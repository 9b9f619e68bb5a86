import { sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { post } from '../ledger/post.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { afterFailure, isLate, partOf } from '../plans/collect.ts';
import { type LivePlan, partData, planData, subjectOf } from '../plans/live-plan.ts';
import {
  type HistoryLine,
  movePart,
  movePlan,
  saveChange,
  withPart,
} from '../plans/save-change.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { ProcessorEvent } from './processor-event.ts';

/**
 * The bank took a payment back that it had made: the tenant owes it again. The settlement stays, the
 * rent is paid; a plan that was paid in full is open again.
 */
export async function reversePayment(
  ctx: UnitOfWork,
  before: LivePlan,
  event: ProcessorEvent,
  at: TenantTime,
): Promise<LivePlan> {
  const returnCode = event.returnCode ?? '';
  const reopens = before.state === 'completed';
  await postReversal(ctx, before, event, at);
  await ctx.tx.run(sql`
    update payment set outcome = 'returned', return_code = ${returnCode}
    where id = ${event.paymentId}`);
  if (reopens) await ctx.tx.run(sql`update plan set reopened = true where id = ${before.id}`);
  const after = planAfterReversal(before, event, at);
  const stopped = before.autopay && !after.autopay;
  const isPastDue = after.state === 'past_due' && before.state !== 'past_due';
  const { number, amountInCents, ...part } = partOf(after, event.installmentId);
  const history: HistoryLine[] = [
    { kind: 'taken_back', number, amountInCents, returnCode },
    ...(stopped ? [{ kind: 'autopay_disabled' } as const] : []),
    ...(isPastDue ? [{ kind: 'past_due' } as const] : []),
  ];
  const plan = await saveChange(ctx, { before, after, at, history });
  const { version } = plan;
  const data = planData(plan);
  const next = part.nextAttemptMs;
  const events: NewEvent[] = [
    {
      type: 'installment.failed',
      version: part.version + 1,
      data: {
        ...partData(plan, partOf(plan, part.id)),
        method: event.methodType,
        return_code: returnCode,
        next_attempt_at: next === null ? null : new Date(next).toISOString(),
        taken_back: true,
      },
    },
  ];
  if (reopens)
    events.push({ type: 'plan.updated', version, data: { ...data, change: 'reopened' } });
  if (stopped) events.push({ type: 'autopay.disabled', version, data: { plan_id: plan.id } });
  if (isPastDue) {
    const reason = 'unpaid_for_30_days';
    events.push({ type: 'plan.past_due', version, data: { ...data, reason } });
  }
  emit(ctx, subjectOf(plan, at), events);
  return plan;
}

/** Of a plan that was written off, the loss grows. */
async function postReversal(
  ctx: UnitOfWork,
  { partnerId, tenantId, timeZone, state }: LivePlan,
  { id: sourceId, amountInCents, methodId }: ProcessorEvent,
  at: TenantTime,
): Promise<void> {
  await post(ctx, [
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
  ]);
  const about = { partnerId, tenantId, methodId, sourceId, timeZone, at };
  await recordProcessorEntries(ctx, [{ ...about, amountInCents: -amountInCents }]);
}

/** A plan that was paid in full debits nothing by itself any more: the tenant pays by hand. */
function planAfterReversal(before: LivePlan, event: ProcessorEvent, at: TenantTime): LivePlan {
  const part = partOf(before, event.installmentId);
  const unpaid = { ...part, paidMs: null, amountInCents: event.amountInCents };
  if (before.state === 'charged_off') {
    return withPart(before, movePart(unpaid, ['failed', 'canceled']));
  }
  const reopens = before.state === 'completed';
  const autopay = before.autopay && !reopens;
  const { changed, disables } = autopay
    ? afterFailure(before, { part: unpaid, kind: 'scheduled', at }, event.returnCode ?? '')
    : { changed: movePart(unpaid, ['failed', 'overdue']), disables: false };
  const open = withPart(reopens ? movePlan(before, 'active') : before, changed);
  const plan = { ...open, autopay: autopay && !disables };
  return plan.state === 'active' && isLate(plan, at) ? movePlan(plan, 'past_due') : plan;
}
