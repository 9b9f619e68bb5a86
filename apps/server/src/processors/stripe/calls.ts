import Stripe from 'stripe';
import type { Outcome } from '../../domain/payments/processor.ts';
import { outcomeOfError, reasonOf } from './outcomes.ts';
import type { StripeDeps } from './stripe-deps.ts';

/** For this long, Stripe may still be carrying out a request whose answer we did not wait for. */
const settledMs = 120_000;

/** The largest page of a list. */
export const pageSize = 100;

/** Turns every failure of a call into an outcome, and logs those that an operator has to see. */
export async function withOutcomeOfError(
  { log }: Pick<StripeDeps, 'log'>,
  key: string | null,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await call();
  } catch (error) {
    const outcome = outcomeOfError(error);
    const needsOperator =
      error instanceof Stripe.errors.StripeIdempotencyError ||
      error instanceof Stripe.errors.StripeAuthenticationError ||
      error instanceof Stripe.errors.StripePermissionError ||
      error instanceof Stripe.errors.StripeInvalidRequestError;
    if (needsOperator) log.error({ key, reason: reasonOf(error) }, 'stripe refused a call');
    return outcome;
  }
}

/** Null if Stripe never received the call. Only after a while, because the caller may charge again after null. */
export function outcomeOfMissing(
  { clock }: Pick<StripeDeps, 'clock'>,
  sentAt: Date,
): Outcome | null {
  if (clock.now().getTime() - sentAt.getTime() >= settledMs) return null;
  return { state: 'unknown', reason: 'not at Stripe so far' };
}

export function unixSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
