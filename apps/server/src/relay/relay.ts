import { randomBytes } from 'node:crypto';
import type { Database } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';
import type { Destination } from './destination.ts';
import { type HandoverObserver, handOver } from './hand-over.ts';
import {
  backOff,
  claimStreams,
  type Item,
  parkItem,
  readItems,
  recordAccepted,
  releaseStream,
  type Stream,
} from './streams.ts';

export interface RelayDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly destination: Destination;
  readonly observer?: HandoverObserver;
  readonly tuning?: Partial<RelayTuning>;
}

export interface RelayTuning {
  /** Between two looks for work that other processes wrote. */
  readonly pollMs: number;
  readonly leaseMs: number;
  /** Streams that this process serves at the same time. */
  readonly streams: number;
  /** After this time a handover without an answer counts as an unknown outcome. */
  readonly handoverMs: number;
  /** Between two tries while the destination is stopped. */
  readonly stoppedMs: number;
}

const defaultTuning: RelayTuning = {
  pollMs: 1_000,
  // Longer than a handover, so that no two processes send for one stream; after a crash it waits so long.
  leaseMs: 30_000,
  streams: 16,
  handoverMs: 20_000,
  stoppedMs: 60_000,
};

const firstBackoffMs = 1_000;
const mostBackoffMs = 300_000;
// After so many items others get a turn.
const itemsPerRead = 50;
const readsPerLease = 4;

export interface Relay {
  readonly destination: string;
  start(): void;
  /** Call after a commit that published something. */
  wake(): void;
  /** The problem since the last handover, as a sentence without details; undefined if there is none. */
  trouble(): string | undefined;
  /** Resolves when the handovers in flight have ended and are recorded; starts no further one. */
  stop(): Promise<void>;
}

/**
 * Hands the items of one destination over. Any number of processes may run a relay: a stream is leased
 * to one of them at a time, and its items are sent one after another, which keeps their order. A
 * message is sent again, under the id it had, if a crash or a lost answer hides that it was accepted.
 */
