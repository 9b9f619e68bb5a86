import { ApiError } from '@svc/ui/console/api/client.ts';
import type { Certification, CertificationCase } from '../api/certifications.ts';

/** The dependencies of a run, which tests replace. */
export interface CaseCalls {
  runCase(name: string): Promise<CertificationCase>;
  readRun(): Promise<Pick<Certification, 'last_step_at'>>;
  /** Returns whether the run's endpoint is still enabled at its URL. */
  isEndpointReady(): Promise<boolean>;
  wait(ms: number): Promise<void>;
  /** Called before each case. */
  onCase(name: string): void;
  /** Called with each case's result. */
  onResult(result: CertificationCase): void;
  isStopped(): boolean;
}

/**
 * The reason why no more cases are run. `handshake`: it did not pass, so the service would skip the others.
 * `endpoint`: it was disabled, changed or deleted. `elsewhere`: another tab or the CLI is running the cases of
 * this run.
 */
export type Ending = 'done' | 'stopped' | 'handshake' | 'endpoint' | 'elsewhere';

/** The retry interval, in milliseconds, while another case of the run is running. */
const busyIntervalMs = 2_000;
/** After 90 seconds, the service frees a run whose process died. */
const longestBusyMs = 100_000;

/**
 * Runs cases one after another.
 * @throws ApiError if the service refuses a case, or cannot be reached
 */
export async function runCases(names: readonly string[], calls: CaseCalls): Promise<Ending> {
  for (const name of names) {
    if (calls.isStopped()) return 'stopped';
    calls.onCase(name);
    const result = await runWhenFree(name, calls);
    if (result === 'stopped' || result === 'elsewhere') return result;
    calls.onResult(result);
    if (result.status === 'skipped' && !(await calls.isEndpointReady())) return 'endpoint';
    if (name === 'handshake' && result.status !== 'pass') return 'handshake';
  }
  return 'done';
}

/**
 * Runs one case. If another one is running, it may be the last one of a page that was closed or has lost its
 * connection, so this waits for it. If more cases begin in this time, someone else is running them.
 */
async function runWhenFree(
  name: string,
  calls: CaseCalls,
): Promise<CertificationCase | 'stopped' | 'elsewhere'> {
  let lastStepAt: string | undefined;
  for (let waitedMs = 0; ; waitedMs += busyIntervalMs) {
    try {
      return await calls.runCase(name);
    } catch (error) {
      if (!isBusy(error) || waitedMs >= longestBusyMs) throw error;
    }
    const run = await calls.readRun();
    if (lastStepAt !== undefined && run.last_step_at !== lastStepAt) return 'elsewhere';
    lastStepAt = run.last_step_at;
    await calls.wait(busyIntervalMs);
    if (calls.isStopped()) return 'stopped';
  }
}

/**
 * Returns whether another case is running. `idempotency_key_in_progress` refers to an earlier call of this page
 * whose response was lost.
 */
function isBusy(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'certification_running' || error.code === 'idempotency_key_in_progress')
  );
}
