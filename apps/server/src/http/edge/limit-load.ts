import type { Clock } from '../../clock.ts';
import type { Log } from '../../context.ts';
import { createFailureRun } from '../../failure-run.ts';
import { RefusalWithHeaders } from '../problem.ts';

/** The service has more requests than it can answer in time. The caller repeats the request later. */
export class Overloaded extends RefusalWithHeaders {
  constructor() {
    super('unavailable', { 'retry-after': '1' });
  }
}

/** Records refused requests, for metrics. */
export interface LoadRecorder {
  requestShed(): void;
}

interface LoadDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly recorder?: LoadRecorder;
}

export interface LoadLimit {
  /**
   * Call when a request arrives, before any work is done for it.
   * @throws Overloaded when it would wait too long
   */
  check(): void;
  /**
   * Runs `work` as soon as fewer than the limit are running, in the order of the calls.
   * @throws Overloaded when it has waited for too long
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many requests were refused since the start. */
  shed(): number;
}

// Four for each connection to the database: enough that none is idle, and few enough that a request
// that has begun is soon done. Throughput is the same from 20 on.
const atOnce = 40;
// Requests come in bursts, which the queue absorbs. If its head has waited for this long, requests
// arrive faster than they are answered, and a new one would only make the queue longer.
const shedAfterMs = 500;
// When the database hangs, the queue does not move at all.
const mostWaitMs = 1_000;

interface Waiting {
  readonly since: number;
  readonly start: () => void;
}

/** Bounds how many requests are worked on at once, and how long the others wait. */
export function createLoadLimit({ clock, log, recorder }: LoadDeps): LoadLimit {
  const sheds = createFailureRun({
    clock,
    log,
    level: 'warn',
    started: 'overloaded, request refused',
    ended: 'requests are no longer refused',
  });
  const queue = new Set<Waiting>();
  let running = 0;
  let shed = 0;

  function refuse(): never {
    shed += 1;
    recorder?.requestShed();
    sheds.failed({ running, waiting: queue.size });
    throw new Overloaded();
  }

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(mostWaitMs, () => {
        queue.delete(waiting);
        try {
          refuse();
        } catch (error) {
          reject(error);
        }
      });
      const waiting = {
        since: clock.now().getTime(),
        start() {
          cancel();
          queue.delete(waiting);
          resolve();
        },
      };
      queue.add(waiting);
    });
  }

  return {
    check() {
      const [head] = queue;
      if (head && clock.now().getTime() - head.since >= shedAfterMs) refuse();
      if (!head) sheds.succeeded();
    },
    async run(work) {
      // The one that starts the next gives its place to it, so `running` stays the same.
      if (running >= atOnce) await wait();
      else running += 1;
      try {
        return await work();
      } finally {
        const [next] = queue;
        if (next) next.start();
        else running -= 1;
      }
    },
    shed: () => shed,
  };
}
