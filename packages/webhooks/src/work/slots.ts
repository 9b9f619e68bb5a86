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

/**
 * Who sends next. Endpoints take turns, each within its own number of slots and its throttle, so a
 * hanging one fills its own slots and no more.
 */
export interface Slots {
  offer(items: readonly Claimed[]): void;
  /** Waiting and in flight. */
  size(): number;
  inFlight(): number;
  /** Waiting and in flight, by endpoint. */
  held(): Map<string, number>;
  heldBy(endpointId: string): number;
  /** Takes out what has not been started. */
  drain(): Claimed[];
}

interface Lane {
  readonly id: string;
  readonly waiting: Claimed[];
  active: number;
  /** Throttle: no start before this time (ms). */
  notBefore: number;
  queued: boolean;
}

export function createSlots(options: SlotOptions): Slots {
  const { clock, perEndpoint } = options;
  const lanes = new Map<string, Lane>();
  const turns: Lane[] = [];
  let active = 0;
  let waiting = 0;

  function queue(lane: Lane): void {
    if (lane.queued || lane.waiting.length === 0 || lane.active >= perEndpoint) return;
    lane.queued = true;
    const early = lane.notBefore - clock.now().getTime();
    if (early <= 0) turns.push(lane);
    else {
      clock.after(early, () => {
        turns.push(lane);
        run();
      });
    }
  }

  function run(): void {
    while (active < options.inFlight) {
      const lane = turns.shift();
      if (!lane) return;
      lane.queued = false;
      const item = lane.waiting.shift();
      if (item) begin(lane, item);
      queue(lane);
    }
  }

  function begin(lane: Lane, item: Claimed): void {
    waiting -= 1;
    active += 1;
    lane.active += 1;
    if (item.throttlePerSecond !== null) {
      const from = Math.max(lane.notBefore, clock.now().getTime());
      lane.notBefore = from + 1000 / item.throttlePerSecond;
    }
    void options.start(item).then(() => end(lane));
  }

  function end(lane: Lane): void {
    active -= 1;
    lane.active -= 1;
    queue(lane);
    const idle = lane.active === 0 && lane.waiting.length === 0;
    if (idle && lane.notBefore <= clock.now().getTime()) lanes.delete(lane.id);
    run();
    options.freed(lane.id);
  }

  function laneOf(id: string): Lane {
    const known = lanes.get(id);
    if (known) return known;
    const lane: Lane = { id, waiting: [], active: 0, notBefore: 0, queued: false };
    lanes.set(id, lane);
    return lane;
  }

  return {
    offer(items) {
      for (const item of items) {
        const lane = laneOf(item.endpointId);
        lane.waiting.push(item);
        waiting += 1;
        queue(lane);
      }
      run();
    },
    size: () => active + waiting,
    inFlight: () => active,
    held: () => new Map([...lanes.values()].map((lane) => [lane.id, heldIn(lane)])),
    heldBy: (id) => heldIn(lanes.get(id)),
    drain() {
      const all = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0));
      waiting = 0;
      return all;
    },
  };
}

function heldIn(lane: Lane | undefined): number {
  return lane ? lane.active + lane.waiting.length : 0;
}
