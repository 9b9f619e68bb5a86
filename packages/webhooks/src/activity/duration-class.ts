// Classes of durations grow by a quarter: whatever is read from them is right within an eighth.
const growth = Math.log(1.25);
const last = 60;

/** The class of a duration in milliseconds. */
export function durationClass(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(last, Math.ceil(Math.log(ms) / growth));
}

/** The middle of a class, in milliseconds. */
function middleOf(index: number): number {
  return index === 0 ? 1 : Math.round(Math.exp((index - 0.5) * growth));
}

export interface Counted {
  readonly duration: number;
  readonly count: number;
}

/** The duration that `share` of all stay within, in milliseconds; null of none. */
export function quantile(counts: readonly Counted[], share: number): number | null {
  const sorted = counts.toSorted((one, other) => one.duration - other.duration);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { duration, count } of sorted) {
    seen += count;
    if (count > 0 && seen >= share * total) return middleOf(duration);
  }
  return null;
}
