/** Milliseconds to wait before attempts 1 to 8, counted from the end of the failed attempt before. */
export const retrySchedule: readonly number[] = [
  0,
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  10 * 3_600_000,
];

/** When the next attempt is due after `attemptsMade` failed ones, or null after the last one. */
export function nextAttemptAt(
  attemptsMade: number,
  failedAt: Date,
  schedule = retrySchedule,
): Date | null {
  const wait = schedule[attemptsMade];
  return wait === undefined ? null : new Date(failedAt.getTime() + wait);
}
