import type { EarlierCall, Outcome, Processor } from '../../domain/payments/processor.ts';
import { createCharges } from './charges.ts';
import { createStripeClient } from './client.ts';
import { reasonOf } from './outcomes.ts';
import { createRefunds } from './refunds.ts';
import { createSetups } from './setups.ts';
import type { StripeDeps } from './stripe-deps.ts';
import type { StripeSettings } from './stripe-settings.ts';
import { createEvents } from './webhooks.ts';

/** Charges bank accounts (ACH) and debit cards through Stripe. Numbers are entered on Stripe's page only. */
export function createStripeProcessor(
  settings: StripeSettings,
  deps: Pick<StripeDeps, 'clock' | 'creditor' | 'log'>,
): Processor {
  const { secretKey, webhookSecrets } = settings;
  const parts: StripeDeps = {
    ...deps,
    stripe: createStripeClient(settings),
    webhookSecrets,
    isLive: secretKey.includes('_live_'),
  };
  const charges = createCharges(parts);
  const refunds = createRefunds(parts);

  async function find(call: EarlierCall): Promise<Outcome | null> {
    try {
      return await (call.kind === 'charge' ? charges.find(call) : refunds.find(call));
    } catch (error) {
      return { state: 'unknown', reason: reasonOf(error) };
    }
  }

  return {
    name: 'stripe',
    accountEntry: 'page',
    takesCards: true,
    deposits: 'report',
    depositAccount: 'cash',
    ...createSetups(parts),
    charge: charges.charge,
    cancel: charges.cancel,
    refund: refunds.refund,
    find,
    ...createEvents(parts),
  };
}
