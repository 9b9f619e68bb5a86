import { availableParallelism, loadavg } from 'node:os';

/** Describes the load averages of the last 1, 5 and 15 minutes, and the number of cores. */
export function describeLoad(): string {
  const load = loadavg().map((average) => average.toFixed(2));
  return `load ${load.join(', ')} on ${availableParallelism()} cores`;
}
