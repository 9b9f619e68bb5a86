import type { Clock } from '@svc/runtime';

interface FairQueueOptions {
  readonly clock: Clock;
  /** How many calls run at once. */
  readonly atOnce: number;
  /** How many calls of one caller run at once. */
  readonly perCaller: number;
  /** Callers that share a resource form a group, whose calls have a limit together. */
  readonly group?: {
    readonly atOnce: number;
    readonly of: (caller: string) => string | undefined;
  };
}

export interface Turn {
  /** After this time in line, `expired` is thrown instead. Without it, the call waits as long as it takes. */
  readonly mostWaitMs?: number;
  /** Makes the error of a call that has waited too long. */
  readonly expired?: () => Error;
  /** Asked when the call is about to start. It throws if the caller no longer waits for the result. */
  readonly requireCaller?: () => void;
}

/** The caller and group whose limits a call counts against. */
interface Share {
  readonly caller: string;
  readonly group: string | undefined;
}

interface Waiting extends Share {
  readonly since: number;
  readonly start: () => void;
}

/**
 * Bounds how many calls run at once, in total and for each caller. Each caller has its own line, and
 * a free place goes to the next caller in turn. So however many calls one caller sends, a call of another
 * one waits only for as many places to become free as there are callers in line, or in line of its group.
 */
export class FairQueue {
  private readonly options: FairQueueOptions;
  private readonly runningOf = new Map<string, number>();
  private readonly runningIn = new Map<string, number>();
  /** The callers with a line, in the order in which they get their next turn. */
  private readonly lines = new Map<string, Set<Waiting>>();
  private running = 0;

  constructor(options: FairQueueOptions) {
    this.options = options;
  }

  /** Runs `work` as soon as there is a place for it; calls of one caller start in their order. */
  async run<T>(caller: string, work: () => Promise<T>, turn: Turn = {}): Promise<T> {
    const share = this.shareOf(caller);
    if (this.canStart(share)) this.take(share);
    else await this.wait(share, turn);
    try {
      turn.requireCaller?.();
      return await work();
    } finally {
      this.release(share);
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
    return this.canStart(this.shareOf(caller));
  }

  private shareOf(caller: string): Share {
    return { caller, group: this.options.group?.of(caller) };
  }

  private canStart(share: Share): boolean {
    return !this.lines.has(share.caller) && this.isBelowLimits(share);
  }

  private isBelowLimits({ caller, group }: Share): boolean {
    const { atOnce, perCaller, group: groups } = this.options;
    if (this.running >= atOnce || (this.runningOf.get(caller) ?? 0) >= perCaller) return false;
    return !groups || group === undefined || (this.runningIn.get(group) ?? 0) < groups.atOnce;
  }

  private take({ caller, group }: Share): void {
    this.running += 1;
    add(this.runningOf, caller, 1);
    if (group !== undefined) add(this.runningIn, group, 1);
  }

  private release({ caller, group }: Share): void {
    this.running -= 1;
    add(this.runningOf, caller, -1);
    if (group !== undefined) add(this.runningIn, group, -1);
    this.startNext();
  }

  private startNext(): void {
    for (const [caller, line] of this.lines) {
      if (this.running >= this.options.atOnce) return;
      const [first] = line;
      if (!first || !this.isBelowLimits(first)) continue;
      this.leave(first);
      // The caller's next turn comes after everybody else's.
      if (line.size > 0) {
        this.lines.delete(caller);
        this.lines.set(caller, line);
      }
      this.take(first);
      first.start();
    }
  }

  private leave(waiting: Waiting): void {
    const line = this.lines.get(waiting.caller);
    line?.delete(waiting);
    if (line?.size === 0) this.lines.delete(waiting.caller);
  }

  /** Resolves when the call has its place. */
  private wait(share: Share, { mostWaitMs, expired }: Turn): Promise<void> {
    const { clock } = this.options;
    const { caller } = share;
    return new Promise((resolve, reject) => {
      const cancel =
        mostWaitMs === undefined || expired === undefined
          ? () => {}
          : clock.after(mostWaitMs, () => {
              this.leave(waiting);
              reject(expired());
            });
      const waiting: Waiting = {
        ...share,
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

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
