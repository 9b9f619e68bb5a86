import type { Locale, PaidCharge, QuoteOutput } from '@svc/contract';
import { bigint, date, integer, recordset, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import type { LockedPosition } from '../eligibility/lock-position.ts';
import { openReceivable } from '../ledger/post.ts';
import { type CallToMake, insertCalls } from '../payments/calls.ts';
import type { SealedMethod } from '../payments/payment-methods.ts';
import { nextMorning } from '../payments/record-processor-entry.ts';
import { insertPaidCharges } from '../settlements/paid-charges.ts';
import { keepLocale } from '../tenants/keep-locale.ts';
import { isLeaseShared } from '../tenants/shares-lease.ts';
import { chargeCall } from './collect.ts';
import type { LivePart, LivePlan } from './live-plan.ts';
import { callOf, type NewCharge } from './plan-step.ts';

interface NewPlan {
  readonly plan: LivePlan;
  /** The intent to take the first payment. */
  readonly charge: NewCharge;
  /** The charges that the plan pays. */
  readonly paid: readonly PaidCharge[];
}

export interface Acceptance {
  readonly input: {
    readonly quote_id: string;
    readonly accepted_disclosure_sha256: string;
    readonly locale?: Locale | undefined;
  };
  readonly ip: string;
  readonly userAgent: string | null;
}

export type AgreedText = NonNullable<QuoteOutput['disclosure']>['translations'][number];

interface PlanDraft {
  readonly offered: {
    readonly quote: QuoteOutput;
    /** The id that the agreement names. */
    readonly planId: string;
    /** Writes the agreement without the names of the tenant and the home. */
    readonly anonymousText: (locale: Locale) => string;
  };
  /** The text that the tenant agreed to, in the language of the screen. */
  readonly agreed: AgreedText;
  readonly paid: readonly PaidCharge[];
  readonly method: SealedMethod;
  readonly acceptance: Acceptance;
}

/** Builds the plan as it is until the processor has answered. Writes nothing. */
export function makePlan(ctx: Ctx<TenantActor>, locked: LockedPosition, draft: PlanDraft): NewPlan {
  const paymentId = newId('pay', ctx.now);
  const { at } = locked.position;
  const plan = newPlan(ctx, locked, draft, paymentId);
  const [first] = plan.parts;
  if (!first) throw new Error('a quote without installments');
  const { partnerId, tenantId, timeZone } = plan;
  const charge: NewCharge = {
    id: paymentId,
    partnerId,
    tenantId,
    installmentId: first.id,
    amountInCents: first.amountInCents,
    kind: 'scheduled',
    methodId: plan.method.id,
    at,
    settlesAt: nextMorning(at, timeZone),
    occasion: 'first',
    // A failed first payment leaves no installment to return to this state, unless the plan has begun.
    partState: 'scheduled',
  };
  return { plan, charge, paid: draft.paid };
}

/** Returns the call that takes the first payment, to be made after the commit. */
export function firstCall(ctx: Ctx<TenantActor>, { plan, charge }: NewPlan): CallToMake {
  return chargeCall(plan, charge, ctx.now);
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

/**
 * Inserts the plan with its charges, installments, first payment and the intent of its call. Opens the
 * tenant's account in the ledger, and stores the language of the mails that follow.
 */
export function insertPlan(
  ctx: Ctx<TenantActor>,
  locked: LockedPosition,
  draft: PlanDraft,
  { plan, charge, paid }: NewPlan,
): void {
  const { tx, now } = ctx;
  const { offered, agreed, acceptance } = draft;
  const { at } = locked.position;
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
  tx.send(sql`
    with made as (
      insert into plan (id, partner_id, tenant_id, application_id, payment_method_id,
        product_variant, rent_cycle_date, state, principal_in_cents, fee_in_cents, apr_bps,
        disclosure_text, agreement_sealed, disclosure_sha256, terms_version, quote_id, consent, shares_lease, accepted_at, version,
        created_at)
      select ${plan.id}, ${partnerId}, ${plan.tenantId},
        ${locked.snapshot.application?.id ?? null}, ${plan.method.id}, ${plan.productVariant},
        ${plan.rentCycleDate}, ${plan.state}, ${plan.principalInCents}, ${plan.feeInCents},
        ${plan.aprBps}, ${offered.anonymousText(locale)},
        ${ctx.service.vault.seal(agreed.text, plan.id)}, ${Buffer.from(agreed.sha256, 'hex')},
        ${plan.terms.version}, ${offered.quote.id}, ${JSON.stringify(consent)}::jsonb,
        ${isLeaseShared(locked.snapshot.tenant, plan.rentCycleDate)}, ${at}, ${plan.version}, ${now}
    ), account as (
      ${openReceivable(ctx, plan)}
    ), charged as (
      ${insertPaidCharges({ partnerId, planId: plan.id }, paid)}
    ), parts as (
      insert into installment (id, partner_id, plan_id, number, due_date, amount_in_cents,
        agreed_in_cents, state, version)
      select id, ${partnerId}, ${plan.id}, number, due_date, amount_in_cents, agreed_in_cents, state,
        version
      from ${recordset(newPartRow, parts, 'i')}
    ), payment as (
      insert into payment (id, partner_id, installment_id, attempt, amount_in_cents, outcome, kind,
        payment_method_id, settles_at, occurred_at, created_at)
      values (${charge.id}, ${partnerId}, ${charge.installmentId}, 1, ${charge.amountInCents},
        'pending', ${charge.kind}, ${charge.methodId}, ${charge.settlesAt}, ${at}, ${now})
    ), call as (
      ${insertCalls(ctx, [callOf(charge)])}
    ), locale as (
      ${keepLocale(plan, acceptance.input.locale ?? locale)}
    )
    insert into plan_history (id, partner_id, plan_id, kind, amount_in_cents, occurred_at,
      created_at)
    values (${newId('hst', now)}, ${partnerId}, ${plan.id}, 'accepted', ${plan.principalInCents},
      ${at}, ${now})`);
}

function newPlan(
  { now, actor }: Ctx<TenantActor>,
  { snapshot: { tenant }, position: { terms }, cycle }: LockedPosition,
  { offered: { quote, planId }, paid, method }: PlanDraft,
  paymentId: string,
): LivePlan {
  const { partnerId, tenantId, pms, productVariant } = actor;
  const { externalId, timeZone, clockOffsetMs } = tenant;
  const { detailsSealed, ...shown } = method;
  const version = 1;
  return {
    id: planId,
    partnerId,
    pms,
    tenantId,
    externalId,
    timeZone,
    clockOffsetMs,
    state: 'created',
    reopened: false,
    resumedOn: null,
    version,
    productVariant,
    rentCycleDate: cycle.dueDate,
    principalInCents: quote.amount_financed_in_cents,
    feeInCents: quote.fee_in_cents,
    aprBps: quote.apr_bps,
    autopay: true,
    terms,
    method: shown,
    detailsSealed,
    pending: { id: paymentId, methodId: method.id, methodType: method.type, charges: paid },
    parts: quote.installments.map((it): LivePart => {
      return {
        id: newId('ins', now),
        number: it.number,
        dueDate: it.due_date,
        amountInCents: it.amount_in_cents,
        agreedInCents: it.amount_in_cents,
        creditedInCents: 0,
        partPaidInCents: 0,
        state: it.number === 1 ? 'processing' : 'scheduled',
        version,
        retries: 0,
        nextAttemptMs: null,
        paidMs: null,
        remindedFor: null,
      };
    }),
  };
}
