import type { Config } from '../service-settings.ts';
import type { OpenedProcessor, ProcessorDefinition, ProcessorDeps } from './define-processor.ts';
import { processors } from './index.ts';

/** Logged at the start, and shown as a remark by `/readyz`. */
export const noProcessor =
  'No payment processor is set up, so no plans are offered. Set SVC_PROCESSOR.';

/** Returns the processor that the settings name. Undefined if they name none. */
export function chosenProcessor(
  { processor }: Pick<Config, 'processor'>,
  among: readonly ProcessorDefinition[] = processors,
): ProcessorDefinition | undefined {
  return among.find(({ name }) => name === processor);
}

/** Opens the payment processor that the settings name, or none. */
export async function openProcessor(
  config: Pick<Config, 'processor' | 'processorSettings' | 'creditor' | 'environment'>,
  deps: Omit<ProcessorDeps, 'creditor' | 'environment'>,
  among: readonly ProcessorDefinition[] = processors,
): Promise<OpenedProcessor> {
  const { processorSettings, creditor, environment } = config;
  const chosen = chosenProcessor(config, among);
  if (chosen) return chosen.open(processorSettings, { ...deps, creditor, environment });
  deps.log.warn({ setting: 'SVC_PROCESSOR' }, noProcessor);
  return { processor: null, simulator: null, payoutRail: null };
}
