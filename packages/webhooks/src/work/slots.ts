import type { Claimed } from '../claim.ts';
import type { Clock } from '../deps.ts';

export interface SlotOptions {
  readonly inFlight: number;
  readonly perEndpoint: number;
  readonly clock: Clock;
  /** Makes the attempt; never rejects. */
  readonly start: (item: Claimed) => Promise<void>;
  /** After each attempt, once its slot is free again. */
  readonly freed: (endpointId: string) => void;
}

interface Lane {
  readonly id: string;
  readonly waiting: Claimed[];
  active: number;
  /** Throttle: no start before this time (ms). */
  notBefore: number;
  /** In `turns`, or waiting for its throttle to get there. */
  queued: boolean;
}

/**
 * Who sends next. Endpoints take turns, each within its own number of slots and its throttle, so a
 * hanging one fills its own slots and no more.
 */
export class Slots {
  private readonly options: SlotOptions;
  private readonly lanes = new Map<string, Lane>();
  private readonly turns: Lane[] = [];
  private active = 0;
  private waiting = 0;

  constructor(options: SlotOptions) {
    this.options = options;
  }

  offer(items: readonly Claimed[]): void {
    for (const item of items) {
      const lane = this.laneOf(item.endpointId);
      lane.waiting.push(item);
      this.waiting += 1;
      this.queue(lane);
    }
    this.run();
  }

  /** Waiting and in flight. */
  size(): number {
    return this.active + this.waiting;
  }

  inFlight(): number {
    return this.active;
  }

  /** Waiting and in flight, by endpoint. */
  held(): Map<string, number> {
    return new Map([...this.lanes.values()].map((lane) => [lane.id, sizeOf(lane)]));
  }

  heldBy(endpointId: string): number {
    return sizeOf(this.lanes.get(endpointId));
  }

  /** Takes out what has not been started. */
  drain(): Claimed[] {
    const all = [...this.lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    this.waiting = 0;
    return all;
  }

  private queue(lane: Lane): void {
    const { clock, perEndpoint } = this.options;
    if (lane.queued || lane.waiting.length === 0 || lane.active >= perEndpoint) return;
    lane.queued = true;
    const early = lane.notBefore - clock.now().getTime();
    if (early <= 0) this.turns.push(lane);
    else {
      clock.after(early, () => {
        this.turns.push(lane);
        this.run();
      });
    }
  }

  private run(): void {
    while (this.active < this.options.inFlight) {
      const lane = this.turns.shift();
      if (!lane) return;
      lane.queued = false;
      const item = lane.waiting.shift();
      if (item) this.begin(lane, item);
      this.queue(lane);
    }
  }

  private begin(lane: Lane, item: Claimed): void {
    this.waiting -= 1;
    this.active += 1;
    lane.active += 1;
    if (item.throttlePerSecond !== null) {
      const from = Math.max(lane.notBefore, this.options.clock.now().getTime());
      lane.notBefore = from + 1000 / item.throttlePerSecond;
    }
    void this.options.start(item).then(() => this.end(lane));
  }

  private end(lane: Lane): void {
    this.active -= 1;
    lane.active -= 1;
    this.queue(lane);
    const throttled = lane.notBefore > this.options.clock.now().getTime();
    if (sizeOf(lane) === 0 && !throttled) this.lanes.delete(lane.id);
    this.run();
    this.options.freed(lane.id);
  }

  private laneOf(id: string): Lane {
    const known = this.lanes.get(id);
    if (known) return known;
    const lane: Lane = { id, waiting: [], active: 0, notBefore: 0, queued: false };
    this.lanes.set(id, lane);
    return lane;
  }
}

function sizeOf(lane: Lane | undefined): number {
  return lane ? lane.active + lane.waiting.length : 0;
}
