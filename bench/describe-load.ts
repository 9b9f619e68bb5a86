import { availableParallelism, loadavg } from 'node:os';

/** What waits for a processor, on average over the last minute, and over five and fifteen. */
export function describeLoad(): string {
  const load = loadavg().map((average) => average.toFixed(2));
  return `load ${load.join(', ')} on ${availableParallelism()} cores`;
}
