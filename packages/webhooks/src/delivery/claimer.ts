import type { Database } from '@svc/db';
import type { Claimed } from '../kernel/claimed.ts';
import type { Clock, Log } from '../kernel/engine-deps.ts';
import type { Tuning } from '../kernel/tuning.ts';
import { claim, nextDue } from '../leases/claim.ts';
import type { PublisherLease } from '../publishing/publish.ts';
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
  readonly prepare: (claimed: readonly Claimed[]) => Promise<void> | undefined;
  /** A round ended. */
  readonly rested: () => void;
}

// Held at once, in flight or not: neither the slots nor the batches of results should have to wait
// for the database.
const ahead = 4;
const leastRoom = 2_048;
// setTimeout takes at most 2^31 - 1 ms, and fires at once beyond that.
const longestTimer = 2 ** 31 - 1;
// How much earlier than asked, by the wall clock, a timer is taken to be on time.
const earlyMs = 50;
// How late one may be for the sake of others that fall due with it.
const sharedMs = 10;
// After an error of the database; until then nobody claims.
const retryMs = 250;

/** Fetches what is due, ahead of the slots, as long as there is room for it. */
export class Claimer {
  private readonly options: ClaimerOptions;
  private readonly room: number;
  private wanted = false;
  private busy = false;
  private looking = 0;
  private stopped = true;
  /** More is due than there was room for, at any endpoint … */
  private more = false;
  /** … or at these, which had no room of their own. */
  private readonly short = new Set<string>();
  private lastEndpoint = '';
  private expected = Number.POSITIVE_INFINITY;
  private reached = 0;
  private cancelExpected = () => {};
  private cancelPoll = () => {};

  constructor(options: ClaimerOptions) {
    this.options = options;
    this.room = Math.max(leastRoom, options.tuning.inFlight * ahead);
  }

  start(): void {
    this.stopped = false;
    this.poll();
  }

  stop(): void {
    this.stopped = true;
    this.cancelPoll();
    this.cancelExpected();
  }

  /** Claiming, about to, or finding out when to. */
  running(): boolean {
    return (
      this.busy ||
      this.looking > 0 ||
      (!this.stopped && (this.wanted || this.more || this.short.size > 0))
    );
  }

  /** Something may be due. */
  want(): void {
    this.wanted = true;
    if (!this.busy && !this.stopped) void this.run();
  }

  /** Something will be due. */
  expect(due: Date): void {
    if (this.stopped || due.getTime() >= this.expected) return;
    const { clock } = this.options;
    this.cancelExpected();
    this.expected = due.getTime();
    const wait = Math.max(0, this.expected - clock.now().getTime());
    this.cancelExpected = clock.after(Math.min(wait, longestTimer), () => {
      if (wait <= longestTimer) this.reached = this.expected;
      this.expected = Number.POSITIVE_INFINITY;
      this.want();
      void this.look();
    });
  }

  /** An endpoint has room again. What others could not take is nothing to it. */
  freed(endpointId: string): void {
    const missed = this.more || this.short.has(endpointId);
    if (missed && this.options.slots.hasRoom(endpointId)) this.claimMore();
  }

  /** There is room again. */
  refill(): void {
    const { slots } = this.options;
    if (this.more || [...this.short].some((id) => slots.hasRoom(id))) this.claimMore();
  }

  /** A good part of the room at a time: claiming one costs the same as many. */
  private claimMore(): void {
    if (this.held() <= this.room / 2) this.want();
  }

  /**
   * Terms for leasing what is being published, or null when this process has enough: the other half
   * of the room is for what waits in the database, which would starve behind what is new.
   */
  lease(): PublisherLease | null {
    const { clock, slots } = this.options;
    if (this.stopped || this.held() >= this.room / 2) return null;
    const full = [...slots.rooms()].filter(([, room]) => room === 0).map(([id]) => id);
    for (const id of full) this.short.add(id);
    return { ...this.terms(clock.now().getTime()), full };
  }

  private async run(): Promise<void> {
    this.busy = true;
    while (this.wanted && !this.stopped) {
      this.wanted = false;
      try {
        await this.round();
      } catch (error) {
        this.options.log.error({ err: error }, 'claiming failed');
        this.options.clock.after(retryMs, () => void this.run());
        this.wanted = true;
        return;
      }
    }
    this.busy = false;
    this.options.rested();
  }

  private async round(): Promise<void> {
    const { db, slots, tuning, prepare } = this.options;
    const count = this.room - this.held();
    this.more = count <= 0;
    if (this.more) return;
    const asOf = this.asOf();
    const rooms = slots.rooms();
    this.short.clear();
    const claimed = await claim(db, {
      ...this.terms(asOf),
      asOf: new Date(asOf),
      count,
      rooms,
      roomOfOthers: tuning.inFlightPerEndpoint,
      after: this.lastEndpoint,
    });
    this.more = claimed.length >= count;
    // Of an endpoint without room nothing was claimed, whatever it has waiting.
    const full = [...rooms].filter(([, room]) => room === 0).map(([id]) => id);
    for (const id of [...full, ...filledEndpoints(claimed)]) this.short.add(id);
    if (claimed.length > 0) {
      this.lastEndpoint = claimed.at(-1)?.endpointId ?? '';
      await prepare(claimed);
      slots.offer(claimed);
    }
    // One that got room while the claim ran has said so already, and will not again.
    this.refill();
  }

  /** Results hold memory until they are committed, so that they count as well, but they are on their way out. */
  private held(): number {
    return this.options.slots.size() + Math.floor(this.options.unwritten() / 2);
  }

  /** A timer may fire a moment early by the wall clock; what it was set for is due then. */
  private asOf(): number {
    const now = this.options.clock.now().getTime();
    return this.reached > now && this.reached <= now + earlyMs ? this.reached : now;
  }

  private terms(from: number) {
    const { node, tuning } = this.options;
    const until = new Date(from + tuning.leaseMs);
    const startBefore = new Date(from + tuning.leaseMs - 2 * tuning.deadlineMs);
    return { node, until, startBefore };
  }

  private poll(): void {
    const { clock, tuning } = this.options;
    this.want();
    void this.look();
    this.cancelPoll = clock.after(tuning.pollMs, () => this.poll());
  }

  /** Only the soonest is expected: the next one after it, or one that someone else left, is found. */
  private async look(): Promise<void> {
    const { db, log, rested } = this.options;
    const asOf = this.asOf();
    this.looking += 1;
    try {
      const due = await nextDue(db, new Date(asOf));
      // What falls due at nearly the same time shares a claim.
      if (due) this.expect(new Date(Math.max(due.getTime(), asOf + sharedMs)));
    } catch (error) {
      log.error({ err: error }, 'looking for due deliveries failed');
    }
    this.looking -= 1;
    rested();
  }
}

/** Those that were given all they had room for, so that more may be waiting. */
function filledEndpoints(claimed: readonly Claimed[]): string[] {
  const counts = new Map<string, number>();
  for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  const filled = claimed.filter(({ endpointId, quota }) => (counts.get(endpointId) ?? 0) >= quota);
  return [...new Set(filled.map(({ endpointId }) => endpointId))];
}
