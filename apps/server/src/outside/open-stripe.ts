import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../context.ts';
import type { Processor } from '../domain/payments/processor.ts';

/** Null without Stripe in the settings. The library is loaded only when it is used: it takes 20 MB. */
export async function openStripe(
  { stripe, creditor }: Pick<Config, 'stripe' | 'creditor'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): Promise<Processor | null> {
  if (!stripe) return null;
  const { createStripeProcessor } = await import('./stripe/stripe-processor.ts');
  return createStripeProcessor(stripe, { clock, creditor, log });
}
