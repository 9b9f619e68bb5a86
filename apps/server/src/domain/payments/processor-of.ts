import type { Service } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import type { InstantProcessor } from './processor.ts';
import { sandboxProcessor } from './sandbox-processor.ts';

/** Whether a payment processor is set up. Production has none yet. */
export function takesPayments({ environment }: Pick<Service, 'environment'>): boolean {
  return environment === 'sandbox';
}

/** @throws Refusal `unavailable` without a processor. Eligibility blocks tenants before they get here. */
export function processorOf(service: Pick<Service, 'environment'>): InstantProcessor {
  if (takesPayments(service)) return sandboxProcessor;
  throw new Refusal('unavailable', {
    message: 'No payment processor is set up yet, so no payment can be taken. No money moved.',
  });
}
