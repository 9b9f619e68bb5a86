import { type Database, isOutage } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';
import { isHanging, reachableAmong } from '../../cluster.ts';
import { type LoggedRequest, storeRequests } from '../../domain/requests/request-log.ts';

export interface RequestLog {
  /** Takes a finished call. Never waits and never throws; a full buffer drops the call. */
  record(describe: () => LoggedRequest): void;
  /** Writes what was recorded so far. */
  write(): Promise<void>;
  /** Writes the rest. Further calls are dropped. */
  stop(): Promise<void>;
}

/** Counts rows, for metrics. */
export interface RequestLogObserver {
  written(rows: number): void;
  dropped(rows: number): void;
}

interface RequestLogDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLogObserver?: RequestLogObserver;
}

// At 1,000 calls a second, ten seconds of a slow database. A row has at most about 15 kB.
const mostBuffered = 10_000;
const batchSize = 500;
const writeEveryMs = 1_000;
const retryMs = 5_000;
const reportEveryMs = 60_000;

/**
 * Buffers calls of the partner API and writes them once a second, in one statement for 500 of them. A
 * request never waits for it: describing a call takes 8 to 50 µs of CPU, after its response (measured
 * without a body, and with 5 and 200 charges). When the database is too slow or unavailable, the buffer fills,
 * and further calls are counted instead of stored.
 */
export function createRequestLog(deps: RequestLogDeps): RequestLog {
  const { db, clock, log, requestLogObserver: observer } = deps;
  let buffered: LoggedRequest[] = [];
  let stopped = false;
  let dropped = 0;
  let reportAt = 0;
  /** One write at a time, so that `write` returns after the calls recorded before it. */
  let writing: Promise<unknown> = Promise.resolve();
  const loop = createLoop({
    clock,
    log,
    name: 'writing the request log',
    retryMs,
    async turn() {
      try {
        await write();
      } catch (error) {
        // Each database outage is logged once, by watch-database.ts.
        if (isOutage(error)) return retryMs;
        throw error;
      }
      return buffered.length > 0 ? writeEveryMs : null;
    },
  });
  loop.start(null);

  function drop(rows: number): void {
    dropped += rows;
    observer?.dropped(rows);
    const now = clock.now().getTime();
    if (now < reportAt) return;
    reportAt = now + reportEveryMs;
    log.warn({ dropped }, 'calls are missing in the request log');
    dropped = 0;
  }

  function write(): Promise<void> {
    const next = writing.then(writeAll);
    writing = next.catch(() => undefined);
    return next;
  }

  async function writeAll(): Promise<void> {
    for (;;) {
      // While a server of a cluster is down, calls of its partners stay in the buffer.
      const batch = reachableAmong(db, buffered).slice(0, batchSize);
      if (batch.length === 0) return;
      const taken = new Set(batch);
      buffered = buffered.filter((it) => !taken.has(it));
      try {
        await storeRequests(db, batch);
        observer?.written(batch.length);
      } catch (error) {
        if (!isOutage(error) && !isHanging(db, error)) {
          drop(batch.length);
          throw error;
        }
        const kept = batch.slice(0, mostBuffered - buffered.length);
        if (kept.length < batch.length) drop(batch.length - kept.length);
        buffered = [...kept, ...buffered];
        throw error;
      }
    }
  }

  return {
    record(describe) {
      if (stopped || buffered.length >= mostBuffered) {
        drop(1);
        return;
      }
      try {
        buffered.push(describe());
      } catch (error) {
        log.error({ err: error }, 'a call could not be described for the request log');
        drop(1);
        return;
      }
      loop.wake(buffered.length >= batchSize ? 0 : writeEveryMs);
    },
    write,
    async stop() {
      await loop.stop();
      await write().catch((error: unknown) => {
        if (!isOutage(error))
          log.error({ err: error }, 'the end of the request log was not written');
      });
      stopped = true;
    },
  };
}
