/** How many months of messages one partition holds. */
const monthsPerPartition = 1;
/** How many partitions exist ahead of the current one. */
export const partitionsAhead = 2;

/** The start, in UTC, of the period that holds `time`, or of the one that many periods later. */
export function periodStart(time: Date, later = 0): Date {
  const month = time.getUTCFullYear() * 12 + time.getUTCMonth();
  const first = (Math.floor(month / monthsPerPartition) + later) * monthsPerPartition;
  return new Date(Date.UTC(Math.floor(first / 12), first % 12, 1));
}
