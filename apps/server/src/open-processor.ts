import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import { createAchProcessor } from './ach/ach-processor.ts';
import type { Config } from './config.ts';
import type { Service } from './context.ts';
import { createPayoutRail } from './simulator/create-payout-rail.ts';
import { createSimulator } from './simulator/create-simulator.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

type ProcessorConfig = Pick<Config, 'processor' | 'stripe' | 'ach' | 'creditor' | 'environment'>;

/** Logged at the start, and a remark of `/readyz`. */
export const noProcessor =
  'No payment processor is set up, so no plans are offered. Set SVC_PROCESSOR.';

/** Opens the payment processor that the settings name, or none. */
export async function openProcessor(
  { processor, stripe, ach, creditor, environment }: ProcessorConfig,
  { db, clock, log }: Deps,
): Promise<Pick<Service, 'processor' | 'simulator' | 'payoutRail'>> {
  const notSimulated = { simulator: null, payoutRail: null };
  if (stripe) {
    // Loaded only when it is used: Stripe's library takes 20 MB of memory.
    const { createStripeProcessor } = await import('./outside/stripe/stripe-processor.ts');
    const deps = { clock, creditor, log };
    return { processor: createStripeProcessor(stripe, deps), ...notSimulated };
  }
  if (ach)
    return { processor: createAchProcessor(ach, { db, clock, environment }), ...notSimulated };
  if (processor === undefined) {
    log.warn({ setting: 'SVC_PROCESSOR' }, noProcessor);
    return { processor: null, ...notSimulated };
  }
  const simulator = createSimulator({ db });
  return { processor: simulator, simulator, payoutRail: createPayoutRail({ db, clock }) };
}
