import { createLoop } from '@svc/webhooks';
import type { Clock } from '../clock.ts';
import type { Log } from '../context.ts';

interface RepeatOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds from the end of one turn to the next. */
  readonly everyMs: number;
  /** Milliseconds until the first turn. Default: at once. */
  readonly firstAfterMs?: number;
  /** Names the job in the log when a turn fails. */
  readonly name: string;
  readonly turn: () => Promise<unknown>;
}

export interface Repeating {
  /** Resolves when the running turn has ended; none begins after that. */
  stop(): Promise<void>;
}

/** Runs a job's turn every `everyMs`. A failed turn is logged, and the next one comes at its usual time. */
export function repeat(options: RepeatOptions): Repeating {
  const { clock, log, everyMs, firstAfterMs = 0, name, turn } = options;
  const loop = createLoop({
    clock,
    log,
    name,
    retryMs: everyMs,
    async turn() {
      await turn();
      return everyMs;
    },
  });
  loop.start(firstAfterMs);
  return loop;
}
