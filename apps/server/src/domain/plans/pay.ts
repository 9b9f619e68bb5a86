import { chargebackCodes, confirmationCodes, failureCodes, type PayInput } from '@svc/contract';
import { nullable, type Queryable, row, sql, text } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { mayBeginMoney, requireMoneyRunning } from '../controls/money-switch.ts';
import type { CallToMake } from '../payments/calls.ts';
import { newestPaymentMethod } from '../payments/payment-methods.ts';
import { Refusal } from '../refusal.ts';
import { type Changed, nothingChanged } from './changed.ts';
import { beginCharge } from './collect.ts';
import { isInFlight, isOpen, type LivePart, type LivePlan } from './live-plan.ts';
import { findPart, lockPlan, requireOpenPlan } from './lock-plan.ts';
import { partPayment } from './part-payment.ts';
import { writeSteps } from './plan-step.ts';
import { scheduleDue } from './schedule-due.ts';
import { sendCallForTenant, waitForSent } from './send-calls.ts';

type Input = Readonly<PayInput>;

/**
 * Pays installments for the tenant now or early, one after another. An installment that is paid or in
 * flight is not charged again, so a double click or a second tab charges nothing. A part of an
 * installment is charged only while the amount owed for it is the one that the tenant saw.
 */
export async function payInstallments(
  steps: RequestSteps<TenantActor>,
  planId: string,
  input: Input,
): Promise<Changed> {
  const tried = new Set<string>();
  let collected = 0;
  let failure: Changed['failure'] = null;
  const begin = () => steps.step((ctx) => beginNext(ctx, planId, { ...input, tried }));
  while (failure === null) {
    const begun = await begin().catch(async (error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 'step_not_allowed') throw error;
      // The first payment's outcome may just have been lost, and is then looked up.
      await waitForSent(steps, steps.actor);
      return begin();
    });
    if (!begun) break;
    tried.add(begun.installmentId);
    const ended = await sendCallForTenant(steps, begun.call, ({ tx, actor }) =>
      tx.one(
        endedRow,
        sql`
        select outcome, return_code from payment
        where partner_id = ${actor.partnerId} and id = ${begun.call.key}`,
      ),
    );
    if (ended.outcome === 'succeeded') collected += begun.call.amountInCents;
    if (ended.returnCode !== null) failure = describeFailure(ended.returnCode);
  }
  // Another tab may be charging the installments. The response shows the outcome of that, too.
  await waitForSent(steps, steps.actor);
  const repayment = collected > 0 ? { plan_id: planId, amount_in_cents: collected } : null;
  return { ...nothingChanged, repayment, failure };
}

const endedRow = row('outcome of a payment', { outcome: text, returnCode: nullable(text) });

interface Begun {
  readonly installmentId: string;
  readonly call: CallToMake;
}

/** Writes the intent to charge the next chosen installment; undefined if none is left. */
async function beginNext(
  ctx: Ctx<TenantActor>,
  planId: string,
  { installment_ids, part: chosenPart, tried }: Input & { readonly tried: ReadonlySet<string> },
): Promise<Begun | undefined> {
  const { plan: found, at } = await lockPlan(ctx, planId);
  const chosen = new Set(installment_ids);
  const parts = [...chosen].map((id) => findPart(found, id, 'installment_ids'));
  const payable = parts.filter((it) => isOpen(it) && !tried.has(it.id));
  if (payable.length === 0) return undefined;
  if (tried.size === 0) {
    requireOpenPlan(found);
    if (chosenPart) requirePart(found, parts, chosenPart);
    await requireMoneyRunning(ctx.tx);
  } else if (!(await mayBeginMoney(ctx.tx))) {
    // Money was stopped after the first payment: the answer reports what was collected.
    return undefined;
  }
  const plan = await withNewestMethod(ctx.tx, found);
  const next = plan.parts.find((it) => payable.some(({ id }) => id === it.id) && !isInFlight(it));
  if (!next || (plan.state !== 'active' && plan.state !== 'past_due')) return undefined;
  const amountInCents = chosenPart?.amount_in_cents ?? next.amountInCents;
  const { step, call } = beginCharge(ctx, plan, { part: next, kind: 'tenant', at, amountInCents });
  await writeSteps(ctx, [step]);
  await scheduleDue(ctx.tx, step.change.plan);
  return { installmentId: next.id, call };
}

function requirePart(
  { terms }: LivePlan,
  parts: readonly LivePart[],
  { amount_in_cents, of_in_cents }: NonNullable<PayInput['part']>,
): void {
  const [part, another] = parts;
  if (!part || another) {
    throw invalidField('installment_ids', 'must be one installment if only a part of it is paid');
  }
  // Another window has paid, or the landlord has credited the tenant.
  if (part.amountInCents !== of_in_cents) throw new Refusal('version_conflict');
  const range = partPayment(part, terms);
  if (!range)
    throw invalidField('part', 'must not be given: this installment is too small to be divided');
  const { least_in_cents, most_in_cents } = range;
  if (amount_in_cents < least_in_cents || amount_in_cents > most_in_cents) {
    throw invalidField(
      'part.amount_in_cents',
      `must be from ${least_in_cents} to ${most_in_cents}`,
    );
  }
}

function invalidField(param: string, message: string): Refusal {
  return new Refusal('validation_failed', {
    errors: [{ param, code: 'invalid_value', message }],
  });
}

/** A reopened plan is paid from the newest account or card, because a payment from its own was returned. */
export async function withNewestMethod(q: Queryable, plan: LivePlan): Promise<LivePlan> {
  if (!plan.reopened) return plan;
  const newest = await newestPaymentMethod(q, plan);
  if (!newest) return plan;
  const { detailsSealed, ...method } = newest;
  return { ...plan, method, detailsSealed };
}

const failureTexts: Readonly<Record<string, string>> = {
  ...failureCodes,
  ...chargebackCodes,
  ...confirmationCodes,
};

export function wordsOf(returnCode: string): string {
  return failureTexts[returnCode] ?? 'The bank did not make the payment.';
}

function describeFailure(returnCode: string) {
  return {
    code: `payment_failed:${returnCode}`,
    message: `${wordsOf(returnCode)} No money moved for this payment.`,
  };
}
