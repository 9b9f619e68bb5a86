import type { UnitOfWork } from '../../context.ts';
import { findPaused, putOnHold } from '../controls/hold.ts';
import { emitEligibilityOf } from '../eligibility/emit-eligibility.ts';
import type { CallToMake } from '../payments/calls.ts';
import type { TenantKey } from '../tenant-key.ts';
import { localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { beginCharge } from './collect.ts';
import {
  isOpen,
  type LivePlan,
  loadOpenPlans,
  mailFactsOf,
  partData,
  planData,
} from './live-plan.ts';
import { type Action, nextAction } from './next-action.ts';
import { type PlanStep, writeSteps } from './plan-step.ts';
import { changePlan, movePart, movePlan, withPart } from './save-change.ts';
import { isOver, scheduleDueOf } from './schedule-due.ts';

interface Span {
  /** Actions that fell due earlier, while the server was down, happen at this time. */
  readonly from: TenantTime;
  readonly until: TenantTime;
  /** The tenant's clock at the end of the span. */
  readonly clockOffsetMs: number | null;
}

interface DueTenant extends Span, TenantKey {}

interface DueAction {
  readonly plan: LivePlan;
  readonly action: Action;
  readonly at: TenantTime;
}

/**
 * Performs what falls due for these tenants, whose rows are locked, and schedules what comes next.
 * Returns the calls to make after the commit: a tenant with one does nothing more until its outcome is
 * written.
 *
 * Works in rounds. A round performs the next action of each plan, one after another, and then writes
 * the rows of all of them together. So the next round sees what this one wrote, and a tenant's
 * actions happen in order.
 */
export async function runDue(
  uow: UnitOfWork,
  tenants: readonly DueTenant[],
): Promise<CallToMake[]> {
  // Called before the plans are read: it records the days on which holds ended, from which lateness counts.
  const paused = await findPaused(uow, tenants);
  const plans = await loadOpenPlans(uow.tx, tenants);
  const calls: CallToMake[] = [];
  const waiting = new Set<string>();
  for (;;) {
    const due = tenants
      .filter(({ tenantId }) => !waiting.has(tenantId) && !paused.has(tenantId))
      .flatMap((it) => dueAction(plans.get(it.tenantId), it) ?? []);
    if (due.length === 0) break;
    const steps: PlanStep[] = [];
    for (const it of due) {
      const { step, call } = perform(uow, it);
      plans.set(it.plan.tenantId, step.change.plan);
      steps.push(step);
      if (!call) continue;
      calls.push(call);
      waiting.add(it.plan.tenantId);
    }
    await writeSteps(uow, steps);
    await replaceEndedPlans(uow, plans, due);
  }
  const onHold = tenants.filter(
    (it) => paused.has(it.tenantId) && dueAction(plans.get(it.tenantId), it),
  );
  putOnHold(uow, onHold);
  await scheduleDueOf(
    uow.tx,
    tenants
      .filter((it) => !onHold.includes(it))
      .map((it) => ({ ...it, plan: plans.get(it.tenantId) })),
  );
  return calls;
}

function dueAction(plan: LivePlan | undefined, { from, until }: Span): DueAction | null {
  const action = plan && nextAction(plan);
  if (!plan || !action || action.at > until) return null;
  return { plan, action, at: (action.at > from ? action.at : from) as TenantTime };
}

/**
 * Emits the eligibility of tenants whose plan has just ended. If they have another open plan, one
 * that a returned payment has reopened, that plan is next.
 */
async function replaceEndedPlans(
  uow: UnitOfWork,
  plans: Map<string, LivePlan>,
  performed: readonly DueAction[],
): Promise<void> {
  const ended = performed.flatMap(({ plan: { tenantId }, at }) => {
    const plan = plans.get(tenantId);
    return plan && isOver(plan) ? [{ ...plan, at }] : [];
  });
  if (ended.length === 0) return;
  const snapshots = await emitEligibilityOf(uow, ended);
  const withAnother = ended.filter((it) => snapshots.get(it.tenantId)?.openPlan);
  const others = await loadOpenPlans(uow.tx, withAnother);
  for (const { tenantId } of ended) {
    const other = others.get(tenantId);
    if (other) plans.set(tenantId, other);
    else plans.delete(tenantId);
  }
}

interface Performed {
  readonly step: PlanStep;
  readonly call?: CallToMake;
}

function perform(uow: UnitOfWork, { plan, action, at }: DueAction): Performed {
  const { part, kind } = action;
  switch (kind) {
    case 'remind':
      return { step: remind(plan, action, at) };
    case 'collect': {
      const attempt = part.state === 'failed' ? 'retry' : 'scheduled';
      return beginCharge(uow, plan, { part, kind: attempt, at });
    }
    case 'overdue': {
      const after = withPart(plan, movePart(part, ['overdue'], { nextAttemptMs: null }));
      return { step: { change: changePlan({ before: plan, after, at }), events: [] } };
    }
    case 'past_due':
      return { step: pastDue(plan, at) };
    case 'charge_off':
      return { step: chargeOff(plan, at) };
  }
}

function remind(before: LivePlan, { part }: Action, at: TenantTime): PlanStep {
  const after = withPart(before, { ...part, remindedFor: part.dueDate });
  const change = changePlan({ before, after, at });
  const { plan } = change;
  // The server was down until the day of the payment, so a reminder would come too late.
  if (localDate(at, plan.timeZone) >= part.dueDate) return { change, events: [] };
  const data = { ...partData(plan, part), method: plan.method.type };
  const version = part.version + 1;
  return {
    change,
    events: [{ type: 'installment.upcoming', version, data, mail: mailFactsOf(plan) }],
  };
}

function pastDue(before: LivePlan, at: TenantTime): PlanStep {
  const after = movePlan(before, 'past_due');
  const change = changePlan({ before, after, at, history: [{ kind: 'past_due' }] });
  const { plan } = change;
  const data = { ...planData(plan), reason: 'unpaid_for_30_days' };
  const mail = mailFactsOf(plan);
  return { change, events: [{ type: 'plan.past_due', version: plan.version, data, mail }] };
}

/** Books the amount still owed as our loss. The tenant's receivable returns to zero. */
function chargeOff(before: LivePlan, at: TenantTime): PlanStep {
  const { partnerId, tenantId, id: sourceId } = before;
  const owed = before.parts.filter(isOpen).reduce((sum, it) => sum + it.amountInCents, 0);
  const parts = before.parts.map((it) => (isOpen(it) ? movePart(it, ['canceled']) : it));
  const change = changePlan({
    before,
    after: { ...movePlan(before, 'charged_off'), parts },
    at,
    history: [{ kind: 'charged_off', amountInCents: owed }],
  });
  const { plan } = change;
  return {
    change,
    transfers: [
      {
        partnerId,
        tenantId,
        kind: 'charge_off',
        sourceId,
        occurredAt: at,
        entries: [
          { kind: 'credit_loss', amountInCents: owed },
          { kind: 'tenant_receivable', amountInCents: -owed },
        ],
      },
    ],
    events: [
      {
        type: 'plan.updated',
        version: plan.version,
        data: { ...planData(plan), change: 'charged_off' },
        // What is canceled now is still owed, so the mail's bar shows it as late.
        mail: { left_in_cents: owed, parts: mailFactsOf(before).parts },
      },
    ],
  };
}
