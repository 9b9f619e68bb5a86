import type { Clock } from '../src/clock.ts';

export interface TestClock extends Clock {
  /** Moves on by `ms`; timers run on the way, each at its own moment. */
  advance(ms: number): void;
}

export function createTestClock(start: string): TestClock {
  let time = new Date(start).getTime();
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => new Date(time),
    after(ms, run) {
      const timer = { at: time + Math.max(0, ms), run };
      timers.push(timer);
      return () => {
        timers = timers.filter((entry) => entry !== timer);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers = timers.filter((entry) => entry !== next);
        time = Math.max(time, next.at);
        next.run();
      }
      time = end;
    },
  };
}
