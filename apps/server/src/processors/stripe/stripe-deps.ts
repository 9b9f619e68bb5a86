import type { Clock, Log } from '@svc/runtime';
import type Stripe from 'stripe';
import type { Creditor } from '../../creditor.ts';

/** The dependencies of each part of the adapter. */
export interface StripeDeps {
  readonly stripe: Stripe;
  readonly clock: Pick<Clock, 'now'>;
  readonly creditor: Creditor;
  readonly log: Log;
  /** All are accepted, so that the secret can be changed without losing a webhook. */
  readonly webhookSecrets: readonly string[];
  /** Whether the key is one of live mode. */
  readonly isLive: boolean;
}
