import { ach } from './ach/index.ts';
import type { ProcessorDefinition } from './define-processor.ts';
import { simulator } from './simulator/index.ts';
import { stripe } from './stripe/index.ts';

/** Every processor that the service knows. Another one is a folder and a line here. */
export const processors = [
  simulator,
  stripe,
  ach,
] as const satisfies readonly ProcessorDefinition[];
