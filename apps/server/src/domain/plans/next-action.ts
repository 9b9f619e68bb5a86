import { terms } from '../partners/terms.ts';
import { addDays, hourOf, startOfDay } from '../tenants/calendar.ts';
import { isOpen, type LivePart, type LivePlan } from './live-plan.ts';

export interface Action {
  readonly kind: 'settle' | 'remind' | 'collect' | 'overdue' | 'past_due' | 'charge_off';
  readonly part: LivePart;
  /** Tenant time. */
  readonly at: Date;
}

/** The action that falls due first for a plan. Pure. Null when the plan only waits for the tenant. */
export function nextAction(plan: LivePlan): Action | null {
  const [first] = plan.parts;
  if (plan.pending && first) {
    return { kind: 'settle', part: first, at: new Date(plan.pending.settlesMs) };
  }
  if (plan.state !== 'active' && plan.state !== 'past_due') return null;
  const actions = plan.parts.filter(isOpen).flatMap((part) => actionsOf(plan, part));
  return actions.reduce<Action | null>(
    (first, it) => (first === null || it.at < first.at ? it : first),
    null,
  );
}

function actionsOf(plan: LivePlan, part: LivePart): Action[] {
  const { timeZone, autopay, resumedOn } = plan;
  const { dueDate } = part;
  // Days on which collections were paused, or money was stopped, do not make a payment late.
  const lateFrom = resumedOn !== null && resumedOn > dueDate ? resumedOn : dueDate;
  const overdueAt = startOfDay(addDays(lateFrom, 1), timeZone);
  const morning = (day: string) => hourOf(day, terms.workHour, timeZone);
  const actions: Action[] = [];
  if (part.state === 'scheduled') {
    if (part.remindedFor !== dueDate) {
      const at = morning(addDays(dueDate, -terms.remindDaysBefore));
      actions.push({ kind: 'remind', part, at });
    }
    actions.push(
      autopay
        ? { kind: 'collect', part, at: morning(dueDate) }
        : { kind: 'overdue', part, at: overdueAt },
    );
  }
  if (part.state === 'failed' && part.nextAttemptMs !== null) {
    const at = new Date(part.nextAttemptMs);
    actions.push(
      autopay
        ? { kind: 'collect', part, at }
        : { kind: 'overdue', part, at: at > overdueAt ? at : overdueAt },
    );
  }
  const late = plan.state === 'active' ? terms.pastDueDays : terms.chargeOffDays;
  const kind = plan.state === 'active' ? 'past_due' : 'charge_off';
  actions.push({ kind, part, at: morning(addDays(lateFrom, late)) });
  return actions;
}
