import {
  isFinalRefusal,
  locales,
  type OwnPlanOutput,
  type PlanManagement,
  type PlanOutput,
  planManagement,
} from '@svc/contract';
import {
  boolean,
  bytes,
  instant,
  json,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { Vault } from '@svc/runtime';
import { z } from 'zod';
import { collectionsPaused } from '../controls/hold.ts';
import {
  endsBefore,
  methodAsJson,
  paymentMethodSchema,
  viewMethod,
} from '../payments/payment-methods.ts';
import type { TenantKey } from '../tenant-key.ts';
import { localDate } from '../tenants/calendar.ts';
import { openAgreement } from '../tenants/open-agreement.ts';
import { tenantTime } from '../tenants/time.ts';
import { amountsSchema, planAmounts } from './amounts.ts';
import {
  isInFlight,
  isOpen,
  type LivePart,
  type LivePlan,
  loadPlan,
  planData,
} from './live-plan.ts';
import { partPayment } from './part-payment.ts';
import { withNewestMethod, wordsOf } from './pay.ts';
import { amountsInput, appliedPayment } from './read-amounts.ts';
import { rescheduleDays } from './reschedule-days.ts';

interface PlanKey extends TenantKey {
  readonly planId: string;
}

const historySchema = planManagement.shape.history.element
  .omit({ at: true, on: true })
  .extend({ ms: z.int() });

const paymentSchema = z.object({
  id: z.string(),
  number: z.int(),
  ms: z.int(),
  applied: z.int(),
  returned: z.int(),
  method: paymentMethodSchema,
  outcome: z.string(),
  code: z.string().nullable(),
});

const pastRow = row('past of a plan', {
  accepted_at: instant,
  shares_lease: boolean,
  collections_paused: boolean,
  amounts: json(amountsSchema),
  sha256: text,
  text,
  sealed: nullable(bytes),
  locale: oneOf(...locales),
  settlement_id: nullable(text),
  created_at: instant,
  /** Newest first. */
  history: json(z.array(historySchema).readonly()),
  /** Newest first. */
  payments: json(z.array(paymentSchema).readonly()),
});
type Past = RowOf<typeof pastRow>;

interface Reading extends PlanKey {
  /** The plan in its current state, if the transaction has loaded it already. */
  readonly known?: LivePlan | undefined;
  readonly now: Date;
  readonly vault: Vault;
}

/** Reads one of the tenant's plans: its state, what the tenant may change, and its history. */
export async function readManagement(
  q: Queryable,
  { known, now, vault, ...key }: Reading,
): Promise<OwnPlanOutput | null> {
  const [found, row] = await Promise.all([known ?? loadPlan(q, key), readPast(q, key)]);
  if (!found || !row) return null;
  const plan = await withNewestMethod(q, found);
  const agreement = openAgreement(vault, { planId: plan.id, ...row });
  return { plan: viewPlan(plan, row), management: viewManagement(plan, row, { now, agreement }) };
}

function viewPlan(plan: LivePlan, { settlement_id, created_at }: Past): PlanOutput {
  const { plan_id, ...data } = planData(plan);
  return {
    id: plan_id,
    external_id: plan.externalId,
    state: plan.state,
    ...data,
    total_of_payments_in_cents: plan.principalInCents + plan.feeInCents,
    settlement_id,
    created_at: created_at.toISOString(),
    version: plan.version,
  };
}

function viewManagement(
  plan: LivePlan,
  row: Past,
  { now, agreement }: { readonly now: Date; readonly agreement: string },
): PlanManagement {
  const { timeZone } = plan;
  const today = localDate(tenantTime(plan, now), timeZone);
  const on = (ms: number) => localDate(new Date(ms), timeZone);
  const open = plan.parts.filter(isOpen);
  const lastDay = open
    .map((it) => it.dueDate)
    .sort()
    .at(-1);
  return {
    autopay: plan.autopay,
    collections_paused: row.collections_paused,
    payment_method: viewMethod(plan.method),
    card_ends_before: lastDay && endsBefore(plan.method, lastDay) ? lastDay : null,
    method_refusal: refusalOf(plan, row),
    shares_lease: row.shares_lease,
    amounts: planAmounts(row.amounts),
    may_cancel: plan.state === 'created',
    installments: plan.parts.map((part) => viewPart(plan, part, { today, on, row })),
    history: row.history.map(({ ms, ...line }) => ({
      ...line,
      at: new Date(ms).toISOString(),
      on: on(ms),
    })),
    receipts: row.payments
      .filter((it) => it.applied > 0)
      .map((it) => ({
        id: it.id,
        number: it.number,
        paid_on: on(it.ms),
        amount_in_cents: it.applied,
        returned_in_cents: it.returned,
        method: viewMethod(it.method).label,
        payment_method: viewMethod(it.method),
      })),
    agreement: {
      accepted_at: row.accepted_at.toISOString(),
      sha256: row.sha256,
      text: agreement,
      locale: row.locale,
    },
  };
}

function viewPart(
  plan: LivePlan,
  part: LivePart,
  { today, on, row }: { today: string; on: (ms: number) => string; row: Past },
): PlanManagement['installments'][number] {
  const isRunning = plan.state === 'active' || plan.state === 'past_due';
  const mayPay = isRunning && isOpen(part) && !isInFlight(part);
  const last = row.payments.find((it) => it.number === part.number);
  const code = isOpen(part) ? (last?.code ?? null) : null;
  const attempt = part.nextAttemptMs === null ? part.dueDate : on(part.nextAttemptMs);
  const isToBeTried = part.state === 'scheduled' || part.state === 'failed';
  return {
    id: part.id,
    paid_on: part.paidMs === null ? null : on(part.paidMs),
    may_pay: mayPay,
    part_payment: mayPay ? partPayment(part, plan.terms) : null,
    reschedule_days: rescheduleDays(plan, part, today),
    failure:
      code === null
        ? null
        : {
            return_code: code,
            message: wordsOf(code),
            taken_back: last?.outcome === 'returned',
          },
    next_attempt_on:
      plan.autopay && !row.collections_paused && mayPay && isToBeTried ? attempt : null,
  };
}

/** Returns why the bank refused the latest payment from the plan's method; null if it did not. */
function refusalOf({ method }: LivePlan, { payments }: Past): PlanManagement['method_refusal'] {
  const latest = payments.find((it) => it.method.id === method.id && it.outcome !== 'pending');
  if (!latest?.code) return null;
  return { return_code: latest.code, is_final: isFinalRefusal(latest.code) };
}

async function readPast(
  q: Queryable,
  { partnerId, tenantId, planId }: PlanKey,
): Promise<Past | undefined> {
  return q.maybe(
    pastRow,
    sql`
    select p.accepted_at, p.shares_lease,
      ${collectionsPaused({ partnerId: sql`${partnerId}`, tenantId: sql`${tenantId}` })} as collections_paused,
      ${amountsInput(partnerId)} as amounts, encode(p.disclosure_sha256, 'hex') as sha256,
      p.disclosure_text as text, p.agreement_sealed as sealed, coalesce(p.consent->>'locale', 'en') as locale,
      s.id as settlement_id, p.created_at,
      coalesce((select json_agg(json_build_object('kind', h.kind, 'number', h.number,
          'amount_in_cents', h.amount_in_cents, 'from', h.from_date, 'to', h.to_date,
          'return_code', h.return_code, 'ms', (extract(epoch from h.occurred_at) * 1000)::bigint)
          order by h.id desc) from plan_history h
          where h.partner_id = ${partnerId} and h.plan_id = p.id), '[]') as history,
      coalesce((select json_agg(json_build_object('id', y.id, 'number', i.number,
          'applied', w.applied, 'returned', w.returned, 'method', ${methodAsJson}, 'outcome', y.outcome,
          'code', y.return_code,
          'ms', (extract(epoch from y.occurred_at) * 1000)::bigint) order by y.id desc)
        from payment y
          join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
          join payment_method m on m.partner_id = y.partner_id
            and m.id = coalesce(y.payment_method_id, p.payment_method_id),
          lateral (${appliedPayment(partnerId)}) w
        where i.partner_id = ${partnerId} and i.plan_id = p.id), '[]') as payments
    from plan p left join settlement s on s.partner_id = p.partner_id and s.plan_id = p.id
    where p.partner_id = ${partnerId} and p.id = ${planId} and p.tenant_id = ${tenantId}`,
  );
}
