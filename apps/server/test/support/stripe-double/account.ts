import { createDisputes } from './disputes.ts';
import { createPaymentIntents } from './payment-intents.ts';
import { createRefunds } from './refunds.ts';
import { createSetups } from './setups.ts';
import { createState } from './state.ts';

export type StripeAccount = ReturnType<typeof createAccount>;

/**
 * One Stripe account in test mode: its objects, its events in order, and what tenants and their banks
 * do. Time stands still until `advanceTo` is called.
 */
export function createAccount(start: Date, originOf: () => string) {
  const state = createState(start, originOf);
  const disputes = createDisputes(state);
  return {
    customers: state.customers,
    sessions: state.sessions,
    setupIntents: state.setupIntents,
    paymentMethods: state.paymentMethods,
    mandates: state.mandates,
    paymentIntents: state.paymentIntents,
    charges: state.charges,
    refunds: state.refunds,
    disputes: state.disputes,
    events: state.events,
    now: () => new Date(state.nowSeconds() * 1_000),
    advanceTo: state.advanceTo,
    ...createSetups(state),
    ...createPaymentIntents(state, disputes.dispute),
    ...createRefunds(state),
    ...disputes,
  };
}
