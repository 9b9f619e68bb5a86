// Each class's upper bound is 25 % above the one before. So a quantile is off by a quarter at most, and
// by an eighth if the durations in a class are spread evenly.
const growth = Math.log(1.25);
const lastClass = 60;

/** The class of a duration in milliseconds. */
export function durationClass(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(lastClass, Math.ceil(Math.log(ms) / growth));
}

export interface Counted {
  readonly duration: number;
  readonly count: number;
}

/**
 * The time in milliseconds within which `share` of all attempts ended; null if there are none. Assumes
 * that the durations in a class are spread evenly, and that none is longer than `deadlineMs`, although
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
