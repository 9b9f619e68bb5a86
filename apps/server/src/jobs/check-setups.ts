import { concludeSetup } from '../domain/applications/payment-setups.ts';
import type { Processor } from '../domain/payments/processor.ts';
import { claimSetups } from '../domain/payments/setups.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { DueDeps } from './due-lanes.ts';
import type { Lane } from './lane.ts';

// A tenant may be waiting for the account to appear.
const everyMs = 2_000;
const batchSize = 10;

export function setupsLane(deps: DueDeps, processor: Processor): Lane {
  return { name: 'payment setups', everyMs, batch: () => checkSetups(deps, processor) };
}

/**
 * Asks the processor about setups that an event named, or about which there was no news for a while,
 * outside of any transaction. Returns how many it asked about.
 */
export async function checkSetups(deps: DueDeps, processor: Processor): Promise<number> {
  const { clock, log } = deps;
  const setups = await runUnitOfWork(deps, clock.now(), (uow) =>
    claimSetups(uow, { limit: batchSize }),
  );
  for (const setup of setups) {
    try {
      const step = await processor.findSetup(setup.ref, clock.now());
      await runUnitOfWork(deps, clock.now(), (uow) => concludeSetup(uow, setup, step, log));
    } catch (error) {
      // The lease ends in a minute, and then it is tried again.
      log.warn({ err: error, setup_id: setup.id }, 'a payment setup could not be checked');
    }
  }
  return setups.length;
}
