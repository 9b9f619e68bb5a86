import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { emitEligibility } from '../eligibility/emit-eligibility.ts';
import { emit, type NewEvent } from '../events/emit.ts';
import { post } from '../ledger/post.ts';
import { localDate } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { shared } from '../together.ts';
import { collect } from './collect.ts';
import { settleFirst } from './first-payment.ts';
import { isOpen, type LivePlan, loadOpenPlan, partData, planData, subjectOf } from './live-plan.ts';
import { type Action, nextAction } from './next-action.ts';
import { movePart, movePlan, saveChange, withPart } from './save-change.ts';

type DomainCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

export interface Span {
  /** Nothing happens before: what a stopped server missed happens now. */
  readonly from: TenantTime;
  readonly until: TenantTime;
  /** The tenant's clock after it. */
  readonly clockOffsetMs: number | null;
}

/** All that falls due for one tenant, in order. The tenant's row is locked. */
export async function runDue(ctx: DomainCtx, tenantId: string, span: Span): Promise<number> {
  let plan = await loadOpenPlan(ctx, tenantId);
  let done = 0;
  for (;;) {
    const action = plan && nextAction(plan);
    if (!plan || !action || action.at > span.until) break;
    const at = (action.at > span.from ? action.at : span.from) as TenantTime;
    plan = await perform(ctx, plan, action, at);
    if (isOver(plan)) {
      // Its next one, should a bank have taken back a payment of an earlier plan meanwhile.
      const snapshot = await emitEligibility(ctx, plan, at);
      if (snapshot?.openPlan) plan = await loadOpenPlan(ctx, tenantId);
    }
    done += 1;
  }
  const running = plan && isOver(plan) ? undefined : plan;
  await scheduleDue(ctx, running, { tenantId, clockOffsetMs: span.clockOffsetMs });
  return done;
}

/**
 * Notes for the tick when the tenant's next thing falls due, in wall time. A plan that is open again
 * may stand beside the one that runs.
 */
export async function scheduleDue(
  ctx: Pick<Ctx, 'tx'>,
  plan: LivePlan | undefined,
  { tenantId, clockOffsetMs }: { tenantId: string; clockOffsetMs: number | null },
): Promise<void> {
  const running =
    plan && (plan.reopened || isOver(plan)) ? await loadOpenPlan(ctx, tenantId) : plan;
  const action = running && nextAction(running);
  const dueAt = action ? new Date(action.at.getTime() - (clockOffsetMs ?? 0)) : null;
  await note(ctx, { tenantId, dueAt });
}

interface Due {
  readonly tenantId: string;
  readonly dueAt: Date | null;
}

const note = shared(async ({ tx }: Pick<Ctx, 'tx'>, all: readonly Due[]) => {
  const over = all.filter((it) => it.dueAt === null).map((it) => it.tenantId);
  if (over.length > 0) {
    await tx.run(sql`delete from tenant_due where tenant_id = any(${over}::text[])`);
  }
  const due = all.filter((it) => it.dueAt !== null);
  if (due.length === 0) return;
  await tx.run(sql`
    insert into tenant_due (tenant_id, due_at)
    select d."tenantId", d."dueAt"
    from json_to_recordset(${JSON.stringify(due)}::json) as d("tenantId" text, "dueAt" timestamptz)
    on conflict (tenant_id) do update set due_at = excluded.due_at`);
});

function isOver({ state }: LivePlan): boolean {
  return state !== 'created' && state !== 'active' && state !== 'past_due';
}

async function perform(ctx: DomainCtx, plan: LivePlan, action: Action, at: TenantTime) {
  const { part, kind } = action;
  switch (kind) {
    case 'settle':
      return settleFirst(ctx, plan, at);
    case 'remind':
      return remind(ctx, plan, action, at);
    case 'collect': {
      const attempt = part.state === 'failed' ? 'retry' : 'scheduled';
      return (await collect(ctx, plan, { part, kind: attempt, at })).plan;
    }
    case 'overdue': {
      const after = withPart(plan, movePart(part, ['overdue'], { nextAttemptMs: null }));
      return saveChange(ctx, { before: plan, after, at });
    }
    case 'past_due':
      return pastDue(ctx, plan, at);
    case 'charge_off':
      return chargeOff(ctx, plan, at);
  }
}

async function remind(ctx: DomainCtx, before: LivePlan, { part }: Action, at: TenantTime) {
  const reminded = { ...part, remindedFor: part.dueDate };
  const plan = await saveChange(ctx, { before, after: withPart(before, reminded), at });
  // A reminder that a stopped server missed is of no use once the day has come.
  if (localDate(at, plan.timeZone) >= part.dueDate) return plan;
  const data = { ...partData(plan, part), method: plan.method.type };
  const version = part.version + 1;
  await emit(ctx, subjectOf(plan, at), [{ type: 'installment.upcoming', version, data }]);
  return plan;
}

async function pastDue(ctx: DomainCtx, before: LivePlan, at: TenantTime): Promise<LivePlan> {
  const after = movePlan(before, 'past_due');
  const plan = await saveChange(ctx, { before, after, at, history: [{ kind: 'past_due' }] });
  const data = { ...planData(plan), reason: 'unpaid_for_30_days' };
  const event: NewEvent = { type: 'plan.past_due', version: plan.version, data };
  await emit(ctx, subjectOf(plan, at), [event]);
  return plan;
}

/** What is still owed becomes our loss; the tenant's receivable returns to zero. */
async function chargeOff(ctx: DomainCtx, before: LivePlan, at: TenantTime): Promise<LivePlan> {
  const { partnerId, tenantId, id: sourceId } = before;
  const owed = before.parts.filter(isOpen).reduce((sum, it) => sum + it.amountInCents, 0);
  const parts = before.parts.map((it) => (isOpen(it) ? movePart(it, ['canceled']) : it));
  const after = { ...movePlan(before, 'charged_off'), parts };
  const history = [{ kind: 'charged_off', amountInCents: owed }] as const;
  const plan = await saveChange(ctx, { before, after, at, history });
  await post(ctx, {
    partnerId,
    tenantId,
    kind: 'charge_off',
    sourceId,
    occurredAt: at,
    entries: [
      { kind: 'credit_loss', amountInCents: owed },
      { kind: 'tenant_receivable', amountInCents: -owed },
    ],
  });
  const data = { ...planData(plan), change: 'charged_off' as const };
  await emit(ctx, subjectOf(plan, at), [{ type: 'plan.updated', version: plan.version, data }]);
  return plan;
}
