import type { Database } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { Service } from '../context.ts';
import type { Measurements } from '../domain/back-office/health.ts';
import type { ProcessorDefinition } from '../processors/define-processor.ts';
import { measureStored } from './measure-stored.ts';

interface MeasureDeps {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly service: Pick<Service, 'processor'>;
  readonly processors?: readonly Pick<ProcessorDefinition, 'dueSince'>[];
}

/** How long a measurement is reused. Each operator's console asks all the time, and the answer hardly changes. */
const keptMs = 10_000;

/** Measures the database's contents for the operator's console, at most once in ten seconds however many ask. */
export function createMeasure({
  db,
  clock,
  service,
  processors = [],
}: MeasureDeps): () => Promise<Measurements> {
  let last: { readonly atMs: number; readonly measured: Promise<Measurements> } | undefined;
  return () => {
    const now = clock.now();
    if (last && now.getTime() - last.atMs < keptMs) return last.measured;
    const deposits = service.processor?.deposits ?? 'daily';
    const measured = measureStored(db, now, { deposits, processors }).then(
      ({ accepted: _accepted, ...samples }) => samples,
    );
    last = { atMs: now.getTime(), measured };
    // A failure is not kept.
    measured.catch(() => {
      last = undefined;
    });
    return measured;
  };
}
