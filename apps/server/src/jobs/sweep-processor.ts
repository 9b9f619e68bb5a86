import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Service } from '../context.ts';
import type { Processor, ProcessorEvent } from '../domain/payments/processor.ts';
import { receiveEvents } from '../domain/payments/receive-events.ts';
import { claimSweep, recordSweep } from '../domain/payments/sweep.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { Lane } from './lane.ts';

const everyMs = 60_000;
const batchSize = 200;
// The processor's clock may be a day behind ours: then webhooks are refused for their time, and only the
// sweep brings their events. Those that are stored already cost one look at the inbox each.
const overlapMs = 36 * 3_600_000;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
}

export function sweepLane(deps: Deps, processor: Processor): Lane {
  return { name: 'processor sweep', everyMs, batch: () => sweepProcessor(deps, processor) };
}

/**
 * Once a day, reads the processor's list of events and stores those whose webhook never came. Events
 * that are stored already have no effect. If the processor does not answer, another sweep follows
 * within an hour. Returns 0, because one sweep is all that is due.
 */
export async function sweepProcessor(deps: Deps, processor: Processor): Promise<number> {
  const { clock, log } = deps;
  const { name } = processor;
  const began = clock.now();
  const since = await runUnitOfWork(deps, began, (uow) => claimSweep(uow, name));
  if (!since) return 0;
  let missed = 0;
  let batch: ProcessorEvent[] = [];
  const store = async () => {
    missed += await runUnitOfWork(deps, clock.now(), (uow) => receiveEvents(uow, name, batch));
    batch = [];
  };
  for await (const event of processor.list(new Date(since.getTime() - overlapMs))) {
    if (batch.push(event) === batchSize) await store();
  }
  await store();
  await runUnitOfWork(deps, clock.now(), (uow) => recordSweep(uow, name, began));
  if (missed > 0) log.warn({ processor: name, missed }, 'stored events whose webhook was missed');
  return 0;
}
