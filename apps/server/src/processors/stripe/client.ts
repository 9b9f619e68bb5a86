import Stripe from 'stripe';
import { callTimeoutMs } from '../../domain/payments/processor.ts';

/** The version that the pinned library was made for. Events have the version of the webhook endpoint. */
const apiVersion = '2026-10-28.endive';

export interface StripeAccess {
  readonly secretKey: string;
  /** `https://api.stripe.com` when left out; another origin in tests. */
  readonly apiBase: string | undefined;
}

/**
 * Creates a client that leaves retries to our jobs, which know whether a repeated request is safe.
 * With the library's defaults, a call could take 240 s. It still repeats a request once, with the
 * same idempotency key, when the connection was reset: an idle connection may have ended.
 */
export function createStripeClient({ secretKey, apiBase }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    apiVersion,
    timeout: callTimeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(new URL(apiBase))),
  });
}

function addressOf({ protocol, hostname, port }: URL) {
  const isHttp = protocol === 'http:';
  return {
    protocol: isHttp ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isHttp ? '80' : '443'),
  };
}
