import { type Queryable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { post } from '../ledger/post.ts';
import { isInFlight, isOpen, type LivePart, type LivePlan } from '../plans/live-plan.ts';
import { asTenantOf, lockPlan } from '../plans/lock-plan.ts';
import { Refusal } from '../refusal.ts';
import type { TenantTime } from '../tenants/time.ts';
import { creditParts } from './credit-parts.ts';
import { saveCredit } from './save-credit.ts';

/** A payment of a plan whose fee was waived. */
export interface ChangedPayment {
  readonly number: number;
  readonly due_date: string;
  /** Before the waiver. */
  readonly was_in_cents: number;
  readonly amount_in_cents: number;
}

interface FeeWaiver {
  readonly partner_id: string;
  readonly plan_id: string;
  readonly amount_in_cents: number;
  /** The fee as agreed. */
  readonly fee_in_cents: number;
  /** Everything that is left to pay after the waiver. */
  readonly left_in_cents: number;
  readonly changed: readonly ChangedPayment[];
}

interface Request {
  readonly planId: string;
  /** If omitted, the whole fee, or everything that is still owed if that is less. */
  readonly amountInCents?: number;
}

/**
 * Waives a plan's fee or a part of it: the tenant owes that much less, and we do not earn it. The fee is a
 * part of the first payment. If that one is paid, the last payments become less, as with a credit of the
 * landlord. Nothing goes back to the tenant's account; `refundPayment` does that.
 */
export async function waiveFee(ctx: Ctx, { planId, amountInCents }: Request): Promise<FeeWaiver> {
  const { plan: before, at } = await lockPlan(await asTenantOf(ctx, planId), planId);
  if (await isWaived(ctx.tx, before)) {
    throw refused('The fee of this plan was waived already. That is possible once.');
  }
  const limitInCents = mostToWaive(before);
  if (limitInCents === 0) throw nothingToWaive(before);
  const waivedInCents = amountInCents ?? limitInCents;
  if (waivedInCents > limitInCents) {
    throw refused(
      `At most ${limitInCents} cents can be waived: the fee is ${before.feeInCents} cents, and no more can be taken off the open payments.`,
    );
  }
  const parts = lowerPayments(before, waivedInCents, at);
  const { partnerId, tenantId } = before;
  await post(ctx, [
    {
      partnerId,
      tenantId,
      kind: 'fee_waived',
      // The plan's id, so that the database allows only one waiver for each plan.
      sourceId: planId,
      occurredAt: at,
      entries: [
        { kind: 'fee_income', amountInCents: waivedInCents },
        { kind: 'tenant_receivable', amountInCents: -waivedInCents },
      ],
    },
  ]);
  const plan = await saveCredit(ctx, before, {
    parts,
    at,
    change: 'fee_waived',
    history: [{ kind: 'fee_waived', amountInCents: waivedInCents }],
    mail: { credited_in_cents: waivedInCents, is_fee_waiver: true },
  });
  return {
    partner_id: partnerId,
    plan_id: planId,
    amount_in_cents: waivedInCents,
    fee_in_cents: before.feeInCents,
    left_in_cents: owedOf(plan.parts.filter(isOpen)),
    changed: changedPayments(before, plan),
  };
}

/** The cents of the fee that can be waived now. */
export async function feeToWaive(q: Queryable, plan: LivePlan): Promise<number> {
  const most = mostToWaive(plan);
  return most === 0 || (await isWaived(q, plan)) ? 0 : most;
}

function mostToWaive({ state, feeInCents, parts }: LivePlan): number {
  if (state !== 'active' && state !== 'past_due') return 0;
  // The amount of a payment that is on its way cannot change.
  return Math.min(feeInCents, owedOf(parts.filter((it) => isOpen(it) && !isInFlight(it))));
}

function owedOf(parts: readonly LivePart[]): number {
  return parts.reduce((sum, it) => sum + it.amountInCents, 0);
}

const waivedRow = row('waiver of a fee', { id: text });

async function isWaived(q: Queryable, plan: LivePlan): Promise<boolean> {
  const waived = await q.maybe(
    waivedRow,
    sql`
    select transfer_id as id from ledger_transfer_source
    where partner_id = ${plan.partnerId} and source_id = ${plan.id} and kind = 'fee_waived'`,
  );
  return waived !== undefined;
}

function nothingToWaive({ state, feeInCents }: LivePlan): Refusal {
  if (feeInCents === 0) return refused('This plan has no fee.');
  if (state === 'created') {
    return refused(
      'The first payment is on its way, so nothing is owed yet. Cancel the plan instead.',
    );
  }
  if (state === 'active' || state === 'past_due') {
    return refused('Each open payment is on its way. Try again when the bank has answered.');
  }
  return refused(
    `This plan is ${state}, so no payment of it can become less. To send money back, refund a payment.`,
  );
}

/** Lowers the first payment first, because it contains the fee, and then the last ones, so that the next ones stay. */
function lowerPayments(plan: LivePlan, waivedInCents: number, at: TenantTime): readonly LivePart[] {
  const [first, ...others] = plan.parts;
  if (!first) throw new Error(`plan ${plan.id} has no payments`);
  const { parts } = creditParts([...others, first], waivedInCents, at);
  return parts.toSorted((a, b) => a.number - b.number);
}

function changedPayments(before: LivePlan, after: LivePlan): ChangedPayment[] {
  return before.parts.flatMap(({ number, dueDate, amountInCents: was }, index) => {
    const part = after.parts[index];
    if (!part || part.version === before.parts[index]?.version) return [];
    const amount = isOpen(part) ? part.amountInCents : 0;
    return [{ number, due_date: dueDate, was_in_cents: was, amount_in_cents: amount }];
  });
}

function refused(message: string): Refusal {
  return new Refusal('step_not_allowed', { message });
}
