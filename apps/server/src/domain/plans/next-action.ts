import { workHour } from '../partners/operating-hours.ts';
import { addDays, hourOf, startOfDay } from '../tenants/calendar.ts';
import { isInFlight, isOpen, type LivePart, type LivePlan } from './live-plan.ts';

export interface Action {
  readonly kind: 'remind' | 'collect' | 'overdue' | 'past_due' | 'charge_off';
  readonly part: LivePart;
  /** Tenant time. */
  readonly at: Date;
}

/**
 * Returns the action that falls due first for a plan. Pure. Null when the plan only waits for the tenant or for
 * the processor: nothing happens to an installment in flight, and while there is one, the plan is not
 * charged off.
 */
export function nextAction(plan: LivePlan): Action | null {
  if (plan.state !== 'active' && plan.state !== 'past_due') return null;
  const hasPartInFlight = plan.parts.some(isInFlight);
  const actions = plan.parts
    .filter((part) => isOpen(part) && !isInFlight(part))
    .flatMap((part) => actionsOf(plan, part))
    .filter((it) => it.kind !== 'charge_off' || !hasPartInFlight);
  return actions.reduce<Action | null>(
    (first, it) => (first === null || it.at < first.at ? it : first),
    null,
  );
}

function actionsOf(plan: LivePlan, part: LivePart): Action[] {
  const { timeZone, autopay, resumedOn, terms } = plan;
  const { dueDate } = part;
  // Days on which collections were paused, or money was stopped, do not make a payment late.
  const lateFrom = resumedOn !== null && resumedOn > dueDate ? resumedOn : dueDate;
  const overdueAt = () => startOfDay(addDays(lateFrom, 1), timeZone);
  const morning = (day: string) => hourOf(day, workHour, timeZone);
  const actions: Action[] = [];
  if (part.state === 'scheduled') {
    if (part.remindedFor !== dueDate) {
      const at = morning(addDays(dueDate, -terms.remindDaysBefore));
      actions.push({ kind: 'remind', part, at });
    }
    actions.push(
      autopay
        ? { kind: 'collect', part, at: morning(dueDate) }
        : { kind: 'overdue', part, at: overdueAt() },
    );
  }
  if (part.state === 'failed' && part.nextAttemptMs !== null) {
    const at = new Date(part.nextAttemptMs);
    actions.push(
      autopay
        ? { kind: 'collect', part, at }
        : { kind: 'overdue', part, at: at > overdueAt() ? at : overdueAt() },
    );
  }
  const lateDays = plan.state === 'active' ? terms.pastDueDays : terms.chargeOffDays;
  const kind = plan.state === 'active' ? 'past_due' : 'charge_off';
  actions.push({ kind, part, at: morning(addDays(lateFrom, lateDays)) });
  return actions;
}
