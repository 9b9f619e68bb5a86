import type { Clock } from '@svc/runtime';
import type { Claimed, EndpointRef } from '../kernel/claimed.ts';

interface SlotsOptions {
  /** Attempts at once, in total and to one endpoint. */
  readonly inFlight: number;
  readonly perEndpoint: number;
  readonly clock: Clock;
  readonly attempts: AttemptMaker;
  /** Called after each attempt, when its slot is free again. */
  readonly onFreed: (endpointId: string) => void;
}

interface AttemptMaker {
  /** Makes the attempt and calls `ended` once: `hung` if it ran into the deadline. */
  make(claimed: Claimed, ended: (how: 'hung' | 'done') => void): void;
  /** The most attempts per second that the endpoint wants; null for no limit. */
  throttle(endpoint: EndpointRef): number | null;
}

/** The deliveries of one endpoint in this process. */
interface Lane {
  readonly id: string;
  readonly waiting: Claimed[];
  /** Attempts in flight. */
  active: number;
  /** Attempts in a row that ran into the deadline. */
  hung: number;
  /** Attempts that ended in `second`, and in the second before it. */
  ended: number;
  endedBefore: number;
  /** Wall time in whole seconds of the last look at the pace. */
  second: number;
  /** Throttle: the next attempt must not start before this time (ms). */
  notBefore: number;
  /** The lane is in `turns`, or a timer will put it there when its throttle allows. */
  queued: boolean;
}

// A lane may buffer at most this many deliveries beyond its slots, however fast the endpoint is.
const mostBuffered = 1_000;
// After this many hung attempts in a row, an endpoint keeps an eighth of its slots, so that other
// endpoints do not run out of slots because of it. One answer gives it all of them back.
const hungLimit = 8;
const hungShare = 8;
// Lanes without deliveries that are remembered, with their pace and hung attempts.
const mostIdleLanes = 1_000;

/**
 * Decides which delivery is sent next. Endpoints take turns, each within its own number of slots and
 * its throttle. A hanging endpoint therefore fills its own slots and no more, and after eight
 * timeouts in a row only an eighth of them.
 *
 * Nothing here is asynchronous: each method leaves the counts consistent before anything else runs.
 */
export class Slots {
  private readonly options: SlotsOptions;
  private readonly lanes = new Map<string, Lane>();
  /** Lanes that may start an attempt, in the order in which they do. */
  private readonly turns: Lane[] = [];
  /** Sums over all lanes. */
  private active = 0;
  private waiting = 0;

  constructor(options: SlotsOptions) {
    this.options = options;
  }

  /** Takes claimed deliveries, and starts as many as there are slots for. */
  offer(items: readonly Claimed[]): void {
    for (const item of items) {
      const lane = this.laneOf(item.endpointId);
      lane.waiting.push(item);
      this.waiting += 1;
      this.queue(lane);
    }
    this.startTurns();
  }

  /** Deliveries waiting and in flight. */
  size(): number {
    return this.active + this.waiting;
  }

  inFlight(): number {
    return this.active;
  }

  /**
   * How many more deliveries each known endpoint should get: what it can take in about two seconds at
   * its present pace, so that a fast one never waits for the database and a slow one does not fill
   * the memory.
   */
  capacities(): Map<string, number> {
    return new Map([...this.lanes.values()].map((lane) => [lane.id, this.capacityOf(lane)]));
  }

  /** True when the free capacity is worth a claim: more than half of what the endpoint has. */
  hasCapacity(endpointId: string): boolean {
    const lane = this.lanes.get(endpointId);
    return !lane || this.capacityOf(lane) > sizeOf(lane) / 2;
  }

  /** Removes and returns the deliveries that have not been started. */
  drain(): Claimed[] {
    const all = [...this.lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    this.waiting = 0;
    return all;
  }

  /** Puts the lane in line if it has a delivery and a free slot, once its throttle allows. */
  private queue(lane: Lane): void {
    const { clock } = this.options;
    if (lane.queued || lane.waiting.length === 0 || lane.active >= this.slotsOf(lane)) return;
    lane.queued = true;
    const early = lane.notBefore - clock.now().getTime();
    if (early <= 0) this.turns.push(lane);
    else {
      clock.after(early, () => {
        this.turns.push(lane);
        this.startTurns();
      });
    }
  }

  /** Starts one delivery of each lane in turn, as long as there are slots. */
  private startTurns(): void {
    while (this.active < this.options.inFlight) {
      const lane = this.turns.shift();
      if (!lane) return;
      lane.queued = false;
      const item = lane.waiting.shift();
      // The lane may have been drained while it was in line.
      if (item) this.begin(lane, item);
      // At the end of the line, if it has more.
      this.queue(lane);
    }
  }

  private begin(lane: Lane, item: Claimed): void {
    this.waiting -= 1;
    this.active += 1;
    lane.active += 1;
    const perSecond = this.options.attempts.throttle(item);
    if (perSecond !== null) {
      const from = Math.max(lane.notBefore, this.options.clock.now().getTime());
      lane.notBefore = from + 1000 / perSecond;
    }
    this.options.attempts.make(item, (how) => this.end(lane, how));
  }

  private end(lane: Lane, how: 'hung' | 'done'): void {
    this.active -= 1;
    lane.active -= 1;
    lane.hung = how === 'hung' ? lane.hung + 1 : 0;
    this.updatePace(lane);
    lane.ended += 1;
    this.queue(lane);
    if (sizeOf(lane) === 0) this.evictIdle();
    this.startTurns();
    this.options.onFreed(lane.id);
  }

  private slotsOf(lane: Lane): number {
    const { perEndpoint } = this.options;
    return lane.hung < hungLimit ? perEndpoint : Math.max(1, Math.floor(perEndpoint / hungShare));
  }

  private capacityOf(lane: Lane): number {
    this.updatePace(lane);
    const pace = Math.min(mostBuffered, lane.ended + lane.endedBefore);
    return Math.max(0, this.slotsOf(lane) + pace - sizeOf(lane));
  }

  /** Shifts the counts of ended attempts when a new second has begun. */
  private updatePace(lane: Lane): void {
    const second = Math.floor(this.options.clock.now().getTime() / 1000);
    if (second === lane.second) return;
    lane.endedBefore = second === lane.second + 1 ? lane.ended : 0;
    lane.ended = 0;
    lane.second = second;
  }

  /** Idle lanes are kept for their pace and hung attempts, until there are too many. */
  private evictIdle(): void {
    if (this.lanes.size <= mostIdleLanes) return;
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
