import type { Clock } from '@svc/runtime';

interface FairQueueOptions {
  readonly clock: Clock;
  /** How many calls run at once. */
  readonly atOnce: number;
  /** How many calls of one caller run at once. */
  readonly perCaller: number;
}

export interface Turn {
  /** After this time in line, `expired` is thrown instead. Without it, the call waits as long as it takes. */
  readonly mostWaitMs?: number;
  /** Makes the error of a call that has waited too long. */
  readonly expired?: () => Error;
  /** Asked when the call is about to start. It throws if the caller no longer waits for the result. */
  readonly requireCaller?: () => void;
}

interface Waiting {
  readonly since: number;
  readonly start: () => void;
}

/**
 * Bounds how many calls run at once, in total and for each caller. Each caller has its own line, and
 * a free place goes to the next caller in turn. So however many calls one caller sends, a call of another
 * one waits only for as many places to become free as there are callers in line.
 */
export class FairQueue {
  private readonly options: FairQueueOptions;
  private readonly runningOf = new Map<string, number>();
  /** The callers with a line, in the order in which they get their next turn. */
  private readonly lines = new Map<string, Set<Waiting>>();
  private running = 0;

  constructor(options: FairQueueOptions) {
    this.options = options;
  }

  /** Runs `work` as soon as there is a place for it; calls of one caller start in their order. */
  async run<T>(caller: string, work: () => Promise<T>, turn: Turn = {}): Promise<T> {
    if (this.hasPlace(caller)) this.take(caller);
    else await this.wait(caller, turn);
    try {
      turn.requireCaller?.();
      return await work();
    } finally {
      this.release(caller);
    }
  }

  /** How long the first call in the caller's line has waited; null if none waits. */
  waitedMs(caller: string): number | null {
    const [first] = this.lines.get(caller) ?? [];
    return first ? this.options.clock.now().getTime() - first.since : null;
  }

  waitingOf(caller: string): number {
    return this.lines.get(caller)?.size ?? 0;
  }

  count(): { readonly running: number; readonly waiting: number } {
    let waiting = 0;
    for (const line of this.lines.values()) waiting += line.size;
    return { running: this.running, waiting };
  }

  isIdle(): boolean {
    return this.lines.size === 0;
  }

  /** Whether a call of this caller would start at once. */
  hasPlace(caller: string): boolean {
    return !this.lines.has(caller) && this.isBelowLimits(caller);
  }

  private isBelowLimits(caller: string): boolean {
    const { atOnce, perCaller } = this.options;
    return this.running < atOnce && (this.runningOf.get(caller) ?? 0) < perCaller;
  }

  private take(caller: string): void {
    this.running += 1;
    this.runningOf.set(caller, (this.runningOf.get(caller) ?? 0) + 1);
  }

  private release(caller: string): void {
    this.running -= 1;
    const left = (this.runningOf.get(caller) ?? 0) - 1;
    if (left > 0) this.runningOf.set(caller, left);
    else this.runningOf.delete(caller);
    this.startNext();
  }

  private startNext(): void {
    for (const [caller, line] of this.lines) {
      if (this.running >= this.options.atOnce) return;
      if (!this.isBelowLimits(caller)) continue;
      const [first] = line;
      if (!first) continue;
      this.leave(caller, first);
      // The caller's next turn comes after everybody else's.
      if (line.size > 0) {
        this.lines.delete(caller);
        this.lines.set(caller, line);
      }
      this.take(caller);
      first.start();
    }
  }

  private leave(caller: string, waiting: Waiting): void {
    const line = this.lines.get(caller);
    line?.delete(waiting);
    if (line?.size === 0) this.lines.delete(caller);
  }

  /** Resolves when the call has its place. */
  private wait(caller: string, { mostWaitMs, expired }: Turn): Promise<void> {
    const { clock } = this.options;
    return new Promise((resolve, reject) => {
      const cancel =
        mostWaitMs === undefined || expired === undefined
          ? () => {}
          : clock.after(mostWaitMs, () => {
              this.leave(caller, waiting);
              reject(expired());
            });
      const waiting: Waiting = {
        since: clock.now().getTime(),
        start() {
          cancel();
          resolve();
        },
      };
      const line = this.lines.get(caller) ?? new Set();
      line.add(waiting);
      this.lines.set(caller, line);
    });
  }
}
