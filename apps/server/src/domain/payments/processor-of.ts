import type { Service } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import type { Processor } from './processor.ts';

/** Returns whether a payment processor is set up. */
export function takesPayments({ processor }: Pick<Service, 'processor'>): boolean {
  return processor !== null;
}

/** @throws Refusal `unavailable` without a processor. Eligibility blocks tenants before they get here. */
export function processorOf({ processor }: Pick<Service, 'processor'>): Processor {
  if (processor) return processor;
  throw new Refusal('unavailable', {
    message: 'No payment processor is set up yet, so no payment can be taken. No money moved.',
  });
}
