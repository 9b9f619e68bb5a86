import type { Claimed } from '../kernel/claimed.ts';
import type { Clock } from '../kernel/engine-deps.ts';

export interface SlotOptions {
  readonly inFlight: number;
  readonly perEndpoint: number;
  readonly clock: Clock;
  /** Makes the attempt, and says once whether the endpoint let it run into the deadline. */
  readonly start: (item: Claimed, ended: (how: 'hung' | 'done') => void) => void;
  /** Attempts that the endpoint takes in a second; null for no limit. */
  readonly throttle: (endpointId: string) => number | null;
  /** After each attempt, once its slot is free again. */
  readonly freed: (endpointId: string) => void;
}

interface Lane {
  readonly id: string;
  readonly waiting: Claimed[];
  active: number;
  /** Attempts in a row that ran into the deadline. */
  hung: number;
  /** Attempts that ended in the present and the previous second. */
  ended: number;
  endedBefore: number;
  second: number;
  /** Throttle: no start before this time (ms). */
  notBefore: number;
  /** In `turns`, or waiting for its throttle to get there. */
  queued: boolean;
}

// A lane may hold at most this many beyond its slots, however fast it is.
const mostAhead = 1_000;
// Attempts that hung in a row before an endpoint is left only a few slots, and how few: others shall
// not run out of slots because of it.
const hungMany = 8;
const hungShare = 8;
const mostIdle = 1_000;

/**
 * Who sends next. Endpoints take turns, each within its own number of slots and its throttle, so a
 * hanging one fills its own slots and no more, and after a while not even those.
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

  /**
   * How many more each busy endpoint should hold: what it can take in about two seconds at its
   * present pace, so that a fast one never waits for the database and a slow one hoards nothing.
   */
  rooms(): Map<string, number> {
    return new Map([...this.lanes.values()].map((lane) => [lane.id, this.roomOf(lane)]));
  }

  hasRoom(endpointId: string): boolean {
    const lane = this.lanes.get(endpointId);
    return !lane || this.roomOf(lane) > sizeOf(lane) / 2;
  }

  /** Takes out what has not been started. */
  drain(): Claimed[] {
    const all = [...this.lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    this.waiting = 0;
    return all;
  }

  private queue(lane: Lane): void {
    const { clock } = this.options;
    if (lane.queued || lane.waiting.length === 0 || lane.active >= this.slotsOf(lane)) return;
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
    const perSecond = this.options.throttle(lane.id);
    if (perSecond !== null) {
      const from = Math.max(lane.notBefore, this.options.clock.now().getTime());
      lane.notBefore = from + 1000 / perSecond;
    }
    this.options.start(item, (how) => this.end(lane, how));
  }

  private end(lane: Lane, how: 'hung' | 'done'): void {
    this.active -= 1;
    lane.active -= 1;
    lane.hung = how === 'hung' ? lane.hung + 1 : 0;
    this.turnSecond(lane);
    lane.ended += 1;
    this.queue(lane);
    if (sizeOf(lane) === 0) this.forgetIdle();
    this.run();
    this.options.freed(lane.id);
  }

  private slotsOf(lane: Lane): number {
    const { perEndpoint } = this.options;
    return lane.hung < hungMany ? perEndpoint : Math.max(1, Math.floor(perEndpoint / hungShare));
  }

  private roomOf(lane: Lane): number {
    this.turnSecond(lane);
    const pace = Math.min(mostAhead, lane.ended + lane.endedBefore);
    return Math.max(0, this.slotsOf(lane) + pace - sizeOf(lane));
  }

  private turnSecond(lane: Lane): void {
    const second = Math.floor(this.options.clock.now().getTime() / 1000);
    if (second === lane.second) return;
    lane.endedBefore = second === lane.second + 1 ? lane.ended : 0;
    lane.ended = 0;
    lane.second = second;
  }

  /** What an idle endpoint was like is remembered, but not of more endpoints than could be busy. */
  private forgetIdle(): void {
    if (this.lanes.size <= mostIdle) return;
    for (const lane of this.lanes.values()) {
      if (sizeOf(lane) === 0 && !lane.queued) this.lanes.delete(lane.id);
    }
  }

  private laneOf(id: string): Lane {
    const known = this.lanes.get(id);
    if (known) return known;
    const pace = { hung: 0, ended: 0, endedBefore: 0, second: 0 };
    const lane: Lane = { id, waiting: [], active: 0, notBefore: 0, queued: false, ...pace };
    this.lanes.set(id, lane);
    return lane;
  }
}

function sizeOf(lane: Lane): number {
  return lane.active + lane.waiting.length;
}
