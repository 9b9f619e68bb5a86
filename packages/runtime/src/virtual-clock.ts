import type { Clock } from './clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that moves only by `advance`. Timers run in order, each at its due time. */
export class VirtualClock implements Clock {
  private time: number;
  private timers: Timer[] = [];

  constructor(start: string | number) {
    this.time = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.time);
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + Math.max(0, ms), run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((entry) => entry !== timer);
    };
  }

  /** Moves the time by `ms`. After each timer it awaits `settle`, such as an engine's `idle`. */
  async advance(ms: number, settle: () => Promise<void> = async () => {}): Promise<void> {
    const end = this.time + ms;
    for (let next = this.next(end); next; next = this.next(end)) {
      this.timers = this.timers.filter((entry) => entry !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
      await settle();
    }
    this.time = end;
  }

  private next(end: number): Timer | undefined {
    const due = this.timers.filter(({ at }) => at <= end);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}
