import Stripe from 'stripe';
import type { Creditor } from '../../creditor.ts';
import type { Payer, Processor, SetupRequest, SetupStep } from '../../domain/payments/processor.ts';
import { Refusal } from '../../domain/refusal.ts';
import { keyField } from './events.ts';
import { reasonOf } from './outcomes.ts';
import { expandedParts, mandateText, stepOf } from './read-setup.ts';
import type { StripeDeps } from './stripe-deps.ts';

/** Adds accounts and cards: the tenant enters their numbers on Stripe's page (Checkout). */
export function createSetups({
  stripe,
  creditor,
  log,
}: StripeDeps): Pick<Processor, 'setup' | 'findSetup'> {
  async function setup({ key, payer, type, returnUrl }: SetupRequest): Promise<SetupStep> {
    return callStripe(async () => {
      const customer = await customerOf(payer, key);
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'setup',
          currency: 'usd',
          customer,
          success_url: returnUrl,
          cancel_url: returnUrl,
          metadata: { [keyField]: key },
          setup_intent_data: { metadata: { [keyField]: key } },
          ...(type === 'card' ? cardSetup : bankAccountSetup(creditor)),
        },
        { idempotencyKey: key },
      );
      // The answer to a repeated request is the session as it was at first.
      return session.lastResponse.headers['idempotent-replayed'] === 'true'
        ? currentStep(session.id)
        : stepOf(session);
    });
  }

  /** One customer holds the accounts and cards of one tenant. Stripe gets no name and no address. */
  async function customerOf({ partnerId, tenantId }: Payer, key: string): Promise<string> {
    const { id } = await stripe.customers.create(
      { metadata: { svc_partner: partnerId, svc_tenant: tenantId } },
      { idempotencyKey: `${key}:customer` },
    );
    return id;
  }

  async function currentStep(ref: string): Promise<SetupStep> {
    const session = await stripe.checkout.sessions.retrieve(ref, { expand: expandedParts });
    const step = stepOf(session);
    if (step.kind === 'failed') await releaseMethod(session);
    return step;
  }

  /**
   * Detaches a card that we do not take, so that it does not stay at Stripe. If this fails, the card stays there
   * unused, and the tenant still learns that it was not taken.
   */
  async function releaseMethod({ setup_intent: intent }: Stripe.Checkout.Session): Promise<void> {
    const method = typeof intent === 'object' ? intent?.payment_method : null;
    if (!method || typeof method !== 'object' || method.customer === null) return;
    await stripe.paymentMethods.detach(method.id).catch((error: unknown) => {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      log.error({ method: method.id, reason: reasonOf(error) }, 'stripe did not detach a card');
    });
  }

  async function callStripe<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      log.error({ reason: reasonOf(error) }, 'stripe did not set up a payment method');
      throw new Refusal('unavailable', {
        message: 'The payment provider cannot be reached right now. Try again in a minute.',
      });
    }
  }

  return { setup, findSetup: (ref) => callStripe(() => currentStep(ref)) };
}

const cardSetup = { allowed_payment_method_types: ['card'] } as const satisfies SessionPart;

type SessionPart = Partial<Stripe.Checkout.SessionCreateParams>;

/** Verifies an account instantly through its bank, or by micro-deposits, as the tenant chooses on Stripe's page. */
function bankAccountSetup(creditor: Creditor): SessionPart {
  return {
    allowed_payment_method_types: ['us_bank_account'],
    payment_method_options: {
      us_bank_account: {
        verification_method: 'automatic',
        financial_connections: { permissions: ['payment_method'] },
      },
    },
    custom_text: { submit: { message: mandateText(creditor) } },
  };
}
