import type { Clock } from '@svc/runtime';

export interface TestClock extends Clock {
  /** Moves the time forward by `ms` and runs once each timer that became due. */
  advance(ms: number): void;
}

// Short waits, such as the one that collects results for a commit, use real time.
const shortMs = 20;

export function createTestClock(start: string): TestClock {
  let time = new Date(start).getTime();
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => new Date(time),
    after(ms, run) {
      if (ms > 0 && ms <= shortMs) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      }
      const timer = { at: time + Math.max(0, ms), run };
      timers.push(timer);
      return () => {
        timers = timers.filter((entry) => entry !== timer);
      };
    },
    advance(ms) {
      time += ms;
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { run } of due) run();
    },
  };
}
