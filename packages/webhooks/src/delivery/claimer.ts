import { createLoop, type Loop } from '@svc/runtime';
import type { Claimed } from '../kernel/claimed.ts';
import type { EngineContext } from '../kernel/engine-deps.ts';
import { claim, readSchedule } from '../leases/claim.ts';
import type { LeaseTerms } from '../publishing/publish.ts';
import type { Slots } from './slots.ts';

interface ClaimerOptions {
  readonly slots: Slots;
  /** The number of results that are not committed yet. */
  readonly unwritten: () => number;
  /** Awaited between claiming and sending. */
  readonly prepare: (claimed: readonly Claimed[]) => Promise<void> | undefined;
  /** Called when the claimer may have become idle. */
  readonly onIdle: () => void;
}

// Deliveries in memory, in flight or not, as a multiple of the slots: neither the slots nor the
// batches of results should ever wait for the next claim.
const bufferedPerSlot = 4;
const leastCapacity = 2_048;
// A timer may fire this much early by the wall clock and still counts as on time.
const timerEarlyMs = 50;
// Deliveries that fall due within this time of each other share a claim.
const sharedClaimMs = 10;
// After a database error. Until then nothing is claimed.
const retryMs = 250;

/**
 * Claims due deliveries ahead of the slots, as long as this process has capacity for them.
 *
 * Two loops share the work. `claims` fetches what is due now. It is woken when something may have
 * become due, or when capacity for a delivery that it had to leave behind comes free. `lookout` wakes
 * it at the time at which the next known delivery falls due. It also looks every `pollMs` whether one
 * is due, which covers those that another process published or released.
 */
export class Claimer {
  private readonly context: EngineContext;
  private readonly options: ClaimerOptions;
  private readonly capacity: number;
  private readonly claims: Loop;
  private readonly lookout: Loop;
  private stopped = true;
  /** The last claim was cut off by its total: any endpoint may have more due. */
  private moreDue = false;
  /** Endpoints of which more may be due than they had capacity for. */
  private readonly saturated = new Set<string>();
  /** The endpoint of the last delivery claimed: the next claim begins after it. */
  private lastEndpoint = '';
  /** When the next delivery known to this process falls due, as milliseconds of wall time. */
  private soonestDue = Number.POSITIVE_INFINITY;
  /** The due time for which `lookout` last woke. */
  private reached = 0;

  constructor(context: EngineContext, options: ClaimerOptions) {
    const { clock, log, tuning } = context;
    const { onIdle } = options;
    this.context = context;
    this.options = options;
    this.capacity = Math.max(leastCapacity, tuning.inFlight * bufferedPerSlot);
    this.claims = createLoop({
      clock,
      log,
      name: 'claiming',
      turn: () => this.claimOnce(),
      retryMs,
      onIdle,
    });
    this.lookout = createLoop({
      clock,
      log,
      name: 'looking for due deliveries',
      turn: () => this.lookOut(),
      retryMs,
      onIdle,
    });
  }

  start(): void {
    this.stopped = false;
    this.claims.start(null);
    this.lookout.start();
  }

  /** Resolves when a claim in progress has ended. Its deliveries are still offered to the slots. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.claims.stop(), this.lookout.stop()]);
  }

  /** True while claiming or about to, and while deliveries wait for capacity. */
  busy(): boolean {
    const waiting = !this.stopped && (this.moreDue || this.saturated.size > 0);
    return this.claims.busy() || this.lookout.busy() || waiting;
  }

  /** Something may be due now. */
  wake(): void {
    this.claims.wake();
  }

  /** Something will be due at this time. */
  expect(due: Date): void {
    this.soonestDue = Math.min(this.soonestDue, due.getTime());
    this.lookout.wake(Math.max(0, due.getTime() - this.context.clock.now().getTime()));
  }

  /** An attempt at this endpoint has ended. Claims only if deliveries of the endpoint were left behind. */
  slotFreed(endpointId: string): void {
    const leftBehind = this.moreDue || this.saturated.has(endpointId);
    if (leftBehind && this.options.slots.hasCapacity(endpointId)) this.claimMore();
  }

  /** Results were committed, so their memory is free. */
  refill(): void {
    const { slots } = this.options;
    if (this.moreDue || [...this.saturated].some((id) => slots.hasCapacity(id))) this.claimMore();
  }

