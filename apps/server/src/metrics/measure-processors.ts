import { bigint, type Database, row, sql } from '@svc/db';
import type { Gauge, ProcessorDefinition } from '../processors/define-processor.ts';
import type { Sample } from './measure-stored.ts';

type Measurable = Pick<ProcessorDefinition, 'gauges'>;

const countRow = row('count of a processor', { count: bigint });

/** Reads the present values of the processors' gauges from the database, by the gauges' names. */
export async function measureProcessors(
  db: Database,
  processors: readonly Measurable[],
): Promise<Readonly<Record<string, readonly Sample[]>>> {
  const measured: Record<string, Sample[]> = {};
  for (const [name, { label, counts }] of gaugesOf(processors)) {
    const samples: Sample[] = [];
    for (const [value, count] of Object.entries(counts)) {
      const found = await db.one(countRow, sql`select (${count}) as count`);
      samples.push({ labels: { [label]: value }, value: found.count });
    }
    measured[name] = samples;
  }
  return measured;
}

export function gaugesOf(processors: readonly Measurable[]): [string, Gauge][] {
  return processors.flatMap(({ gauges = {} }) => Object.entries(gauges));
}
