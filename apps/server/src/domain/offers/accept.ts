import { type AcceptOutput, type QuoteOutput, settlementOutput } from '@svc/contract';
import { bigint, json, nullable, row, sql, text } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { mayBeginMoney } from '../controls/money-switch.ts';
import { lockPosition } from '../eligibility/lock-position.ts';
import { emit } from '../events/emit.ts';
import type { CallToMake } from '../payments/calls.ts';
import { newestPaymentMethod } from '../payments/payment-methods.ts';
import type { AfterOutcome } from '../plans/apply-outcomes.ts';
import {
  type Acceptance,
  type AgreedText,
  firstCall,
  insertPlan,
  makePlan,
} from '../plans/insert-plan.ts';
import { planData } from '../plans/live-plan.ts';
import { sendCallForTenant, waitForSent } from '../plans/send-calls.ts';
import { Refusal } from '../refusal.ts';
import { allocateToCharges, paidCharges } from '../settlements/paid-charges.ts';
import { offeredQuote } from './list-quotes.ts';

export type Accepted = Omit<AcceptOutput, 'state'>;

/**
 * Turns the tenant's consent into a plan, charges its first payment and returns the outcome. `readAlso` reads
 * more in the same transaction; `known` is what that transaction knows after the outcome. Accepting a quote twice
 * (a double click, two tabs, a retry after a crash) returns the same plan.
 */
export async function acceptPlan<T>(
  steps: RequestSteps<TenantActor>,
  acceptance: Acceptance,
  readAlso: (ctx: Ctx<TenantActor>, known?: AfterOutcome) => Promise<T>,
): Promise<[Accepted, T]> {
  const { planId, call } = await steps.step((ctx) => beginPlan(ctx, acceptance));
  const read = (ctx: Ctx<TenantActor>, known?: AfterOutcome) =>
    Promise.all([readAccepted(ctx, planId), readAlso(ctx, known)]);
  if (call) return sendCallForTenant(steps, call, read);
  await waitForSent(steps, steps.actor);
  return steps.step((ctx) => read(ctx));
}

interface Begun {
  readonly planId: string;
  /** The call that takes the first payment; null if an earlier request accepted this quote. */
  readonly call: CallToMake | null;
}

/** Stores the plan with the intent to charge its first payment. It is `created` until that succeeds. */
async function beginPlan(ctx: Ctx<TenantActor>, acceptance: Acceptance): Promise<Begun> {
  const [locked, method, mayBegin] = await Promise.all([
    lockPosition(ctx),
    newestPaymentMethod(ctx.tx, ctx.actor),
    mayBeginMoney(ctx.tx),
  ]);
  const { openPlan } = locked.snapshot;
  if (openPlan?.quoteId === acceptance.input.quote_id) return { planId: openPlan.id, call: null };
  if (openPlan) throw new Refusal('plan_already_exists');
  if (!method) throw new Refusal('step_not_allowed');
  const facts = { ...locked, method };
  const offered = offeredQuote(ctx, facts, acceptance.input.quote_id);
  const agreed = offered && agreedText(offered.quote, acceptance.input.accepted_disclosure_sha256);
  if (!agreed) throw new Refusal('quote_not_found');
  if (!mayBegin) throw new Refusal('payments_paused');
  const { quote } = offered;
  const paid = allocateToCharges(locked.cycle.charges, quote.amount_financed_in_cents);
  const draft = { offered, agreed, paid, method, acceptance };
  const newPlan = makePlan(ctx, locked, draft);
  const { plan } = newPlan;
  emit(ctx, locked.subject, [{ type: 'plan.created', version: 1, data: planData(plan) }]);
  insertPlan(ctx, locked, draft, newPlan);
  return { planId: plan.id, call: firstCall(ctx, newPlan) };
}

/** Returns the disclosure that was on screen. Each quote has one for each language. */
function agreedText({ disclosure }: QuoteOutput, sha256: string): AgreedText | undefined {
  return disclosure === null
    ? undefined
    : [disclosure, ...disclosure.translations].find((it) => it.sha256 === sha256);
}

const acceptedRow = row('accepted plan', {
  settlementId: nullable(text),
  amountInCents: bigint,
  charges_and_amounts_paid: json(settlementOutput.shape.charges_and_amounts_paid),
  /** The bank's code, if the first payment failed. A canceled plan without a settlement had no other payment. */
  failureCode: nullable(text),
});

/** Reads the plan's outcome: it is active, canceled, or still waits for the bank. */
async function readAccepted({ tx, actor }: Ctx<TenantActor>, planId: string): Promise<Accepted> {
  const { partnerId } = actor;
  const { settlementId, amountInCents, charges_and_amounts_paid, failureCode } = await tx.one(
    acceptedRow,
    sql`
    select s.id as settlement_id, p.principal_in_cents as amount_in_cents,
      ${paidCharges({ partnerId: sql`${partnerId}`, planId: sql`p.id` })} as charges_and_amounts_paid,
      case when p.state = 'canceled' and s.id is null then (
        select y.return_code from payment y
          join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
        where i.partner_id = ${partnerId} and i.plan_id = p.id and y.outcome = 'failed')
      end as failure_code
    from plan p left join settlement s on s.partner_id = p.partner_id and s.plan_id = p.id
    where p.partner_id = ${partnerId} and p.id = ${planId}`,
  );
  const settlement =
    settlementId === null
      ? null
      : {
          settlement_id: settlementId,
          amount_in_cents: amountInCents,
          charges_paid: charges_and_amounts_paid.map((it) => it.charge_id),
          charges_and_amounts_paid,
        };
  const failure =
    failureCode === null
      ? null
      : {
          code: `first_payment_failed:${failureCode}`,
          message:
            'Your bank did not make the first payment. No money moved, and no plan was made.',
        };
  return { settlement, failure };
}
