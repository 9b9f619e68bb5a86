/** The intervals, in milliseconds, at which pages refresh. Everything that updates live uses one of these. */
export const pollIntervals = {
  /** Something is in progress and the user is waiting for it. */
  inProgress: 1_000,
  /** Lists of messages, replays, and results. */
  live: 5_000,
  /** Charts, whose buckets change slowly. */
  charts: 10_000,
  /** Settings, sessions, and finished messages, which rarely change. */
  background: 15_000,
} as const;
