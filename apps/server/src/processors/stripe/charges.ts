import Stripe from 'stripe';
import type {
  CallName,
  ChargeRequest,
  EarlierCall,
  Outcome,
  Processor,
} from '../../domain/payments/processor.ts';
import { outcomeOfMissing, pageSize, unixSeconds, withOutcomeOfError } from './calls.ts';
import { keyField } from './events.ts';
import { outcomeOfIntent } from './outcomes.ts';
import type { StripeDeps } from './stripe-deps.ts';

/** How far Stripe's clock may be from ours, when a lost charge is looked up by its time. */
const searchMs = 36 * 3_600_000;

interface Charges extends Pick<Processor, 'charge' | 'cancel'> {
  readonly find: (call: EarlierCall) => Promise<Outcome | null>;
}

/** Charges accounts and cards: each charge is one PaymentIntent, created confirmed. */
export function createCharges(deps: StripeDeps): Charges {
  const { stripe } = deps;

  /**
   * With the tenant present, a card's bank may ask for a confirmation: the PaymentIntent then waits in
   * `requires_action` and, because a return address is given, names one of Stripe's pages, which needs
   * no script from us. Without the tenant, Stripe declines instead.
   */
  async function charge(request: ChargeRequest): Promise<Outcome> {
    const { key, amountInCents, instrument, occasion, returnUrl } = request;
    if (instrument.type !== 'reference') return notOurs(instrument.type);
    const { customer, method, mandate } = instrument;
    const isPresent = occasion === 'first' || occasion === 'tenant';
    return withOutcomeOfError(deps, key, async () =>
      outcomeOf(
        key,
        await stripe.paymentIntents.create(
          {
            amount: amountInCents,
            currency: 'usd',
            customer,
            payment_method: method,
            allowed_payment_method_types: [mandate === null ? 'card' : 'us_bank_account'],
            confirm: true,
            ...(isPresent && mandate === null
              ? { off_session: false, return_url: returnUrl }
              : { off_session: true }),
            metadata: { [keyField]: key },
          },
          { idempotencyKey: key },
        ),
      ),
    );
  }

  /** An ACH debit can be stopped for a few hours only, before Stripe hands it to the bank. */
  async function cancel({ key, ref }: CallName): Promise<Outcome> {
    if (ref === null) return { state: 'unknown', reason: 'the charge is not known at Stripe yet' };
    return withOutcomeOfError(deps, key, async () => {
      try {
        return outcomeOf(key, await stripe.paymentIntents.cancel(ref));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        return outcomeOf(key, await stripe.paymentIntents.retrieve(ref));
      }
    });
  }

  /**
   * Lists the customer's PaymentIntents around the time of the call. Stripe's search would find the
   * key directly, but a new PaymentIntent can be missing from it for a minute or more.
   */
  async function find({ key, ref, instrument, sentAt }: EarlierCall): Promise<Outcome | null> {
    if (ref !== null) return outcomeOf(key, await stripe.paymentIntents.retrieve(ref));
    if (instrument.type !== 'reference') return notOurs(instrument.type);
    const intents = stripe.paymentIntents.list({
      customer: instrument.customer,
      created: {
        gte: unixSeconds(sentAt.getTime() - searchMs),
        lte: unixSeconds(sentAt.getTime() + searchMs),
      },
      limit: pageSize,
    });
    for await (const intent of intents) {
      if (intent.metadata[keyField] === key) return outcomeOfIntent(intent);
    }
    return outcomeOfMissing(deps, sentAt);
  }

  return { charge, cancel, find };
}

/** Unknown if the answer is about another payment, because it says nothing about the one that we asked for. */
function outcomeOf(key: string | null, intent: Stripe.PaymentIntent): Outcome {
  if (key === null || intent.metadata[keyField] === key) return outcomeOfIntent(intent);
  return { state: 'unknown', reason: `the answer is about ${intent.id}, another payment` };
}

function notOurs(type: string): Outcome {
  return { state: 'unknown', reason: `a ${type} was not set up at Stripe` };
}
