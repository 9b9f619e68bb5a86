import { createLoop } from '@svc/runtime';
import type { Claimed } from '../kernel/claimed.ts';
import type { EngineContext } from '../kernel/engine-deps.ts';
import { claim, noEndpoint, readSchedule } from '../leases/claim.ts';
import { advanceLanes, noLane, repairLanes } from '../leases/lanes.ts';
import type { LeaseTerms } from '../publishing/publish.ts';
import type { Slots } from './slots.ts';

interface ClaimerOptions {
  readonly slots: Slots;
  /** The number of results that are not committed yet. */
  readonly unwritten: () => number;
  /** Awaited between claiming and sending. */
  readonly prepare: (claimed: readonly Claimed[]) => Promise<void> | undefined;
  /** A replay is unfinished, perhaps one that was created through another process. */
  readonly onReplay: () => void;
  /** Called when the claimer may have become idle. */
  readonly onIdle: () => void;
}

// Deliveries in memory, in flight or not, as a multiple of the slots: neither the slots nor the
// batches of results should ever wait for the next claim.
const bufferedPerSlot = 4;
const leastCapacity = 2_048;
// A timer may fire this much early by the wall clock and still counts as on time.
const timerEarlyMs = 50;
// Deliveries that fall due within this time of each other share a claim. Also the pause between two looks.
const sharedClaimMs = 10;
// Endpoints in one look at the schedule. A look at 10,000 takes 0.15 s of the database's time, and
// without a limit each retry among them would cause one.
const endpointsPerLook = 100;
// Lanes in one look for those that a killed process left without a due delivery. It takes about 2 ms.
const lanesPerLook = 500;
// The claimer pauses for this long after a database error.
const retryMs = 250;

export interface Claimer {
  start(): void;
  /** Resolves when a claim in progress has ended. Its deliveries are still offered to the slots. */
  stop(): Promise<void>;
  /** True while claiming or about to, and while deliveries wait for capacity. */
  busy(): boolean;
  /** Something may be due now. */
  wake(): void;
  /** Something will be due at this time. */
  expect(due: Date): void;
  /** An attempt at this endpoint has ended. Claims only if deliveries of the endpoint were left behind. */
  slotFreed(endpointId: string): void;
  /** Results were committed, so their memory is free. */
  refill(): void;
  /**
   * The terms on which a publish can be leased to this process, or null when it has enough to do.
   * Publishes get half of the capacity. The other half is for what waits in the database, which
   * would starve behind new messages.
   */
  leaseTerms(): LeaseTerms | null;
}

/**
 * Claims due deliveries ahead of the slots, as long as this process has capacity for them.
 *
 * Two loops share the work. `claims` fetches what is due now. It is woken when something may have
 * become due, or when capacity for a delivery that it had to leave behind comes free. `lookout` wakes
 * it at the time at which the next known delivery falls due. It also looks every `pollMs` whether one
 * is due, which covers those that another process published or released. The same look finds replays.
 */
