import type { Clock } from '@svc/runtime';
import type { Claimed, EndpointRef } from '../kernel/claimed.ts';

interface SlotsOptions {
  /** The most attempts in flight, in total and to one endpoint. */
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
// The most lanes without deliveries that are remembered, with their pace and hung attempts.
const mostIdleLanes = 1_000;

export interface Slots {
  /** Takes claimed deliveries, and starts as many as there are slots for. */
  offer(items: readonly Claimed[]): void;
  /** Deliveries waiting and in flight. */
  size(): number;
  inFlight(): number;
  /**
   * How many more deliveries each known endpoint should get: what it can take in about two seconds at
   * its present pace, so that a fast one never waits for the database and a slow one does not fill
   * the memory.
   */
  capacities(): Map<string, number>;
  /** True when the free capacity is worth a claim: more than half of what the endpoint has. */
  hasCapacity(endpointId: string): boolean;
  /** Removes and returns the deliveries that have not been started. */
  drain(): Claimed[];
}

/**
 * Decides which delivery is sent next. Endpoints take turns, each within its own number of slots and
 * its throttle. A hanging endpoint therefore fills its own slots and no more, and after eight
 * timeouts in a row only an eighth of them.
 *
 * Nothing here is asynchronous: each method leaves the counts consistent before anything else runs.
 */
export function createSlots(options: SlotsOptions): Slots {
  const { inFlight: mostInFlight, perEndpoint, clock, attempts, onFreed } = options;
  const lanes = new Map<string, Lane>();
  /** Lanes that may start an attempt, in the order in which they do. */
  const turns: Lane[] = [];
  /** Sums over all lanes. */
  let active = 0;
  let waiting = 0;

  function offer(items: readonly Claimed[]): void {
    for (const item of items) {
      const lane = laneOf(item.endpointId);
      lane.waiting.push(item);
      waiting += 1;
      queue(lane);
    }
    startTurns();
  }

  function size(): number {
    return active + waiting;
  }

  function inFlight(): number {
    return active;
  }

  function capacities(): Map<string, number> {
    return new Map([...lanes.values()].map((lane) => [lane.id, capacityOf(lane)]));
  }

  function hasCapacity(endpointId: string): boolean {
    const lane = lanes.get(endpointId);
    return !lane || capacityOf(lane) > sizeOf(lane) / 2;
  }

  function drain(): Claimed[] {
    const all = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    waiting = 0;
    return all;
  }

  /** Puts the lane in line if it has a delivery and a free slot, once its throttle allows. */
  function queue(lane: Lane): void {
    if (lane.queued || lane.waiting.length === 0 || lane.active >= slotsOf(lane)) return;
    lane.queued = true;
    const waitMs = lane.notBefore - clock.now().getTime();
    if (waitMs <= 0) turns.push(lane);
    else {
      clock.after(waitMs, () => {
        turns.push(lane);
        startTurns();
      });
    }
  }

  /** Starts one delivery of each lane in turn, while there are free slots. */
  function startTurns(): void {
    while (active < mostInFlight) {
      const lane = turns.shift();
      if (!lane) return;
      lane.queued = false;
      const item = lane.waiting.shift();
      // The lane may have been drained while it was in line.
      if (item) begin(lane, item);
      // If the endpoint has more deliveries, it goes to the end of the line.
      queue(lane);
    }
  }

  function begin(lane: Lane, item: Claimed): void {
    waiting -= 1;
    active += 1;
    lane.active += 1;
    const perSecond = attempts.throttle(item);
    if (perSecond !== null) {
      const from = Math.max(lane.notBefore, clock.now().getTime());
      lane.notBefore = from + 1000 / perSecond;
    }
    attempts.make(item, (how) => end(lane, how));
  }

  function end(lane: Lane, how: 'hung' | 'done'): void {
    active -= 1;
    lane.active -= 1;
    lane.hung = how === 'hung' ? lane.hung + 1 : 0;
    updatePace(lane);
    lane.ended += 1;
    queue(lane);
    if (sizeOf(lane) === 0) evictIdle();
    startTurns();
    onFreed(lane.id);
  }

  function slotsOf(lane: Lane): number {
    return lane.hung < hungLimit ? perEndpoint : Math.max(1, Math.floor(perEndpoint / hungShare));
  }

  function capacityOf(lane: Lane): number {
    updatePace(lane);
    const pace = Math.min(mostBuffered, lane.ended + lane.endedBefore);
    return Math.max(0, slotsOf(lane) + pace - sizeOf(lane));
  }

  /** Shifts the counts of ended attempts when a new second has begun. */
  function updatePace(lane: Lane): void {
    const second = Math.floor(clock.now().getTime() / 1000);
    if (second === lane.second) return;
    lane.endedBefore = second === lane.second + 1 ? lane.ended : 0;
    lane.ended = 0;
    lane.second = second;
  }

  /** Idle lanes are kept for their pace and hung attempts, until there are too many. */
  function evictIdle(): void {
    if (lanes.size <= mostIdleLanes) return;
    for (const lane of lanes.values()) {
      if (sizeOf(lane) === 0 && !lane.queued) lanes.delete(lane.id);
    }
  }

  function laneOf(id: string): Lane {
    const known = lanes.get(id);
    if (known) return known;
    const pace = { hung: 0, ended: 0, endedBefore: 0, second: 0 };
    const lane: Lane = { id, waiting: [], active: 0, notBefore: 0, queued: false, ...pace };
    lanes.set(id, lane);
    return lane;
  }

  return { offer, size, inFlight, capacities, hasCapacity, drain };
}

function sizeOf(lane: Lane): number {
  return lane.active + lane.waiting.length;
}
