import type { PaidCharge, QuoteOutput } from '@svc/contract';
import { bigint, date, integer, nullable, recordset, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import type { LockedPosition } from '../eligibility/lock-position.ts';
import type { chargeFirst } from '../payments/charge.ts';
import type { SealedMethod } from '../payments/payment-methods.ts';
import { nextMorning } from '../payments/record-processor-entry.ts';
import { insertPaidCharges } from '../settlements/paid-charges.ts';
import { isLeaseShared } from '../tenants/shares-lease.ts';
import type { LivePart, LivePlan } from './live-plan.ts';

export interface NewPlan {
  readonly plan: LivePlan;
  readonly paymentId: string;
  /** The charges that the plan pays. */
  readonly paid: readonly PaidCharge[];
}

export interface Acceptance {
  readonly input: { readonly quote_id: string; readonly accepted_disclosure_sha256: string };
  readonly ip: string;
  readonly userAgent: string | null;
}

export type AgreedText = QuoteOutput['disclosure']['translations'][number];

interface PlanDraft {
  readonly quote: QuoteOutput;
  /** The text that the tenant agreed to, in the language of the screen. */
  readonly agreed: AgreedText;
  readonly charge: Awaited<ReturnType<typeof chargeFirst>>;
  readonly paid: readonly PaidCharge[];
  readonly method: SealedMethod;
  readonly acceptance: Acceptance;
}

/** Builds the plan from the outcome of its first payment. Writes nothing. */
export function makePlan(ctx: Ctx<TenantActor>, locked: LockedPosition, draft: PlanDraft): NewPlan {
  const paymentId = newId('pay', ctx.now);
  return { plan: newPlan(ctx, locked, draft, paymentId), paymentId, paid: draft.paid };
}

const newPartRow = row('new installment', {
  id: text,
  number: integer,
  dueDate: date,
  amountInCents: bigint,
  agreedInCents: bigint,
  state: text,
  version: integer,
});

const newLineRow = row('first line of the history', {
  id: text,
  kind: text,
  number: nullable(integer),
  amount: nullable(bigint),
  code: nullable(text),
});

/** Inserts the plan with its charges, installments and first payment, in one statement. */
export async function insertPlan(
  ctx: Ctx<TenantActor>,
  locked: LockedPosition,
  draft: PlanDraft,
  { plan, paymentId, paid }: NewPlan,
): Promise<void> {
  const { tx, now } = ctx;
  const { quote, agreed, charge, acceptance } = draft;
  const { at } = locked.position;
  const [first] = plan.parts;
  if (!first) throw new Error('a quote without installments');
  const returnCode = charge.outcome === 'failed' ? charge.returnCode : null;
  const { locale } = agreed;
  const { partnerId } = plan;
  const parts = plan.parts.map((it) => {
    const { id, number, dueDate, amountInCents, agreedInCents, state, version } = it;
    return { id, number, dueDate, amountInCents, agreedInCents, state, version };
  });
  const consent = {
    at: now.toISOString(),
    ip: acceptance.ip,
    user_agent: acceptance.userAgent,
    locale,
  };
  const lines = [
    { kind: 'accepted', number: null, amount: plan.principalInCents, code: null },
    ...afterCharge[charge.outcome].history.map((kind) => {
      return { kind, number: 1, amount: first.amountInCents, code: returnCode };
    }),
  ].map((line) => ({ id: newId('hst', now), ...line }));
  await tx.run(sql`
    with made as (
      insert into plan (id, partner_id, tenant_id, application_id, payment_method_id,
        product_variant, rent_cycle_date, state, principal_in_cents, fee_in_cents, apr_bps,
        disclosure_text, disclosure_sha256, quote_id, consent, shares_lease, accepted_at, version,
        created_at)
      values (${plan.id}, ${partnerId}, ${plan.tenantId},
        ${locked.snapshot.application?.id ?? null}, ${plan.method.id}, ${plan.productVariant},
        ${plan.rentCycleDate}, ${plan.state}, ${plan.principalInCents}, ${plan.feeInCents},
        ${plan.aprBps}, ${agreed.text}, ${Buffer.from(agreed.sha256, 'hex')},
        ${quote.id}, ${JSON.stringify(consent)}::jsonb,
        ${isLeaseShared(locked.snapshot.tenant, plan.rentCycleDate)}, ${at}, ${plan.version}, ${now})
    ), charged as (
      ${insertPaidCharges({ partnerId, planId: plan.id }, paid)}
    ), parts as (
      insert into installment (id, partner_id, plan_id, number, due_date, amount_in_cents,
        agreed_in_cents, state, paid_at, version)
      select id, ${partnerId}, ${plan.id}, number, "dueDate", "amountInCents", "agreedInCents", state,
        case when state = 'paid' then ${at}::timestamptz end, version
      from ${recordset(newPartRow, parts, 'i')}
    ), payment as (
      insert into payment (id, partner_id, installment_id, attempt, amount_in_cents, outcome,
        return_code, payment_method_id, settles_at, occurred_at, created_at)
      values (${paymentId}, ${partnerId}, ${first.id}, 1, ${first.amountInCents}, ${charge.outcome},
        ${returnCode}, ${plan.method.id},
        ${plan.pending && new Date(plan.pending.settlesMs)}::timestamptz, ${at}, ${now})
    )
    insert into plan_history (id, partner_id, plan_id, kind, number, amount_in_cents, return_code,
      occurred_at, created_at)
    select id, ${partnerId}, ${plan.id}, kind, number, amount, code, ${at}::timestamptz,
      ${now}::timestamptz
    from ${recordset(newLineRow, lines, 'h')}`);
}

function newPlan(
  { now, actor }: Ctx<TenantActor>,
  { snapshot: { tenant }, cycle, position: { at } }: LockedPosition,
  { quote, charge, method }: PlanDraft,
  paymentId: string,
): LivePlan {
  const { plan: state, first, others } = afterCharge[charge.outcome];
  const { partnerId, tenantId, pms, productVariant } = actor;
  const { externalId, timeZone, clockOffsetMs } = tenant;
  const { detailsSealed, ...shown } = method;
  const version = charge.outcome === 'pending' ? 1 : 2;
  const settlesMs = nextMorning(at, timeZone).getTime();
  return {
    id: newId('pln', now),
    partnerId,
    pms,
    tenantId,
    externalId,
    timeZone,
    clockOffsetMs,
    // This payment has used up a failure that the simulation had prepared.
    pendingFailures: [],
    state,
    reopened: false,
    resumedOn: null,
    version,
    productVariant,
    rentCycleDate: cycle.dueDate,
    principalInCents: quote.amount_financed_in_cents,
    feeInCents: quote.fee_in_cents,
    aprBps: quote.apr_bps,
    autopay: true,
    method: shown,
    detailsSealed,
    pending:
      charge.outcome === 'pending' ? { id: paymentId, methodId: method.id, settlesMs } : null,
    parts: quote.installments.map((it): LivePart => {
      const state = it.number === 1 ? first : others;
      return {
        id: newId('ins', now),
        number: it.number,
        dueDate: it.due_date,
        amountInCents: it.amount_in_cents,
        agreedInCents: it.amount_in_cents,
        creditedInCents: 0,
        state,
        version,
        retries: 0,
        nextAttemptMs: null,
        paidMs: state === 'paid' ? at.getTime() : null,
        remindedFor: null,
      };
    }),
  };
}

/** States of the plan and its installments, by the outcome of the first payment. */
const afterCharge = {
  succeeded: { plan: 'active', first: 'paid', others: 'scheduled', history: ['paid'] },
  pending: { plan: 'created', first: 'processing', others: 'scheduled', history: [] },
  failed: { plan: 'canceled', first: 'canceled', others: 'canceled', history: ['failed'] },
} as const;