export function createClaimer(context: EngineContext, options: ClaimerOptions): Claimer {
  const { db, clock, log, tuning, processId } = context;
  const { slots, unwritten, prepare, onReplay, onIdle } = options;
  const capacity = Math.max(leastCapacity, tuning.inFlight * bufferedPerSlot);
  let stopped = true;
  /** The last claim was cut off by its total: any endpoint may have more due. */
  let moreDue = false;
  /** Endpoints of which more may be due than they had capacity for. */
  const saturated = new Set<string>();
  /** The endpoint of the last delivery claimed: the next claim begins after it. */
  let lastClaimed = noEndpoint;
  /** When the next delivery known to this process falls due, as milliseconds of wall time. */
  let soonestDue = Number.POSITIVE_INFINITY;
  /** The endpoint at which the last look stopped; `noEndpoint` if it has seen all of them. */
  let lookedUpTo = noEndpoint;
  /** The lane at which the last look for lanes to repair stopped, and when that was. */
  let repairedUpTo = noLane;
  let repairedAt = Number.NEGATIVE_INFINITY;
  /** The due time for which `lookout` last woke. */
  let reachedDue = 0;
  const claims = createLoop({ clock, log, name: 'claiming', turn: claimOnce, retryMs, onIdle });
  const lookout = createLoop({
    clock,
    log,
    name: 'looking for due deliveries',
    turn: lookOut,
    retryMs,
    onIdle,
  });

  function start(): void {
    stopped = false;
    claims.start(null);
    lookout.start();
  }

  async function stop(): Promise<void> {
    stopped = true;
    await Promise.all([claims.stop(), lookout.stop()]);
  }

  function busy(): boolean {
    const waiting = !stopped && (moreDue || saturated.size > 0);
    return claims.busy() || lookout.busy() || waiting;
  }

  function wake(): void {
    claims.wake();
  }

  function expect(due: Date): void {
    soonestDue = Math.min(soonestDue, due.getTime());
    lookout.wake(Math.max(0, due.getTime() - clock.now().getTime()));
  }

  function slotFreed(endpointId: string): void {
    const leftBehind = moreDue || saturated.has(endpointId);
    if (leftBehind && slots.hasCapacity(endpointId)) claimMore();
  }

  function refill(): void {
    if (moreDue || [...saturated].some((id) => slots.hasCapacity(id))) claimMore();
  }

  /** Waits until half of the capacity is free: a claim of one costs as much as a claim of many. */
  function claimMore(): void {
    if (buffered() <= capacity / 2) claims.wake();
  }

  function leaseTerms(): LeaseTerms | null {
    if (stopped || buffered() >= capacity / 2) return null;
    const full = endpointsWithoutCapacity(slots.capacities());
    // Messages to these endpoints get open rows, which are claimed when there is capacity again.
    for (const id of full) saturated.add(id);
    return { ...terms(clock.now().getTime()), full };
  }

  async function claimOnce(): Promise<null> {
    const count = capacity - buffered();
    moreDue = count <= 0;
    // refill() wakes this loop when results are committed.
    if (moreDue) return null;
    const asOf = claimTime();
    const capacities = slots.capacities();
    // Clear them before the claim: a publish while the claim is running may add endpoints whose
    // deliveries this claim has not seen.
    saturated.clear();
    const { claimed, waiting } = await claim(db, {
      ...terms(asOf),
      asOf: new Date(asOf),
      count,
      capacities,
      defaultCapacity: tuning.inFlightPerEndpoint,
      after: lastClaimed,
    });
    moreDue = claimed.length + waiting.length >= count;
    // The claim left out endpoints without capacity, and filled up others: both may have more due.
    const full = [...endpointsWithoutCapacity(capacities), ...endpointsAtQuota(claimed)];
    for (const id of full) saturated.add(id);
    lastClaimed = claimed.at(-1) ?? lastClaimed;
    if (claimed.length > 0) {
      await prepare(claimed);
      slots.offer(claimed);
    }
    if (waiting.length > 0) {
      await advanceLanes(db, waiting, clock.now());
      // They counted against the quota of their endpoint, so more may be due.
      claims.wake();
    }
    // A slot that came free while the claim was running was reported before `saturated` was known,
    // and will not be reported again. So look once more.
    refill();
    return null;
  }

  /**
   * Wakes the claims if a delivery is due, and returns how long to wait for the next one. If there are
   * more endpoints than fit into one look, the next look continues where this one stopped.
   */
  async function lookOut(): Promise<number> {
    const expected = soonestDue <= clock.now().getTime() + timerEarlyMs;
    if (expected) {
      reachedDue = soonestDue;
      claims.wake();
    }
    // A look that continues an earlier one sees only some of the endpoints, so it keeps the time found so far.
    if (expected || lookedUpTo === noEndpoint) soonestDue = Number.POSITIVE_INFINITY;
    const asOf = claimTime();
    const { isDue, nextAt, isReplaying, hasLanes, stoppedAt } = await readSchedule(db, {
      asOf: new Date(asOf),
      after: lookedUpTo,
      count: endpointsPerLook,
    });
    lookedUpTo = stoppedAt ?? noEndpoint;
    if (isDue && !expected) claims.wake();
    if (isReplaying) onReplay();
    if (hasLanes) await repair();
    // expect() may have set an earlier time while the query was running.
    if (nextAt) {
      const next = Math.max(nextAt.getTime(), asOf + sharedClaimMs);
      soonestDue = Math.min(soonestDue, next);
    }
    const waitMs = stoppedAt ? sharedClaimMs : tuning.pollMs;
    return Math.min(waitMs, Math.max(0, soonestDue - clock.now().getTime()));
  }

  /** Repairs the next `lanesPerLook` lanes, at most once every `pollMs`. */
  async function repair(): Promise<void> {
    const now = clock.now();
    // With abs(), a clock that was set back does not put the look off.
    if (Math.abs(now.getTime() - repairedAt) < tuning.pollMs) return;
    repairedAt = now.getTime();
    const repaired = await repairLanes(db, { now, after: repairedUpTo, count: lanesPerLook });
    repairedUpTo = repaired.stoppedAt;
    if (repaired.advanced > 0) claims.wake();
  }

  /** Results take memory until they are committed, but will soon be gone: each counts as half. */
  function buffered(): number {
    return slots.size() + Math.floor(unwritten() / 2);
  }

  /** Returns the current time or, if a timer fired a moment early, the due time for which it was set. */
  function claimTime(): number {
    const now = clock.now().getTime();
    return reachedDue > now && reachedDue <= now + timerEarlyMs ? reachedDue : now;
  }

  /** No attempt starts in the last two deadlines of a lease, so that none outlives it. */
  function terms(from: number) {
    const until = new Date(from + tuning.leaseMs);
    const startBefore = new Date(from + tuning.leaseMs - 2 * tuning.deadlineMs);
    return { processId, until, startBefore };
  }

  return { start, stop, busy, wake, expect, slotFreed, refill, leaseTerms };
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