  /** Waits until half of the capacity is free: a claim of one costs as much as a claim of many. */
  private claimMore(): void {
    if (this.buffered() <= this.capacity / 2) this.claims.wake();
  }

  /**
   * The terms on which a publish can be leased to this process, or null when it has enough to do.
   * Publishes get half of the capacity. The other half is for what waits in the database, which
   * would starve behind new messages.
   */
  leaseTerms(): LeaseTerms | null {
    const { clock } = this.context;
    if (this.stopped || this.buffered() >= this.capacity / 2) return null;
    const full = endpointsWithoutCapacity(this.options.slots.capacities());
    // Messages to these endpoints get open rows, which are claimed when there is capacity again.
    for (const id of full) this.saturated.add(id);
    return { ...this.terms(clock.now().getTime()), full };
  }

  private async claimOnce(): Promise<null> {
    const { db, tuning } = this.context;
    const { slots, prepare } = this.options;
    const count = this.capacity - this.buffered();
    this.moreDue = count <= 0;
    // refill() wakes this loop when results are committed.
    if (this.moreDue) return null;
    const asOf = this.asOf();
    const capacities = slots.capacities();
    // Before the claim and not after it: a publish while the claim is running may add endpoints whose
    // deliveries this claim has not seen.
    this.saturated.clear();
    const claimed = await claim(db, {
      ...this.terms(asOf),
      asOf: new Date(asOf),
      count,
      capacities,
      defaultCapacity: tuning.inFlightPerEndpoint,
      after: this.lastEndpoint,
    });
    this.moreDue = claimed.length >= count;
    // The claim left out endpoints without capacity, and filled up others: both may have more due.
    const saturated = [...endpointsWithoutCapacity(capacities), ...endpointsAtQuota(claimed)];
    for (const id of saturated) this.saturated.add(id);
    if (claimed.length > 0) {
      this.lastEndpoint = claimed.at(-1)?.endpointId ?? '';
      await prepare(claimed);
      slots.offer(claimed);
    }
    // A slot that came free while the claim was running was reported before `saturated` was known,
    // and will not be reported again. So look once more.
    this.refill();
    return null;
  }

  /** Wakes the claims if a delivery is due, and returns how long to wait for the next one. */
  private async lookOut(): Promise<number> {
    const { db, clock, tuning } = this.context;
    const expected = this.soonestDue <= clock.now().getTime() + timerEarlyMs;
    if (expected) {
      this.reached = this.soonestDue;
      this.claims.wake();
    }
    this.soonestDue = Number.POSITIVE_INFINITY;
    const asOf = this.asOf();
    const { isDue, nextAt } = await readSchedule(db, new Date(asOf));
    if (isDue && !expected) this.claims.wake();
    // expect() may have set an earlier time while the query was running.
    if (nextAt) {
      const next = Math.max(nextAt.getTime(), asOf + sharedClaimMs);
      this.soonestDue = Math.min(this.soonestDue, next);
    }
    return Math.min(tuning.pollMs, Math.max(0, this.soonestDue - clock.now().getTime()));
  }

  /** Results take memory until they are committed, but will soon be gone: each counts as half. */
  private buffered(): number {
    return this.options.slots.size() + Math.floor(this.options.unwritten() / 2);
  }

  /** Now; or, when a timer fired a moment early, the due time for which it was set. */
  private asOf(): number {
    const now = this.context.clock.now().getTime();
    return this.reached > now && this.reached <= now + timerEarlyMs ? this.reached : now;
  }

  /** No attempt starts in the last two deadlines of a lease, so that none outlives it. */
  private terms(from: number) {
    const { processId, tuning } = this.context;
    const until = new Date(from + tuning.leaseMs);
    const startBefore = new Date(from + tuning.leaseMs - 2 * tuning.deadlineMs);
    return { processId, until, startBefore };
  }
}

function endpointsWithoutCapacity(capacities: ReadonlyMap<string, number>): string[] {
  return [...capacities].filter(([, capacity]) => capacity === 0).map(([id]) => id);
}

/** Endpoints that were given as many deliveries as they had capacity for, so more may be due. */
function endpointsAtQuota(claimed: readonly Claimed[]): string[] {
  const counts = new Map<string, number>();
  for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  const filled = claimed.filter(({ endpointId, quota }) => (counts.get(endpointId) ?? 0) >= quota);
  return [...new Set(filled.map(({ endpointId }) => endpointId))];
}
