import {
  type InstallmentState,
  installmentTransitions,
  mayMove,
  type PlanManagement,
  type PlanState,
  planTransitions,
} from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantTime } from '../tenants/time.ts';
import { shared } from '../together.ts';
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

interface Change {
  readonly before: LivePlan;
  readonly after: LivePlan;
  readonly at: TenantTime;
  readonly history?: readonly HistoryLine[];
}

/** Writes what differs, with its lines of history, in one statement; answers the new versions. */
export async function saveChange(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { before, after, at, history = [] }: Change,
): Promise<LivePlan> {
  const parts = after.parts.map((part) =>
    before.parts.includes(part) ? part : { ...part, version: part.version + 1 },
  );
  const plan = { ...after, version: before.version + 1, parts };
  const { id: planId, state, autopay, version } = plan;
  await write(ctx, {
    plan: { id: planId, state, autopay, methodId: plan.method.id, version },
    parts: parts.filter((part) => !after.parts.includes(part)).map((part) => ({ ...part, planId })),
    lines: history.map((line) => ({ id: newId('hst', ctx.now), planId, at, ...line })),
  });
  return plan;
}

interface Written {
  readonly plan: object;
  readonly parts: readonly object[];
  readonly lines: readonly object[];
}

const write = shared(async ({ tx, now }: Pick<Ctx, 'tx' | 'now'>, all: readonly Written[]) => {
  await tx.run(sql`
    with parts as (
      update installment i set state = c.state, due_date = c."dueDate",
        amount_in_cents = c."amountInCents", credited_in_cents = c."creditedInCents",
        retries = c.retries,
        next_attempt_at = to_timestamp(c."nextAttemptMs" / 1000.0),
        paid_at = to_timestamp(c."paidMs" / 1000.0), reminded_for = c."remindedFor",
        version = c.version
      from json_to_recordset(${rows(all.flatMap((it) => it.parts))}::json) as c(id text,
        "planId" text, state text, "dueDate" date, "amountInCents" bigint,
        "creditedInCents" bigint, retries integer, "nextAttemptMs" bigint, "paidMs" bigint,
        "remindedFor" date, version integer)
      where i.id = c.id and i.plan_id = c."planId"
    ), lines as (
      insert into plan_history (id, plan_id, kind, number, amount_in_cents, from_date, to_date,
        return_code, reason, occurred_at, created_at)
      select h.id, h."planId", h.kind, h.number, h."amountInCents", h."from", h."to",
        h."returnCode", h.reason, h.at, ${now}::timestamptz
      from json_to_recordset(${rows(all.flatMap((it) => it.lines))}::json) as h(id text,
        "planId" text, kind text, at timestamptz, number integer, "amountInCents" bigint, "from" date, "to" date, "returnCode" text,
        reason text)
    )
    update plan p set state = c.state, autopay = c.autopay, payment_method_id = c."methodId",
      version = c.version
    from json_to_recordset(${rows(all.map((it) => it.plan))}::json) as c(id text, state text,
      autopay boolean, "methodId" text, version integer)
    where p.id = c.id`);
});

function rows(of: readonly object[]): string {
  return JSON.stringify(of);
}

/** The part after these steps, each of which the contract's machine allows. */
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
