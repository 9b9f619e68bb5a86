import { type DatabaseObserver, isDiskFull, isOutage } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import { createFailureRun } from '../failure-run.ts';

export interface DatabaseWatch {
  /** The observer for `openDatabase`. */
  readonly observer: DatabaseObserver;
  /**
   * The log for background work. It drops the errors of an outage, because the outage itself is logged once at its
   * start and once at its end.
   */
  readonly log: Log;
  /**
   * Returns when a statement of this process last failed because the database had no space left; undefined if none
   * has.
   */
  lastDiskFull(): Date | undefined;
}

/** Observes the database calls of this process and logs each outage as two lines. */
export function watchDatabase({
  clock,
  log,
  metrics,
}: {
  readonly clock: Clock;
  readonly log: Log;
  /** Receives the times of connections and statements, too. */
  readonly metrics?: Partial<DatabaseObserver>;
}): DatabaseWatch {
  const outage = createFailureRun({
    clock,
    log,
    level: 'error',
    started: 'database unavailable',
    ended: 'database available again',
  });
  const lost = createFailureRun({
    clock,
    log,
    level: 'warn',
    started: 'database connection lost',
    ended: 'database connections are stable again',
  });
  let diskFullAt: Date | undefined;
  // Before the first success, a failure is not an outage: the process does not start, and its error message says
  // why.
  let hasConnected = false;

  function unlessCounted(level: 'warn' | 'error'): Log['warn'] {
    return (fields, message) => {
      if (!('err' in fields && isOutage(fields.err))) log[level](fields, message);
      // A failed call starts an outage, so only idle connections can be lost outside of one.
      else if (!outage.active) lost.failed(fields);
    };
  }

  return {
    observer: {
      ...metrics,
      succeeded() {
        hasConnected = true;
        outage.succeeded();
        lost.succeeded();
      },
      failed(error) {
        if (isDiskFull(error)) diskFullAt = clock.now();
        if (hasConnected && isOutage(error)) outage.failed({ err: error });
      },
    },
    log: {
      info: (fields, message) => log.info(fields, message),
      warn: unlessCounted('warn'),
      error: unlessCounted('error'),
    },
    lastDiskFull: () => diskFullAt,
  };
}
