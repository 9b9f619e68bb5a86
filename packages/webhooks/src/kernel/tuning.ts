import { retrySchedule } from './retry-schedule.ts';

export interface Tuning {
  /** The most HTTP attempts in flight in this process. */
  readonly inFlight: number;
  /** The most HTTP attempts in flight to one endpoint, so that a hanging one cannot take every slot. */
  readonly inFlightPerEndpoint: number;
  /** The time from the start of an attempt to its status line, including DNS, connect and TLS. */
  readonly deadlineMs: number;
  /** The most bytes of a response body that are stored. */
  readonly responseBytes: number;
  /** The greatest age of a socket for a new attempt, so that addresses are checked again. */
  readonly socketAgeMs: number;
  /** How long a claim lasts: longer than waiting for a slot plus the deadline. */
  readonly leaseMs: number;
  /** How long results are collected after a commit before the next one. */
  readonly gatherMs: number;
  /** Milliseconds before attempt 1, 2, …; at most eight of them. */
  readonly retrySchedule: readonly number[];
  /** The time between two polls for due deliveries, for those that another process made due. */
  readonly pollMs: number;
  /** The time between two heartbeats of this process. */
  readonly heartbeatMs: number;
  /** A process without a heartbeat for this long is declared dead, and its leases expire. */
  readonly deadAfterMs: number;
  /** How long an endpoint's settings are cached. */
  readonly settingsAgeMs: number;
  /** An endpoint whose every attempt failed for this long is disabled. */
  readonly disableAfterMs: number;
  /** The time between two rounds of upkeep. */
  readonly upkeepMs: number;
  /** Messages and attempts are kept at least this long, until all of their month can be dropped. */
  readonly retentionMs: number;
  /** The time between two steps of a replay. */
  readonly replayStepMs: number;
  /** The number of finished deliveries between two vacuums of the table of open ones. */
  readonly vacuumAfter: number;
  /** How long `stop` waits for attempts in flight. */
  readonly stopMs: number;
}

export const defaultTuning: Tuning = {
  inFlight: 256,
  inFlightPerEndpoint: 32,
  deadlineMs: 15_000,
  responseBytes: 16_384,
  socketAgeMs: 60_000,
  leaseMs: 60_000,
  gatherMs: 10,
  retrySchedule,
  pollMs: 1_000,
  heartbeatMs: 1_000,
  deadAfterMs: 4_000,
  settingsAgeMs: 1_000,
  disableAfterMs: 5 * 86_400_000,
  upkeepMs: 5_000,
  retentionMs: 90 * 86_400_000,
  replayStepMs: 100,
  vacuumAfter: 20_000,
  stopMs: 16_000,
};
