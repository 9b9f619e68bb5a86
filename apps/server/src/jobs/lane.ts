import { type Clock, createLoop, type Log } from '@svc/runtime';

/**
 * One kind of background work. Each lane runs in separate loops, so a backlog or a hanging statement
 * in one lane does not delay another.
 */
export interface Lane {
  /** Names the lane in the log. */
  readonly name: string;
  /** Milliseconds from a batch that found nothing to the next one. */
  readonly everyMs: number;
  /** Milliseconds until the first batch. Default: at once. */
  readonly firstAfterMs?: number;
  /** Batches that run at the same time. Default: 1. */
  readonly workers?: number;
  /**
   * Does a bounded part of what is due, and returns how much; 0 ends the pass. When `stopping` is
   * aborted, a batch of several steps starts no further step.
   */
  batch(stopping: AbortSignal): Promise<number>;
}

/** Records batches, for metrics. */
export interface LaneRecorder {
  laneStarted(lane: string): void;
  /** `done` is what the batch returned: 0 when nothing was due. */
  batchEnded(lane: string, batch: { readonly done: number; readonly seconds: number }): void;
  batchFailed(lane: string): void;
}

interface RunDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly recorder?: LaneRecorder;
  /**
   * The share of `everyMs` between the first pass and the second. With a different one for each, lanes
   * that start together do not open a connection each, once a minute. Default: 1.
   */
  readonly phase?: number;
}

interface RunningLane {
  /** Begins a pass now, also after a failed batch. */
  wake(): void;
  /** Starts no further batch. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

// After a batch a lane rests for as long as the batch took, so that a burst takes at most half of what
// the lane could. Requests and webhooks have the rest, which grows when the database is slow.
const leastRestMs = 5;
const mostRestMs = 250;

/**
 * Runs batches until one finds nothing, and again after `everyMs`. A turn of the loop is one batch, so
 * the lane can stop after each. A failed batch is logged and tried again after `everyMs`.
 */
export function startLane(lane: Lane, deps: RunDeps): RunningLane {
  const { clock, log, recorder, phase = 1 } = deps;
  const { name, everyMs, firstAfterMs = 0, workers = 1 } = lane;
  const stopping = new AbortController();
  let done = 0;
  let batches = 0;
  let working = 0;
  let passes = 0;

  async function turn(): Promise<number> {
    working += 1;
    const beganMs = clock.now().getTime();
    try {
      const count = await lane.batch(stopping.signal);
      const tookMs = clock.now().getTime() - beganMs;
      recorder?.batchEnded(name, { done: count, seconds: tookMs / 1_000 });
      done += count;
      batches += 1;
      if (count > 0) return restAfter(tookMs);
    } catch (error) {
      recorder?.batchFailed(name);
      // Not thrown, because a loop that waits after a failure cannot be woken.
      log.error({ err: error }, `${name} failed; trying again`);
      return everyMs;
    } finally {
      working -= 1;
    }
    logPass();
    passes += 1;
    return passes <= workers ? everyMs * phase : everyMs;
  }

  /** One line for the pass of all workers. A worker whose batch still runs logs it later. */
  function logPass(): void {
    if (working > 0) return;
    if (done > 0) log.info({ lane: name, done, batches }, 'background work done');
    done = 0;
    batches = 0;
  }

  const loops = Array.from({ length: workers }, () =>
    createLoop({ clock, log, name, turn, retryMs: everyMs }),
  );
  recorder?.laneStarted(name);
  for (const loop of loops) loop.start(firstAfterMs);
  return {
    wake() {
      for (const loop of loops) loop.wake();
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function restAfter(tookMs: number): number {
  return Math.min(mostRestMs, Math.max(leastRestMs, tookMs));
}

const neverAborted = new AbortController().signal;

/** Runs batches until nothing is due. For tests and benches, which decide when time passes. */
export async function runLane({ batch, workers = 1 }: Lane): Promise<void> {
  const work = async () => {
    while ((await batch(neverAborted)) > 0);
  };
  // Wait for all workers even if one fails, so that none still runs when the caller continues.
  const ends = await Promise.allSettled(Array.from({ length: workers }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
