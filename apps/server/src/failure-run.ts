import type { Clock } from './clock.ts';
import type { Log } from './context.ts';

/**
 * Reports a run of like failures in two lines: the first failure when the run starts, and the count
 * and duration when it is over.
 */
export interface FailureRun {
  failed(fields: object): void;
  succeeded(): void;
  /** Between the line that started the run and the one that ended it. */
  readonly active: boolean;
}

interface Options {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly level: 'warn' | 'error';
  readonly started: string;
  readonly ended: string;
}

// Calls that fail and succeed in turn would otherwise log two lines each.
const quietMs = 5_000;

interface Run {
  readonly startedAt: number;
  failures: number;
  lastFailureAt: number;
  /** The first success since the last failure. */
  recoveredAt: number | undefined;
}

/** A run is over at the first success that comes 5 s or more after the last failure. */
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
