import type { Clock, Log } from '@svc/runtime';

/** Logs a run of equal failures as two lines: the first failure, and at the end the count and duration. */
interface FailureRun {
  failed(fields: object): void;
  succeeded(): void;
  /** True from the first failure until the end of the run is logged. */
  readonly active: boolean;
}

interface Options {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly level: 'warn' | 'error';
  readonly started: string;
  readonly ended: string;
}

// Without this delay, calls that alternately fail and succeed would log two lines each.
const quietMs = 5_000;

interface Run {
  readonly startedAt: number;
  failures: number;
  lastFailureAt: number;
  /** The first success since the last failure. */
  recoveredAt: number | undefined;
}

/** A run ends with the first success that comes at least 5 s after the last failure. */
export function createFailureRun({ clock, log, level, started, ended }: Options): FailureRun {
  let run: Run | undefined;
  return {
    get active() {
      return run !== undefined;
    },
    failed(fields) {
      const now = clock.now().getTime();
      if (!run) {
        log[level](fields, `${started}; further failures are counted`);
        run = { startedAt: now, failures: 0, lastFailureAt: now, recoveredAt: undefined };
      }
      run.failures += 1;
      run.lastFailureAt = now;
      run.recoveredAt = undefined;
    },
    succeeded() {
      if (!run) return;
      const now = clock.now().getTime();
      run.recoveredAt ??= now;
      if (now - run.lastFailureAt < quietMs) return;
      const { startedAt, failures, recoveredAt } = run;
      run = undefined;
      log.info({ failures, duration_ms: recoveredAt - startedAt }, ended);
    },
  };
}
