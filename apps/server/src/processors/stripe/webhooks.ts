import Stripe from 'stripe';
import {
  type Processor,
  type ProcessorEvent,
  type WebhookHeaders,
  WebhookNotAuthentic,
} from '../../domain/payments/processor.ts';
import { pageSize, unixSeconds } from './calls.ts';
import { eventTypes, readEvent } from './events.ts';
import type { StripeDeps } from './stripe-deps.ts';

const toleranceMs = 300_000;
/** Stripe lists the newest events first. They are read in slices, so that the oldest come first. */
const sliceMs = 3_600_000;

/** Reads what Stripe reports, by webhook and in the list of its events. */
export function createEvents({
  stripe,
  webhookSecrets,
  isLive,
}: StripeDeps): Pick<Processor, 'parseWebhook' | 'list'> {
  /** The library checks the signature with one secret at a time. The age is checked here, by our clock. */
  function parseWebhook(
    raw: Buffer,
    headers: WebhookHeaders,
    now: Date,
  ): readonly ProcessorEvent[] {
    const header = headers['stripe-signature'];
    if (typeof header !== 'string') throw new WebhookNotAuthentic('it has no signature');
    if (!(Math.abs(now.getTime() - sentAt(header)) <= toleranceMs)) {
      throw new WebhookNotAuthentic('its time is more than 300 s from ours');
    }
    const event = webhookSecrets
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

  /**
   * An event of the other mode, test or live, or of an account connected to ours is never about our
   * money. Stripe's thin events have no object to read.
   */
  function eventsOf(event: Stripe.Event): readonly ProcessorEvent[] {
    if (event.livemode !== isLive || event.account !== undefined) return [];
    if (!event.data?.object) return [];
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
        created: { gte: unixSeconds(fromMs), ...(toMs <= endMs && { lt: unixSeconds(toMs) }) },
        limit: pageSize,
      });
      for await (const event of events) slice.push(event);
      for (const event of slice.reverse()) yield* eventsOf(event);
    }
  }

  return { parseWebhook, list };
}

/**
 * When Stripe signed the webhook, in milliseconds since 1970. NaN unless the header has exactly one
 * time. The library checks the signature of the last one, so with two an old webhook would pass.
 */
function sentAt(header: string): number {
  const times = header.split(',').filter((part) => part.startsWith('t='));
  const digits = times.length === 1 ? /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1] : undefined;
  return Number(digits) * 1_000;
}
