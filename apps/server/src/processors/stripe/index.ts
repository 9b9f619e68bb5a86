import type { ProcessorDefinition } from '../define-processor.ts';
import { type StripeSettings, stripeSettings } from './stripe-settings.ts';

export const stripe = {
  name: 'stripe',
  description: 'for [Stripe](stripe.md) (test keys in the sandbox, live keys in production)',
  movesMoney: true,
  settings: stripeSettings,
  async open(settings: StripeSettings, { clock, creditor, log }) {
    // Loaded only when it is used: Stripe's library takes 20 MB of memory.
    const { createStripeProcessor } = await import('./stripe-processor.ts');
    const processor = createStripeProcessor(settings, { clock, creditor, log });
    return { processor, simulator: null, payoutRail: null };
  },
  async check(settings: StripeSettings) {
    const { checkStripe } = await import('./check-stripe.ts');
    return checkStripe(settings);
  },
  tables: {},
  accounts: {},
  transfers: {},
  commands: [],
  auditActions: [],
} as const satisfies ProcessorDefinition<StripeSettings>;
