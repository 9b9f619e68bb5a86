import type { UnitOfWork } from '../../context.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import type { MailFacts } from '../events/queue-mails.ts';
import { afterPayment } from '../plans/collect.ts';
import { type LivePlan, mailFactsOf, planData, subjectOf } from '../plans/live-plan.ts';
import { type HistoryLine, saveChange } from '../plans/save-change.ts';
import { scheduleDue } from '../plans/schedule-due.ts';
import type { TenantTime } from '../tenants/time.ts';

interface Credit {
  /** The installments after the credit; those of the plan if it changed none of them. */
  readonly parts: LivePlan['parts'];
  readonly at: TenantTime;
  readonly change: 'refunded' | 'fee_waived';
  readonly history: readonly HistoryLine[];
  readonly mail: MailFacts;
}

/**
 * Saves a credit of a plan and emits its events. A credit that leaves nothing to pay completes the plan, and one
 * that leaves nothing 30 days late makes it active again.
 */
export async function saveCredit(
  uow: UnitOfWork,
  before: LivePlan,
  { parts, at, change, history, mail }: Credit,
): Promise<LivePlan> {
  const { plan: after, ended } =
    parts === before.parts ? { plan: before, ended: null } : afterPayment({ ...before, parts }, at);
  const plan = saveChange(uow, {
    before,
    after,
    at,
    history: [...history, ...(ended ? [{ kind: ended } as const] : [])],
  });
  const { version } = plan;
  const data = planData(plan);
  const events: NewEvent[] = [
    {
      type: 'plan.updated',
      version,
      data: { ...data, change },
      mail: { ...mailFactsOf(plan), ...mail },
    },
  ];
  if (ended === 'completed') events.push({ type: 'plan.completed', version, data });
  if (ended === 'recovered') {
    events.push({ type: 'plan.updated', version, data: { ...data, change: ended } });
  }
  await scheduleDue(uow.tx, plan);
  emit(uow, subjectOf(plan, at), events);
  await emitEligibility(uow, { ...plan, at });
  return plan;
}
