import { createStripeClient, type StripeAccess } from './client.ts';

/** Reads the balance, which every key may. Rejects with Stripe's reason. */
export async function checkStripe(access: StripeAccess): Promise<string> {
  const { livemode } = await createStripeClient(access).balance.retrieve();
  return `Stripe accepts the key, in ${livemode ? 'live' : 'test'} mode`;
}
