import type { Clock } from '@svc/runtime';

interface FairQueueOptions {
  readonly clock: Clock;
  /** The most calls that run at once. */
  readonly atOnce: number;
  /** The most calls of one caller that run at once. */
  readonly perCaller: number;
  /** Callers that share a resource form a group, whose calls share a limit. */
  readonly group?: {
    readonly atOnce: number;
    readonly of: (caller: string) => string | undefined;
  };
}

export interface Turn {
  /** Milliseconds in line after which `expired` is thrown instead. Without it, the call waits without a limit. */
  readonly mostWaitMs?: number;
  /** Creates the error of a call that has waited too long. */
  readonly expired?: () => Error;
  /** Called when the call is about to start. Throws if the caller no longer waits for the result. */
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
  private readonly runningByCaller = new Map<string, number>();
  private readonly runningByGroup = new Map<string, number>();
  /** The callers with a line, in the order in which they get their next turn. */
  private readonly lines = new Map<string, Set<Waiting>>();
  private running = 0;

  constructor(options: FairQueueOptions) {
    this.options = options;
  }

  /** Runs `work` as soon as there is a place for it; calls of one caller start in their order. */
  async run<T>(caller: string, work: () => Promise<T>, turn: Turn = {}): Promise<T> {
    const share = this.shareOf(caller);
    if (this.canStart(share)) this.acquire(share);
    else await this.wait(share, turn);
    try {
      turn.requireCaller?.();
      return await work();
    } finally {
      this.release(share);
    }
  }

  /** Returns how long the first call in the caller's line has waited, in milliseconds. Null if none waits. */
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

  /** Returns whether a call of this caller would start at once. */
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
    if (this.running >= atOnce || (this.runningByCaller.get(caller) ?? 0) >= perCaller)
      return false;
    return !groups || group === undefined || (this.runningByGroup.get(group) ?? 0) < groups.atOnce;
  }

  private acquire({ caller, group }: Share): void {
    this.running += 1;
    add(this.runningByCaller, caller, 1);
    if (group !== undefined) add(this.runningByGroup, group, 1);
  }

  private release({ caller, group }: Share): void {
    this.running -= 1;
    add(this.runningByCaller, caller, -1);
    if (group !== undefined) add(this.runningByGroup, group, -1);
    this.startNext();
  }

  private startNext(): void {
    for (const [caller, line] of this.lines) {
      if (this.running >= this.options.atOnce) return;
      const [first] = line;
      if (!first || !this.isBelowLimits(first)) continue;
      this.removeFromLine(first);
      // The caller's next turn comes after everybody else's.
      if (line.size > 0) {
        this.lines.delete(caller);
        this.lines.set(caller, line);
      }
      this.acquire(first);
      first.start();
    }
  }

  private removeFromLine(waiting: Waiting): void {
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
              this.removeFromLine(waiting);
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
