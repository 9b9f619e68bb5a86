import type { Clock } from '../clock.ts';
import type { Log } from '../context.ts';

interface Repeated {
  readonly clock: Clock;
  readonly log: Log;
  /** From the end of one turn to the next. */
  readonly everyMs: number;
  readonly name: string;
  turn(): Promise<unknown>;
}

export interface Repeating {
  /** Waits for the turn that runs. */
  stop(): Promise<void>;
}

/** Runs at once and then again and again; a turn that fails is logged, and the next one comes. */
export function repeat({ clock, log, everyMs, name, turn }: Repeated): Repeating {
  let running: Promise<void> = Promise.resolve();
  let cancel = () => {};
  let stopped = false;
  const next = () => {
    running = turn()
      .catch((error: unknown) => log.error({ err: error }, `${name} failed; runs again`))
      .then(() => {
        if (!stopped) cancel = clock.after(everyMs, next);
      });
  };
  next();
  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}
