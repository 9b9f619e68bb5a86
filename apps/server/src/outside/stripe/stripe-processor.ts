import Stripe from 'stripe';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../context.ts';
import type { Creditor } from '../../creditor.ts';
import {
  type CallName,
  type ChargeRequest,
  type EarlierCall,
  type Outcome,
  type Payer,
  type Processor,
  type ProcessorEvent,
  type RefundRequest,
  type SetupRequest,
  type SetupStep,
  type WebhookHeaders,
  WebhookNotAuthentic,
} from '../../domain/payments/processor.ts';
import { Refusal } from '../../domain/refusal.ts';
import { createStripeClient, type StripeAccess } from './client.ts';
import { eventTypes, keyField, readEvent } from './events.ts';
import { outcomeOfError, outcomeOfIntent, outcomeOfRefund, reasonOf } from './outcomes.ts';
import { expandedParts, mandateText, stepOf } from './setup.ts';

export interface StripeSettings extends StripeAccess {
  /** All are accepted, so that the secret can be changed without losing a webhook. */
  readonly webhookSecrets: readonly string[];
}

interface Deps {
  readonly clock: Pick<Clock, 'now'>;
  readonly creditor: Creditor;
  readonly log: Log;
}

const toleranceMs = 300_000;
/** How far Stripe's clock may be from ours, when a lost charge is looked up by its time. */
const searchMs = 36 * 3_600_000;
/** Stripe may still be carrying out a request whose answer we did not wait for. */
const settledMs = 120_000;
const pageSize = 100;
/** Stripe lists the newest events first. They are read in slices, so that the oldest come first. */
const sliceMs = 3_600_000;

