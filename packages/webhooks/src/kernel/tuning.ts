import { retrySchedule } from './retry-schedule.ts';

export interface Tuning {
  /** HTTP attempts at once in this process. */
  readonly inFlight: number;
  /** HTTP attempts at once to one endpoint: a hanging one cannot take every slot. */
  readonly inFlightPerEndpoint: number;
  /** From the start of an attempt to its status line, DNS, connect and TLS included. */
  readonly deadlineMs: number;
  /** How much of a response is kept. */
  readonly responseBytes: number;
  /** A kept-alive socket is not used for a new attempt after this, so that addresses are checked again. */
  readonly socketAgeMs: number;
  /** Outlasts waiting for a slot plus the deadline; after it a delivery is claimed again. */
  readonly leaseMs: number;
  /** How long results gather between two commits, as long as they keep coming. */
  readonly gatherMs: number;
  /** Milliseconds before attempt 1, 2, …; at most eight of them. */
  readonly retrySchedule: readonly number[];
  /** Looks for due deliveries that nobody in this process knows of. */
  readonly pollMs: number;
  readonly heartbeatMs: number;
  /** A process silent for this long is dead and its deliveries are taken over. */
  readonly deadAfterMs: number;
  /** How long an endpoint's settings may be used without looking again. */
  readonly settingsAgeMs: number;
  /** An endpoint whose every attempt failed for this long is disabled. */
  readonly disableAfterMs: number;
  /** Between two looks for what deleted endpoints and old messages left behind. */
  readonly upkeepMs: number;
  /** Messages and attempts older than this are removed. */
  readonly retentionMs: number;
  /** Between two steps of a bulk replay. */
  readonly replayStepMs: number;
  /** Finished deliveries between two vacuums of the small table of open ones. */
  readonly vacuumAfter: number;
  /** On `stop`, attempts in flight may take this long. */
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