export function createRelay(deps: RelayDeps): Relay {
  const { db, clock, log, destination } = deps;
  const tuning = { ...defaultTuning, ...deps.tuning };
  const { name } = destination;
  const owner = randomBytes(8).toString('hex');
  /** The streams that this process serves, by partner. */
  const active = new Map<string, Promise<void>>();
  let stopping = false;
  /** Set while the destination refuses everything. One stream is tried again and again. */
  let stopped: { readonly reason: string; tryAt: number } | undefined;
  let failing = false;
  /** Until when streams are left alone, by partner, after a statement about them failed. */
  const resting = new Map<string, number>();

  const loop = createLoop({
    clock,
    log,
    turn,
    name: `relay to ${name}`,
    retryMs: tuning.pollMs,
  });

  const nowMs = () => clock.now().getTime();
  const leaseEnd = () => new Date(nowMs() + tuning.leaseMs);

  async function turn(): Promise<number> {
    const limit = stopped ? 1 - active.size : tuning.streams - active.size;
    if (limit <= 0 || (stopped && nowMs() < stopped.tryAt)) return tuning.pollMs;
    if (stopped) stopped.tryAt = nowMs() + tuning.stoppedMs;
    for (const [partnerId, until] of resting) if (until <= nowMs()) resting.delete(partnerId);
    const claimed = await claimStreams(db, {
      destination: name,
      owner,
      limit,
      active: [...active.keys(), ...resting.keys()],
      now: clock.now(),
      until: leaseEnd(),
    });
    for (const stream of claimed) {
      const served = serve(stream).finally(() => {
        active.delete(stream.partnerId);
        // Others may be waiting for the place, and the stream may have got more items.
        loop.wake();
      });
      active.set(stream.partnerId, served);
    }
    return tuning.pollMs;
  }

  /** Hands over what the stream has, until it is empty, fails, or has had its turn. */
  async function serve(stream: Stream): Promise<void> {
    try {
      if (await sendAll(stream)) await releaseStream(db, stream, clock.now());
    } catch (error) {
      // The lease stays. The next claim takes it, and knows that it was not released. Not at once: if
      // results cannot be recorded, the same message would be sent without a pause.
      resting.set(stream.partnerId, nowMs() + tuning.pollMs);
      log.error(
        { err: error, destination: name, partner_id: stream.partnerId },
        'relay could not read or record; trying again',
      );
    }
  }

  /** True if the lease is still held and has to be released. */
  async function sendAll(stream: Stream): Promise<boolean> {
    let current = stream;
    for (let reads = 0; reads < readsPerLease; reads += 1) {
      const items = await readItems(db, stream, itemsPerRead);
      for (const item of items) {
        if (stopping) return true;
        // The holder of a lease that was not released may have sent any of them.
        const outcomeUnknown = item.outcomeUnknown || stream.abandoned;
        const next = await sendOne(current, { ...item, outcomeUnknown });
        if (!next) return false;
        current = next;
      }
      if (items.length < itemsPerRead) break;
    }
    return true;
  }

  /** The stream as it is for the next item; undefined if none may follow. */
  async function sendOne(stream: Stream, item: Item): Promise<Stream | undefined> {
    const handover = await handOver(stream, item, { ...deps, handoverMs: tuning.handoverMs });
    const about = {
      destination: name,
      partner_id: stream.partnerId,
      message_id: item.messageId,
      position: item.position,
    };
    if (handover.kind !== 'stopped') clearStopped();
    failing = handover.kind === 'retry';
    switch (handover.kind) {
      case 'accepted': {
        const isHeld = await recordAccepted(db, stream, item, {
          now: clock.now(),
          until: leaseEnd(),
        });
        const partnerKnown = stream.partnerKnown || item.message !== 'expunged';
        return isHeld ? { ...stream, failures: 0, partnerKnown } : undefined;
      }
      case 'refused': {
        const { reason } = handover;
        log.error({ ...about, reason }, 'message parked: see "svc-admin outbox list"');
        const isHeld = await parkItem(db, stream, item, {
          reason,
          now: clock.now(),
          until: leaseEnd(),
        });
        return isHeld ? { ...stream, failures: 0 } : undefined;
      }
      case 'retry': {
        const { reason, outcomeUnknown } = handover;
        const waitMs = handover.afterMs ?? backoffMs(stream.failures);
        log.warn({ ...about, reason, wait_ms: waitMs }, 'message not handed over; trying again');
        const dueAt = new Date(nowMs() + waitMs);
        await backOff(db, stream, item, { reason, dueAt, outcomeUnknown });
        return undefined;
      }
      case 'stopped':
        noteStopped(handover.reason);
        await backOff(db, stream, item, {
          reason: handover.reason,
          // The whole destination waits, so the stream does not have to.
          dueAt: clock.now(),
          outcomeUnknown: item.outcomeUnknown,
        });
        return undefined;
    }
  }

  function noteStopped(reason: string): void {
    if (stopped?.reason !== reason) log.error({ destination: name, reason }, 'relay stopped');
    stopped = { reason, tryAt: nowMs() + tuning.stoppedMs };
  }

  function clearStopped(): void {
    if (stopped) log.info({ destination: name }, 'relay works again');
    stopped = undefined;
  }

  return {
    destination: name,
    start: () => loop.start(),
    wake: () => loop.wake(),
    trouble() {
      if (stopped) return `Messages wait for ${name}, which refuses all of them: the log says why.`;
      if (!failing) return undefined;
      return `Messages wait for ${name}, which took none the last time: the log says why.`;
    },
    async stop() {
      stopping = true;
      await loop.stop();
      await Promise.all(active.values());
      await destination.close();
    },
  };
}

/** 1 s after the first failure, doubled by each further one, up to 5 min. */
function backoffMs(failures: number): number {
  return Math.min(mostBackoffMs, firstBackoffMs * 2 ** Math.min(failures, 20));
}
