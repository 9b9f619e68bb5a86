import {
  type InstallmentState,
  installmentTransitions,
  mayMove,
  type PlanManagement,
  type PlanState,
  planTransitions,
} from '@svc/contract';
import { sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { LivePart, LivePlan } from './live-plan.ts';

export interface HistoryLine {
  readonly kind: PlanManagement['history'][number]['kind'];
  readonly number?: number;
  readonly amountInCents?: number;
  readonly from?: string;
  readonly to?: string;
  readonly returnCode?: string;
  readonly reason?: string;
}

/** A plan before and after a change, with what its history says about it. */
export interface PlanChange {
  readonly before: LivePlan;
  /** With the new versions. */
  readonly plan: LivePlan;
  readonly at: TenantTime;
  readonly history: readonly HistoryLine[];
}

interface Change {
  readonly before: LivePlan;
  readonly after: LivePlan;
  readonly at: TenantTime;
  readonly history?: readonly HistoryLine[];
}

/** Increments the version of the plan and of each installment that differs. Pure. */
export function changePlan({ before, after, at, history = [] }: Change): PlanChange {
  const parts = after.parts.map((part) =>
    before.parts.includes(part) ? part : { ...part, version: part.version + 1 },
  );
  return { before, plan: { ...after, version: before.version + 1, parts }, at, history };
}

/** Writes one change; returns the plan with its new versions. */
export async function saveChange(
  uow: Pick<UnitOfWork, 'tx' | 'now'>,
  change: Change,
): Promise<LivePlan> {
  const changed = changePlan(change);
  await saveChanges(uow, [changed]);
  return changed.plan;
}

/** Writes changes of different plans, with their lines of history, in one statement. */
export async function saveChanges(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  changes: readonly PlanChange[],
): Promise<void> {
  const plans = changes.map(({ plan: { id, state, autopay, method, version } }) => {
    return { id, state, autopay, methodId: method.id, version };
  });
  const parts = changes.flatMap(({ before, plan }) =>
    plan.parts
      .filter((part) => !before.parts.includes(part))
      .map((part) => ({ ...part, planId: plan.id })),
  );
  const lines = changes.flatMap(({ plan, at, history }) =>
    history.map((line) => ({ id: newId('hst', now), planId: plan.id, at, ...line })),
  );
  await tx.run(sql`
    with parts as (
      update installment i set state = c.state, due_date = c."dueDate",
        amount_in_cents = c."amountInCents", credited_in_cents = c."creditedInCents",
        retries = c.retries,
        next_attempt_at = to_timestamp(c."nextAttemptMs" / 1000.0),
        paid_at = to_timestamp(c."paidMs" / 1000.0), reminded_for = c."remindedFor",
        version = c.version
      from json_to_recordset(${JSON.stringify(parts)}::json) as c(id text,
        "planId" text, state text, "dueDate" date, "amountInCents" bigint,
        "creditedInCents" bigint, retries integer, "nextAttemptMs" bigint, "paidMs" bigint,
        "remindedFor" date, version integer)
      where i.id = c.id and i.plan_id = c."planId"
    ), lines as (
      insert into plan_history (id, plan_id, kind, number, amount_in_cents, from_date, to_date,
        return_code, reason, occurred_at, created_at)
      select h.id, h."planId", h.kind, h.number, h."amountInCents", h."from", h."to",
        h."returnCode", h.reason, h.at, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(lines)}::json) as h(id text,
        "planId" text, kind text, at timestamptz, number integer, "amountInCents" bigint,
        "from" date, "to" date, "returnCode" text, reason text)
    )
    update plan p set state = c.state, autopay = c.autopay, payment_method_id = c."methodId",
      version = c.version
    from json_to_recordset(${JSON.stringify(plans)}::json) as c(id text, state text,
      autopay boolean, "methodId" text, version integer)
    where p.id = c.id`);
}

/** Moves an installment through these states. Throws if the contract's state machine forbids it. */
export function movePart(
  part: LivePart,
  path: readonly InstallmentState[],
  change: Partial<LivePart> = {},
): LivePart {
  let state = part.state;
  for (const next of path) {
    if (!mayMove(installmentTransitions, state, next)) {
      throw new Error(`installment ${part.id} may not go from ${state} to ${next}`);
    }
    state = next;
  }
  return { ...part, ...change, state };
}

export function movePlan(plan: LivePlan, state: PlanState): LivePlan {
  if (!mayMove(planTransitions, plan.state, state)) {
    throw new Error(`plan ${plan.id} may not go from ${plan.state} to ${state}`);
  }
  return { ...plan, state };
}

export function withPart(plan: LivePlan, part: LivePart): LivePlan {
  return { ...plan, parts: plan.parts.map((it) => (it.id === part.id ? part : it)) };
}
