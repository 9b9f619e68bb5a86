import { emit } from '../events/emit.ts';
import { Refusal } from '../refusal.ts';
import { addDays, localDate } from '../tenants/calendar.ts';
import { type Changed, nothingChanged } from './changed.ts';
import { mailFactsOf, partData, planData, subjectOf } from './live-plan.ts';
import { findPart, lockOpenPlan, type OfTenant } from './lock-plan.ts';
import { rescheduleDays } from './reschedule-days.ts';
import { movePart, saveChange, withPart } from './save-change.ts';
import { scheduleDue } from './schedule-due.ts';

interface Input {
  readonly installment_id: string;
  readonly due_date: string;
  readonly reason?: string | undefined;
}

/** Moves an unpaid installment to another day. Choosing its current day changes nothing. */
export async function reschedulePart(
  ctx: OfTenant,
  planId: string,
  input: Input,
  by: 'tenant' | 'operator' = 'tenant',
): Promise<Changed> {
  const { plan: before, at } = await lockOpenPlan(ctx, planId);
  const part = findPart(before, input.installment_id, 'installment_id');
  const { due_date: to, reason = null } = input;
  if (part.dueDate === to) return nothingChanged;
  const today = localDate(at, before.timeZone);
  if (!rescheduleDays(before, part, today).includes(to)) throw notThatDay(before.terms.daysApart);
  const soon = to <= addDays(today, before.terms.remindDaysBefore);
  const moved = movePart(part, part.state === 'scheduled' ? [] : ['scheduled'], {
    dueDate: to,
    nextAttemptMs: null,
    remindedFor: soon ? to : part.remindedFor,
  });
  const plan = saveChange(ctx, {
    before,
    after: withPart(before, moved),
    at,
    history: [{ kind: 'rescheduled', number: part.number, from: part.dueDate, to, reason }],
  });
  await scheduleDue(ctx.tx, plan);
  const change = 'installment_rescheduled' as const;
  emit(ctx, subjectOf(plan, at), [
    {
      type: 'installment.rescheduled',
      version: part.version + 1,
      data: { ...partData(plan, moved), from: part.dueDate, to },
      mail: { ...mailFactsOf(plan), ...(by === 'operator' && { by_operator: true }) },
    },
    { type: 'plan.updated', version: plan.version, data: { ...planData(plan), change } },
  ]);
  return { ...nothingChanged, change: { plan_id: planId, change } };
}

function notThatDay(daysApart: number): Refusal {
  return new Refusal('validation_failed', {
    errors: [
      {
        param: 'due_date',
        code: 'invalid_value',
        message: `must be a banking day after today, before the next rent, and ${daysApart} days from any other payment`,
      },
    ],
  });
}
