import type { Database } from '@svc/db';
import { type Claimed, claim, nextDue } from '../claim.ts';
import type { Clock, Log } from '../deps.ts';
import type { Tuning } from '../limits.ts';
import type { PublisherLease } from '../publish.ts';
import type { Slots } from './slots.ts';

export interface ClaimerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly node: string;
  readonly tuning: Tuning;
  readonly slots: Slots;
  /** Results that hold memory until they are committed. */
  readonly unwritten: () => number;
  /** Runs between claiming and sending. */
  readonly prepare: (claimed: readonly Claimed[]) => Promise<void>;
  /** A round ended. */
  readonly rested: () => void;
}

/** Fetches what is due, ahead of the slots, as long as there is room for it. */
export interface Claimer {
  start(): void;
  stop(): void;
  /** Something may be due. */
  want(): void;
  /** Something will be due. */
  expect(due: Date): void;
  /** An endpoint has room again. */
  freed(endpointId: string): void;
  /** There is room again. */
  refill(): void;
  /** Whether this process should lease what it publishes. */
  canTakeMore(): boolean;
  /** Terms for leasing what is being published. */
  lease(): PublisherLease;
  /** Claiming, or about to. */
  running(): boolean;
}

export function createClaimer(options: ClaimerOptions): Claimer {
  const { clock, slots, tuning } = options;
  // So much ahead that neither the slots nor the batches of results wait for the database.
  const room = tuning.inFlight * ahead;
  const most = room * 2;
  const perEndpoint = tuning.inFlightPerEndpoint * ahead;
  let wanted = false;
  let busy = false;
  let stopped = true;
  let more = false;
  let lastEndpoint = '';
  let expected = Number.POSITIVE_INFINITY;
  let reached = 0;
  let cancelExpected = () => {};
  let cancelPoll = () => {};

  function want(): void {
    wanted = true;
    if (!busy && !stopped) void run();
  }

  async function run(): Promise<void> {
    busy = true;
    while (wanted && !stopped) {
      wanted = false;
      try {
        await round();
      } catch (error) {
        options.log.error({ err: error }, 'claiming failed');
        clock.after(tuning.pollMs, want);
      }
    }
    busy = false;
    options.rested();
  }

  async function round(): Promise<void> {
    const count = Math.min(room - slots.size(), most - slots.size() - options.unwritten());
    more = count <= 0;
    if (more) return;
    const asOf = Math.max(clock.now().getTime(), reached);
    const claimed = await claim(options.db, {
      ...terms(asOf),
      asOf: new Date(asOf),
      count,
      perEndpoint,
      held: slots.held(),
      after: lastEndpoint,
    });
    if (claimed.length === 0) return;
    more = someEndpointFilled(claimed);
    lastEndpoint = claimed.at(-1)?.endpointId ?? '';
    await options.prepare(claimed);
    slots.offer(claimed);
    if (more && hasRoom()) wanted = true;
  }

  /** A good part of the room at a time: a claim costs the same for one as for many. */
  function hasRoom(): boolean {
    return slots.size() <= room / 2 && slots.size() + options.unwritten() <= most / 2;
  }

  function refill(): void {
    if (more && hasRoom()) want();
  }

  function terms(from: number) {
    const until = new Date(from + tuning.leaseMs);
    const startBefore = new Date(from + tuning.leaseMs - 2 * tuning.deadlineMs);
    return { node: options.node, until, startBefore };
  }

  function lease(): PublisherLease {
    const held = [...slots.held()];
    const full = held.filter(([, count]) => count >= perEndpoint).map(([id]) => id);
    return { ...terms(clock.now().getTime()), full };
  }

  function poll(): void {
    want();
    lookAhead();
    cancelPoll = clock.after(tuning.pollMs, poll);
  }

  /** Retries that this process knows of are expected already; others were left by someone else. */
  function lookAhead(): void {
    nextDue(options.db, clock.now()).then(
      (due) => due && expect(due),
      (error: unknown) => options.log.error({ err: error }, 'looking for due deliveries failed'),
    );
  }

  function expect(due: Date): void {
    if (stopped || due.getTime() >= expected) return;
    cancelExpected();
    expected = due.getTime();
    const wait = Math.max(0, expected - clock.now().getTime());
    // A timer may fire a moment early by the wall clock; what it was set for is due then.
    cancelExpected = clock.after(Math.min(wait, longestTimer), () => {
      if (wait <= longestTimer) reached = Math.max(reached, expected);
      expected = Number.POSITIVE_INFINITY;
      want();
    });
  }

  return {
    start() {
      stopped = false;
      poll();
    },
    stop() {
      stopped = true;
      cancelPoll();
      cancelExpected();
    },
    want,
    expect,
    freed(endpointId) {
      if (slots.heldBy(endpointId) <= perEndpoint / 2) refill();
    },
    refill,
    // While something waits unclaimed, what is new must wait behind it.
    canTakeMore: () => !more && slots.size() < room && slots.size() + options.unwritten() < most,
    lease,
    running: () => busy || (!stopped && (wanted || more)),
  };
}

// Claimed at once, as a multiple of the slots.
const ahead = 4;
// setTimeout takes at most 2^31 - 1 ms, and fires at once beyond that.
const longestTimer = 2 ** 31 - 1;

function someEndpointFilled(claimed: readonly Claimed[]): boolean {
  const counts = new Map<string, number>();
  for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  return claimed.some(({ endpointId, quota }) => (counts.get(endpointId) ?? 0) >= quota);
}
