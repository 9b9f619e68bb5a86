import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Destination } from './destination.ts';
import type { DestinationHealth } from './destination-health.ts';
import { type HandoverObserver, handOver } from './hand-over.ts';
import { backOff, type Item, parkItem, readItems, recordAccepted, type Stream } from './streams.ts';

export interface SendDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly destination: Destination;
  readonly observer?: HandoverObserver;
  readonly health: DestinationHealth;
  readonly leaseMs: number;
  readonly handoverMs: number;
  isStopping(): boolean;
}

const firstBackoffMs = 1_000;
const mostBackoffMs = 300_000;
// After this many items, other streams get a turn.
const itemsPerRead = 50;
const readsPerLease = 4;

/**
 * Hands the items of a leased stream over, one after another, until it is empty, fails, or has had its
 * turn. Returns whether the lease is still held and has to be released.
 */
export async function sendItems(stream: Stream, deps: SendDeps): Promise<boolean> {
  let current = stream;
  for (let reads = 0; reads < readsPerLease; reads += 1) {
    const items = await readItems(deps.db, stream, itemsPerRead);
    for (const item of items) {
      if (deps.isStopping()) return true;
      // The holder of a lease that was not released may have sent any of them.
      const outcomeUnknown = item.outcomeUnknown || stream.abandoned;
      const next = await sendItem(current, { ...item, outcomeUnknown }, deps);
      if (!next) return false;
      current = next;
    }
    if (items.length < itemsPerRead) break;
  }
  return true;
}

/** Returns the stream as it is for the next item; undefined if none may follow. */
async function sendItem(stream: Stream, item: Item, deps: SendDeps): Promise<Stream | undefined> {
  const { db, clock, log, health } = deps;
  const handover = await handOver(stream, item, deps);
  health.note(handover);
  const now = clock.now();
  const inMs = (ms: number) => new Date(now.getTime() + ms);
  const lease = { now, until: inMs(deps.leaseMs) };
  const logFields = {
    destination: deps.destination.name,
    partner_id: stream.partnerId,
    message_id: item.messageId,
    position: item.position,
  };
  switch (handover.kind) {
    case 'accepted': {
      const isHeld = await recordAccepted(db, stream, item, lease);
      const partnerKnown = stream.partnerKnown || item.message !== 'expunged';
      return isHeld ? { ...stream, failures: 0, partnerKnown } : undefined;
    }
    case 'refused': {
      const { reason } = handover;
      log.error({ ...logFields, reason }, 'message parked: see "svc-admin outbox list"');
      const isHeld = await parkItem(db, stream, item, { reason, ...lease });
      return isHeld ? { ...stream, failures: 0 } : undefined;
    }
    case 'retry': {
      const { reason, outcomeUnknown } = handover;
      const waitMs = handover.afterMs ?? backoffMs(stream.failures);
      log.warn({ ...logFields, reason, wait_ms: waitMs }, 'message not handed over; trying again');
      await backOff(db, stream, item, { reason, dueAt: inMs(waitMs), outcomeUnknown });
      return undefined;
    }
    case 'stopped': {
      const { reason } = handover;
      // The whole destination waits, so the stream does not have to.
      await backOff(db, stream, item, { reason, dueAt: now, outcomeUnknown: item.outcomeUnknown });
      return undefined;
    }
  }
}

/** 1 s after the first failure, doubled by each further one, up to 5 min. */
function backoffMs(failures: number): number {
  return Math.min(mostBackoffMs, firstBackoffMs * 2 ** Math.min(failures, 20));
}