/** Charges bank accounts (ACH) and debit cards through Stripe. Numbers are entered on Stripe's page only. */
export function createStripeProcessor(
  settings: StripeSettings,
  { clock, creditor, log }: Deps,
): Processor {
  const stripe = createStripeClient(settings);
  const isLive = settings.secretKey.includes('_live_');

  async function setup({ key, payer, type, returnUrl }: SetupRequest): Promise<SetupStep> {
    return reached(async () => {
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

  /** A card that we do not take must not stay at Stripe. If this fails, it is unused there. */
  async function releaseMethod({ setup_intent: intent }: Stripe.Checkout.Session): Promise<void> {
    const method = typeof intent === 'object' ? intent?.payment_method : null;
    if (!method || typeof method !== 'object' || method.customer === null) return;
    await stripe.paymentMethods.detach(method.id);
  }

  async function charge({ key, amountInCents, instrument }: ChargeRequest): Promise<Outcome> {
    if (instrument.type !== 'reference') return notOurs(instrument.type);
    const { customer, method, mandate } = instrument;
    return answered(key, async () =>
      outcomeOfIntent(
        await stripe.paymentIntents.create(
          {
            amount: amountInCents,
            currency: 'usd',
            customer,
            payment_method: method,
            allowed_payment_method_types: [mandate === null ? 'card' : 'us_bank_account'],
            confirm: true,
            off_session: true,
            metadata: { [keyField]: key },
          },
          { idempotencyKey: key },
        ),
      ),
    );
  }

  async function refund({ key, amountInCents, of }: RefundRequest): Promise<Outcome> {
    const { ref } = of;
    if (ref === null) return { state: 'unknown', reason: 'the charge is not known at Stripe yet' };
    return answered(key, async () =>
      outcomeOfRefund(
        await stripe.refunds.create(
          { payment_intent: ref, amount: amountInCents, metadata: { [keyField]: key } },
          { idempotencyKey: key },
        ),
      ),
    );
  }

  /** An ACH debit can be stopped for a few hours only, before Stripe hands it to the bank. */
  async function cancel({ key, ref }: CallName): Promise<Outcome> {
    if (ref === null) return { state: 'unknown', reason: 'the charge is not known at Stripe yet' };
    return answered(key, async () => {
      try {
        return outcomeOfIntent(await stripe.paymentIntents.cancel(ref));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        return outcomeOfIntent(await stripe.paymentIntents.retrieve(ref));
      }
    });
  }

  async function find(call: EarlierCall): Promise<Outcome | null> {
    try {
      return call.kind === 'charge' ? await findCharge(call) : await findRefund(call);
    } catch (error) {
      return { state: 'unknown', reason: reasonOf(error) };
    }
  }

  /**
   * Lists the customer's PaymentIntents around the time of the call. Stripe's search would find the
   * key directly, but a new PaymentIntent can be missing from it for a minute or more.
   */
  async function findCharge({
    key,
    ref,
    instrument,
    sentAt,
  }: EarlierCall): Promise<Outcome | null> {
    if (ref !== null) return outcomeOfIntent(await stripe.paymentIntents.retrieve(ref));
    if (instrument.type !== 'reference') return notOurs(instrument.type);
    const intents = stripe.paymentIntents.list({
      customer: instrument.customer,
      created: {
        gte: seconds(sentAt.getTime() - searchMs),
        lte: seconds(sentAt.getTime() + searchMs),
      },
      limit: pageSize,
    });
    for await (const intent of intents) {
      if (intent.metadata[keyField] === key) return outcomeOfIntent(intent);
    }
    return missing(sentAt);
  }

  async function findRefund({ key, ref, of, sentAt }: EarlierCall): Promise<Outcome | null> {
    if (ref !== null) return outcomeOfRefund(await stripe.refunds.retrieve(ref));
    if (!of?.ref) return { state: 'unknown', reason: 'the charge is not known at Stripe yet' };
    const refunds = stripe.refunds.list({ payment_intent: of.ref, limit: pageSize });
    for await (const refund of refunds) {
      if (refund.metadata?.[keyField] === key) return outcomeOfRefund(refund);
    }
    return missing(sentAt);
  }

  /** The caller may charge again after null, so a call counts as never received only after a while. */
  function missing(sentAt: Date): Outcome | null {
    if (clock.now().getTime() - sentAt.getTime() >= settledMs) return null;
    return { state: 'unknown', reason: 'not at Stripe so far' };
  }

  /** The library checks the signature with one secret, and that the time is not too old. */
  function parseWebhook(
    raw: Buffer,
    headers: WebhookHeaders,
    now: Date,
  ): readonly ProcessorEvent[] {
    const header = headers['stripe-signature'];
    if (typeof header !== 'string') throw new WebhookNotAuthentic('it has no signature');
    const sentS = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1]);
    if (!(Math.abs(now.getTime() - sentS * 1_000) <= toleranceMs)) {
      throw new WebhookNotAuthentic('its time is more than 300 s from ours');
    }
    const event = settings.webhookSecrets
      .map((secret) => verified(raw, header, secret))
      .find((it) => it !== undefined);
    if (!event) throw new WebhookNotAuthentic('its signature is wrong');
    return eventsOf(event);
  }

  function verified(raw: Buffer, header: string, secret: string): Stripe.Event | undefined {
    try {
      // The age was checked above, in both directions and by our clock; no age is too old here.
      const anyAge = Number.MAX_SAFE_INTEGER;
      return stripe.webhooks.constructEvent(raw, header, secret, anyAge);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
      throw new WebhookNotAuthentic('its body is not JSON');
    }
  }

  /** An event of the other mode, test or live, is never about our money. */
  function eventsOf(event: Stripe.Event): readonly ProcessorEvent[] {
    if (event.livemode !== isLive) return [];
    const read = readEvent(event);
    return read ? [read] : [];
  }

  /** Stripe keeps events for 30 days. The last slice has no end, because Stripe's clock may be ahead. */
  async function* list(since: Date): AsyncIterable<ProcessorEvent> {
    const newest = await stripe.events.list({ limit: 1 });
    const endMs = (newest.data[0]?.created ?? 0) * 1_000;
    for (let fromMs = since.getTime(); fromMs <= endMs; fromMs += sliceMs) {
      const toMs = fromMs + sliceMs;
      const slice: Stripe.Event[] = [];
      const events = stripe.events.list({
        types: [...eventTypes],
        created: { gte: seconds(fromMs), ...(toMs <= endMs && { lt: seconds(toMs) }) },
        limit: pageSize,
      });
      for await (const event of events) slice.push(event);
      for (const event of slice.reverse()) yield* eventsOf(event);
    }
  }

  /** Turns every failure of a call into an outcome, and logs those that an operator has to see. */
  async function answered(key: string | null, call: () => Promise<Outcome>): Promise<Outcome> {
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

  async function reached<T>(call: () => Promise<T>): Promise<T> {
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

  return {
    name: 'stripe',
    accountEntry: 'page',
    setup,
    findSetup: (ref) => reached(() => currentStep(ref)),
    charge,
    refund,
    cancel,
    find,
    parseWebhook,
    list,
  };
}

const cardSetup = { allowed_payment_method_types: ['card'] } as const satisfies SessionPart;

type SessionPart = Partial<Stripe.Checkout.SessionCreateParams>;

/** Instantly through the tenant's bank, or by micro-deposits, as the tenant chooses on Stripe's page. */
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

function notOurs(type: string): Outcome {
  return { state: 'unknown', reason: `a ${type} was not set up at Stripe` };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
