import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export interface LoopOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Names the loop in the log: "`name` failed; trying again". */
  readonly name: string;
  /** Does one turn's work. Resolves to the milliseconds until the next turn, or null to sleep until `wake`. */
  readonly turn: () => Promise<number | null>;
  /** Milliseconds to wait after a turn that failed. `wake` does not shorten this wait. */
  readonly retryMs: number;
  /** Called whenever the loop stops being busy. */
  readonly onIdle?: () => void;
}

/**
 * Runs one piece of work again and again, never twice at the same time. A failed turn is logged and
 * tried again. All background work of the engine and of the service's jobs runs in such a loop, so
 * that starting, waking and stopping are written and tested once.
 */
export interface Loop {
  /** Allows turns. The first one begins after `delayMs`, or with null only when woken. Default: at once. */
  start(delayMs?: number | null): void;
  /**
   * Makes sure that a turn begins within `delayMs`, by default at once. If a turn is running, another
   * one follows it, because the running one may have looked before the caller's change. Any number
   * of calls during one turn cause a single further turn. Ignored before `start` and after `stop`.
   */
  wake(delayMs?: number): void;
  /** True while a turn is running, and while a failed turn waits to be tried again. */
  busy(): boolean;
  /** Starts no further turn, cancels every wait, and resolves when the running turn has ended. */
  stop(): Promise<void>;
}

// setTimeout fires at once for delays above 2^31 - 1 ms. A turn that comes early does no harm.
const longestTimerMs = 2 ** 31 - 1;

export function createLoop(options: LoopOptions): Loop {
  const { clock, log, name, turn, retryMs, onIdle = () => {} } = options;
  let active = false;
  /** Set before the turn is called, so that a wake() from inside of it does not start another one. */
  let running = false;
  let ended: Promise<void> = Promise.resolve();
  let retrying = false;
  /** When the next turn begins while none is running; infinite while asleep. */
  let nextAt = Number.POSITIVE_INFINITY;
  /** The earliest time at which a caller of `wake` wants the turn after the running one. */
  let wokenFor = Number.POSITIVE_INFINITY;
  let cancelTimer = () => {};

  function now(): number {
    return clock.now().getTime();
  }

  function begin(): void {
    cancelTimer();
    retrying = false;
    running = true;
    ended = runTurns();
  }

  /** Runs a turn, and another one whenever `wake()` was called during the last. Then sleeps. */
  async function runTurns(): Promise<void> {
    do {
      wokenFor = Number.POSITIVE_INFINITY;
      try {
        const waitMs = await turn();
        nextAt = waitMs === null ? Number.POSITIVE_INFINITY : now() + waitMs;
      } catch (error) {
        log.error({ err: error }, `${name} failed; trying again`);
        // stop() may have been called while the turn was running: then nothing is tried again.
        retrying = active;
        nextAt = now() + retryMs;
      }
    } while (active && !retrying && wokenFor <= now());
    // No await from here on: a wake() between the last look at `wokenFor` and the end of `running`
    // would be lost.
    running = false;
    if (active) sleepUntil(retrying ? nextAt : Math.min(nextAt, wokenFor));
    if (!retrying) onIdle();
  }

  function sleepUntil(time: number): void {
    cancelTimer();
    nextAt = time;
    if (time === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.min(Math.max(0, time - now()), longestTimerMs);
    cancelTimer = clock.after(delayMs, begin);
  }

  return {
    start(delayMs = 0) {
      active = true;
      if (running) wokenFor = now() + (delayMs ?? Number.POSITIVE_INFINITY);
      else if (delayMs === 0) begin();
      else if (delayMs !== null) sleepUntil(now() + delayMs);
    },
    wake(delayMs = 0) {
      if (!active) return;
      const time = now() + delayMs;
      if (running) wokenFor = Math.min(wokenFor, time);
      else if (retrying || time >= nextAt) return;
      else if (delayMs <= 0) begin();
      else sleepUntil(time);
    },
    busy: () => running || retrying,
    async stop() {
      active = false;
      cancelTimer();
      nextAt = Number.POSITIVE_INFINITY;
      if (retrying) {
        retrying = false;
        onIdle();
      }
      await ended;
    },
  };
}
