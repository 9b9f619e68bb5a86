import type { Clock, Log } from '@svc/runtime';
import type Stripe from 'stripe';
import type { Creditor } from '../../creditor.ts';

/** The dependencies of each part of the adapter. */
export interface StripeDeps {
  readonly stripe: Stripe;
  readonly clock: Pick<Clock, 'now'>;
  readonly creditor: Creditor;
  readonly log: Log;
  /** Webhooks signed with any of them are accepted, so that the secret can be changed without losing a webhook. */
  readonly webhookSecrets: readonly string[];
  /** True if the key is for live mode. */
  readonly isLive: boolean;
}
