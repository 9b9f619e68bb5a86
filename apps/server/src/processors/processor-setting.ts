import { either } from '@svc/contract';
import { z } from 'zod';
import { setting } from '../settings.ts';
import type { ProcessorDefinition } from './define-processor.ts';

/** The setting of the processor that takes the tenants' payments. Undefined means that no plans are offered. */
export function processorSetting(processors: readonly ProcessorDefinition[]) {
  const names = processors.map(({ name }) => name);
  const choices = processors.map(({ name, description }) => `\`${name}\` ${description}`.trim());
  return setting({
    name: 'SVC_PROCESSOR',
    type: z.enum(names, { error: `must be ${either(names)}` }),
    default: { sandbox: 'simulator' },
    defaultNote: 'the simulator in the sandbox; none in production, where no plans are offered',
    inProduction: (chosen) =>
      processors.some(({ name, movesMoney }) => name === chosen && !movesMoney) &&
      `must be a real processor in production: the ${chosen} moves no money.`,
    description: `takes the tenants’ payments ([how a cent travels](../money.md)): ${either(choices)}`,
  });
}
