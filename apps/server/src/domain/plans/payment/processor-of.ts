import type { Service } from '../../../context.ts';
import { Refusal } from '../../refusal.ts';
import type { Processor } from './processor.ts';
import { sandboxProcessor } from './sandbox-processor.ts';

/** @throws Refusal `unavailable`: production has no processor yet. */
export function processorOf({ environment }: Pick<Service, 'environment'>): Processor {
  if (environment === 'sandbox') return sandboxProcessor;
  throw new Refusal('unavailable', {
    message: 'No payment processor is set up yet, so no payment can be taken. No money moved.',
  });
}
