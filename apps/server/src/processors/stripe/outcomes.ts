import Stripe from 'stripe';
import type { Outcome } from '../../domain/payments/processor.ts';
import { returnCodeOf } from './failure-codes.ts';

/** The present state of a charge. */
export function outcomeOfIntent(intent: Stripe.PaymentIntent): Outcome {
  const { id: ref, status } = intent;
  switch (status) {
    case 'succeeded':
      return { state: 'succeeded', ref, amountInCents: intent.amount_received };
    case 'processing':
      return { state: 'processing', ref };
    case 'requires_action':
      return {
        state: 'requires_action',
        ref,
        url: intent.next_action?.redirect_to_url?.url ?? null,
      };
    case 'canceled':
      // A card's charge can be canceled only while it waits for the tenant's confirmation.
      return {
        state: 'failed',
        ref,
        returnCode: typeOf(intent) === 'card' ? 'authentication_required' : 'canceled',
      };
    case 'requires_payment_method': {
      const failure = intent.last_payment_error;
      // We create each PaymentIntent confirmed, so without an error it is still being created.
      if (!failure) return { state: 'unknown', reason: `${ref} has not been confirmed` };
      return { state: 'failed', ref, returnCode: returnCodeOf(typeOf(intent), failure) };
    }
    case 'requires_confirmation':
    case 'requires_capture':
      return { state: 'unknown', reason: `${ref} is ${status}` };
    default:
      return { state: 'unknown', reason: `${ref} has a status that we do not know` };
  }
}

/** The present state of a refund. */
export function outcomeOfRefund(refund: Stripe.Refund): Outcome {
  const { id: ref, status } = refund;
  switch (status) {
    case 'succeeded':
      return { state: 'succeeded', ref, amountInCents: refund.amount };
    case 'pending':
      return { state: 'processing', ref };
    case 'requires_action':
      return { state: 'requires_action', ref, url: null };
    case 'canceled':
      return { state: 'failed', ref, returnCode: 'canceled' };
    case 'failed':
      return { state: 'failed', ref, returnCode: refund.failure_reason ?? 'unknown' };
    default:
      return { state: 'unknown', reason: `${ref} has a status that we do not know` };
  }
}

/**
 * Translates a failed request into an outcome. Only an answer that says that nothing was done is `failed`; after
 * anything else the money may have moved.
 */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    const intent = error.payment_intent;
    const type = error.payment_method?.type === 'us_bank_account' ? 'us_bank_account' : 'card';
    return { state: 'failed', ref: intent?.id ?? null, returnCode: returnCodeOf(type, error) };
  }
  // The request was refused before anything was done. Stripe does not keep the answer under our key.
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    return { state: 'failed', ref: null, returnCode: error.code ?? 'invalid_request' };
  }
  return { state: 'unknown', reason: reasonOf(error) };
}

/** Names the failure without Stripe's message, which can contain parts of a key or of a request. */
export function reasonOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeRateLimitError) return 'too many requests';
  if (error instanceof Stripe.errors.StripeIdempotencyError) {
    return 'the idempotency key was used for another request';
  }
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'the API key was refused';
  if (error instanceof Stripe.errors.StripePermissionError) {
    return 'the API key lacks a permission';
  }
  if (error instanceof Stripe.errors.StripeConnectionError) {
    const { code } = (error.detail ?? {}) as { code?: string };
    return code === undefined ? 'no answer' : `no answer (${code})`;
  }
  if (error instanceof Stripe.errors.StripeError) {
    const { statusCode, code, requestId } = error;
    return [`answered ${statusCode ?? 'garbage'}`, code, requestId].filter(Boolean).join(', ');
  }
  return error instanceof Error ? error.name : 'failed';
}

function typeOf({ payment_method_types: types }: Stripe.PaymentIntent): 'us_bank_account' | 'card' {
  return types.includes('us_bank_account') ? 'us_bank_account' : 'card';
}
