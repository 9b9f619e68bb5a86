import type { PayoutInput, PayoutOutput, PayoutReturnInput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { canMovePayout, movePayout, type Outcome } from './move-payout.ts';
import { findPayout, type LockedPayout, lockPayout } from './read.ts';

/** Records the outcome that the portal reports of its debit of a payout. Repeating the call changes nothing. */
export async function updatePayout(
  ctx: Ctx<PartnerActor>,
  { id, input }: { readonly id: string; readonly input: PayoutInput },
): Promise<PayoutOutput> {
  const { status, failure_reason, processor_transaction_id: reference } = input;
  if (failure_reason !== undefined && status !== 'failed') {
    throw invalidField('failure_reason', 'is allowed only with the status "failed"');
  }
  const payout = await lockDebit(ctx, id);
  if (payout.reference !== null && reference !== undefined && reference !== payout.reference) {
    throw invalidField(
      'processor_transaction_id',
      `must be ${payout.reference}, the id that this debit was reported under`,
    );
  }
  if (payout.status === status) return addReference(ctx, payout, reference);
  const outcome: Outcome =
    status === 'failed'
      ? { status, reference, reason: failure_reason ?? 'reported without a reason' }
      : { status, reference };
  return moveOwnPayout(ctx, payout, outcome);
}

/** Records the portal's report that the bank returned its debit, days after it had arrived. */
export async function returnPayout(
  ctx: Ctx<PartnerActor>,
  { id, input }: { readonly id: string; readonly input: PayoutReturnInput },
): Promise<PayoutOutput> {
  const payout = await lockDebit(ctx, id);
  if (payout.status === 'returned') return findPayout(ctx.tx, { ...ctx.actor, id });
  const reason = input.reason ?? 'reported without a reason';
  return moveOwnPayout(ctx, payout, { status: 'returned', reason });
}

async function lockDebit(ctx: Ctx<PartnerActor>, id: string): Promise<LockedPayout> {
  const payout = await lockPayout(ctx.tx, { partnerId: ctx.actor.partnerId, id });
  if (payout.method === 'debit') return payout;
  throw new Refusal('payout_transition_invalid', {
    message: 'We send this payout, so its outcome comes from our bank.',
  });
}

async function addReference(
  ctx: Ctx<PartnerActor>,
  { id, reference: known }: LockedPayout,
  reported: string | undefined,
): Promise<PayoutOutput> {
  const { partnerId } = ctx.actor;
  if (reported !== undefined && known === null) {
    await ctx.tx.run(sql`
      update payout set reference = ${reported}, version = version + 1, updated_at = ${ctx.now}
      where partner_id = ${partnerId} and id = ${id}`);
  }
  return findPayout(ctx.tx, { partnerId, id });
}

function moveOwnPayout(
  ctx: Ctx<PartnerActor>,
  payout: LockedPayout,
  outcome: Outcome,
): Promise<PayoutOutput> {
  requireStep(payout, outcome);
  return movePayout(ctx, { ...payout, partnerId: ctx.actor.partnerId }, outcome);
}

/** @throws Refusal `payout_transition_invalid` */
export function requireStep(payout: LockedPayout, outcome: Outcome): void {
  if (canMovePayout(payout, outcome)) return;
  throw new Refusal('payout_transition_invalid', {
    message: `A payout that is ${payout.status} cannot become ${outcome.status}.`,
  });
}

function invalidField(param: string, message: string): Refusal {
  return new Refusal('validation_failed', {
    errors: [{ param, code: 'invalid_value', message }],
  });
}
