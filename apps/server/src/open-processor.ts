import type { Database } from '@svc/db';
import type { Config } from './config.ts';
import type { Service } from './context.ts';
import { createSimulator } from './simulator/create-simulator.ts';

/** Creates the payment processor that the settings name, or none. */
export function openProcessor(
  { processor }: Pick<Config, 'processor'>,
  db: Database,
): Pick<Service, 'processor' | 'simulator'> {
  if (processor === undefined) return { processor: null, simulator: null };
  const simulator = createSimulator({ db });
  return { processor: simulator, simulator };
}
