/**
 * The service's source of time: the system clock corrected to the database's time, or the clock of a
 * test. Only `systemClock` reads the system clock and creates timers.
 */
export interface Clock {
  /** Wall time. */
  now(): Date;
  /** Calls `run` once after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
