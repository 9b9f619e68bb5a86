import {
  type InstallmentState,
  installmentTransitions,
  mayMove,
  type PlanManagement,
  type PlanState,
  planTransitions,
} from '@svc/contract';
import {
  bigint,
  boolean,
  date,
  instant,
  integer,
  nullable,
  oneOf,
  type RowOf,
  recordset,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { LivePart, LivePlan } from './live-plan.ts';

export interface HistoryLine {
  readonly kind: PlanManagement['history'][number]['kind'];
  readonly number?: number;
  readonly amountInCents?: number;
  readonly from?: string;
  readonly to?: string;
  readonly returnCode?: string;
  readonly reason?: string | null;
}

/** A plan before and after a change, with what its history says about it. */
export interface PlanChange {
  readonly before: LivePlan;
  /** The plan after the change, with the new versions. */
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
export function saveChange(uow: Pick<UnitOfWork, 'tx' | 'now'>, change: Change): LivePlan {
  const changed = changePlan(change);
  saveChanges(uow, [changed]);
  return changed.plan;
}

/** A payment that has its outcome. */
export type EndedPayment = RowOf<typeof endedRow>;

/** Writes changes of different plans, their lines of history and their payments, in one statement. */
export function saveChanges(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  changes: readonly PlanChange[],
  payments: readonly EndedPayment[] = [],
): void {
  const plans = changes.map(({ plan }) => {
    const { partnerId, id, state, autopay, method, version } = plan;
    const pastDueSince = state === 'past_due' ? oldestUnpaid(plan) : null;
    return { partnerId, id, state, autopay, methodId: method.id, version, pastDueSince };
  });
  const parts = changes.flatMap(({ before, plan: { partnerId, id: planId, parts: after } }) =>
    after
      .filter((part) => !before.parts.includes(part))
      .map(({ number: _number, agreedInCents: _agreed, ...part }) => {
        return { ...part, partnerId, planId };
      }),
  );
  const lines = changes.flatMap(({ plan: { partnerId, id: planId }, at, history }) =>
    history.map((line) => ({
      ...emptyLine,
      ...line,
      id: newId('hst', now),
      partnerId,
      planId,
      at,
    })),
  );
  // The partner of all rows, so that on a cluster a part without rows runs where the others do.
  const partnerOf = (column: Sql) => partnerOfRows([...plans, ...parts, ...payments], column);
  tx.send(sql`
    with parts as (
      update installment i set state = c.state, due_date = c.due_date,
        amount_in_cents = c.amount_in_cents, credited_in_cents = c.credited_in_cents,
        part_paid_in_cents = c.part_paid_in_cents,
        retries = c.retries,
        next_attempt_at = to_timestamp(c.next_attempt_ms / 1000.0),
        paid_at = to_timestamp(c.paid_ms / 1000.0), reminded_for = c.reminded_for,
        version = c.version
      from ${recordset(partRow, parts, 'c')}
      where i.partner_id = ${partnerOf(sql`c.partner_id`)} and i.id = c.id and i.plan_id = c.plan_id
    ), lines as (
      insert into plan_history (id, partner_id, plan_id, kind, number, amount_in_cents, from_date,
        to_date, return_code, reason, occurred_at, created_at)
      select h.id, h.partner_id, h.plan_id, h.kind, h.number, h.amount_in_cents, h."from", h."to",
        h.return_code, h.reason, h.at, ${now}::timestamptz
      from ${recordset(lineRow, lines, 'h')}
    )${payments.length > 0 ? sql`, payments as (${endPayments(payments)})` : sql``}
    update plan p set state = c.state, autopay = c.autopay, payment_method_id = c.method_id,
      version = c.version, past_due_since = c.past_due_since
    from ${recordset(planRow, plans, 'c')}
    where p.partner_id = ${partnerOf(sql`c.partner_id`)} and p.id = c.id`);
}

/** Returns the due date of the oldest payment that is not paid, which may be on its way. */
function oldestUnpaid({ parts }: LivePlan): string | null {
  const unpaid = parts.filter(({ state }) => state !== 'paid' && state !== 'canceled');
  return unpaid.map(({ dueDate }) => dueDate).sort()[0] ?? null;
}

function endPayments(payments: readonly EndedPayment[]): Sql {
  return sql`
      update payment y set outcome = e.outcome, return_code = e.return_code, is_part = e.is_part
      from ${recordset(endedRow, payments, 'e')}
      where y.partner_id = ${partnerOfRows(payments, sql`e.partner_id`)} and y.id = e.id`;
}

const endedRow = row('ended payment', {
  id: text,
  partnerId: text,
  outcome: oneOf('succeeded', 'failed', 'canceled'),
  /** True if it left a part of its installment unpaid. */
  isPart: boolean,
  returnCode: nullable(text),
});

const planRow = row('changed plan', {
  partnerId: text,
  id: text,
  state: text,
  autopay: boolean,
  methodId: text,
  version: integer,
  pastDueSince: nullable(date),
});

const partRow = row('changed installment', {
  partnerId: text,
  planId: text,
  id: text,
  state: text,
  dueDate: date,
  amountInCents: bigint,
  creditedInCents: bigint,
  partPaidInCents: bigint,
  retries: integer,
  nextAttemptMs: nullable(bigint),
  paidMs: nullable(bigint),
  remindedFor: nullable(date),
  version: integer,
});

const lineRow = row('history line', {
  partnerId: text,
  planId: text,
  id: text,
  kind: text,
  at: instant,
  number: nullable(integer),
  amountInCents: nullable(bigint),
  from: nullable(date),
  to: nullable(date),
  returnCode: nullable(text),
  reason: nullable(text),
});

/** Null for each field of a line that its kind does not have. */
const emptyLine = {
  number: null,
  amountInCents: null,
  from: null,
  to: null,
  returnCode: null,
  reason: null,
};

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
