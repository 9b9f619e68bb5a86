import type { Clock } from '../src/clock.ts';

export interface TestClock extends Clock {
  /** Jumps ahead by `ms`, as after a sleep: each timer that fell due meanwhile runs once. */
  advance(ms: number): void;
}

// Waits such as that for more results between two commits pass by themselves.
const momentMs = 20;

export function createTestClock(start: string): TestClock {
  let time = new Date(start).getTime();
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => new Date(time),
    after(ms, run) {
      if (ms > 0 && ms <= momentMs) {
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
