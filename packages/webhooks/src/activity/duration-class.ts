// Each class ends a quarter later than the one before, so a quantile is off by a quarter at most,
// and by an eighth when the durations spread evenly.
const growth = Math.log(1.25);
const last = 60;

/** The class of a duration in milliseconds. */
export function durationClass(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(last, Math.ceil(Math.log(ms) / growth));
}

export interface Counted {
  readonly duration: number;
  readonly count: number;
}

/**
 * The time in milliseconds within which `share` of all attempts ended, or null of none. Within a
 * class the durations are taken to spread evenly. No attempt takes longer than `deadlineMs`, though
 * the class of the deadline ends after it.
 */
export function quantile(
  counts: readonly Counted[],
  share: number,
  deadlineMs: number,
): number | null {
  const sorted = counts.toSorted((one, other) => one.duration - other.duration);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  for (const { duration, count } of sorted) {
    if (count > 0 && before + count >= share * total) {
      const start = Math.min(startOf(duration), deadlineMs);
      const end = Math.min(endOf(duration), deadlineMs);
      const within = Math.max(0, (share * total - before) / count);
      return Math.round(start + (end - start) * within);
    }
    before += count;
  }
  return null;
}

function startOf(index: number): number {
  return index === 0 ? 0 : endOf(index - 1);
}

function endOf(index: number): number {
  return Math.exp(index * growth);
}
