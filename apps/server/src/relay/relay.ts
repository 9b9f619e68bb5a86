import { randomBytes } from 'node:crypto';
import type { Database } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';
import type { Destination } from './destination.ts';
import { createDestinationHealth } from './destination-health.ts';
import type { HandoverObserver } from './hand-over.ts';
import { sendItems } from './send-items.ts';
import { claimStreams, releaseStream, type Stream } from './streams.ts';

export interface RelayDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly destination: Destination;
  readonly observer?: HandoverObserver;
  readonly tuning?: Partial<RelayTuning>;
}

export interface RelayTuning {
  /** Milliseconds between two looks for work that other processes wrote. */
  readonly pollMs: number;
  readonly leaseMs: number;
  /** Streams that this process serves at the same time. */
  readonly streams: number;
  /** Milliseconds after which a handover without an answer counts as an unknown outcome. */
  readonly handoverMs: number;
  /** Milliseconds between two tries while the destination is stopped. */
  readonly stoppedMs: number;
}

const defaultTuning: RelayTuning = {
  pollMs: 1_000,
  // Longer than a handover, so that no two processes send for one stream; after a crash, it waits this long.
  leaseMs: 30_000,
  streams: 16,
  handoverMs: 20_000,
  stoppedMs: 60_000,
};

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
  const health = createDestinationHealth({ name, clock, log, stoppedMs: tuning.stoppedMs });
  const owner = randomBytes(8).toString('hex');
  /** The streams that this process serves, by partner. */
  const active = new Map<string, Promise<void>>();
  let stopping = false;
  /** The time until which a partner's stream is left alone, because a statement about it failed. */
  const pausedUntil = new Map<string, number>();

  const loop = createLoop({
    clock,
    log,
    turn,
    name: `relay to ${name}`,
    retryMs: tuning.pollMs,
  });

  const nowMs = () => clock.now().getTime();

  async function turn(): Promise<number> {
    const limit = health.streams(tuning.streams) - active.size;
    if (limit <= 0 || !health.takeTry()) return tuning.pollMs;
    for (const [partnerId, until] of pausedUntil)
      if (until <= nowMs()) pausedUntil.delete(partnerId);
    const claimed = await claimStreams(db, {
      destination: name,
      owner,
      limit,
      active: [...active.keys(), ...pausedUntil.keys()],
      now: clock.now(),
      until: new Date(nowMs() + tuning.leaseMs),
    });
    for (const stream of claimed) {
      const served = serve(stream).finally(() => {
        active.delete(stream.partnerId);
        // Other streams may be waiting for the slot, and this one may have got more items.
        loop.wake();
      });
      active.set(stream.partnerId, served);
    }
    return tuning.pollMs;
  }

  async function serve(stream: Stream): Promise<void> {
    try {
      const isHeld = await sendItems(stream, {
        ...deps,
        ...tuning,
        health,
        isStopping: () => stopping,
      });
      if (isHeld) await releaseStream(db, stream, clock.now());
    } catch (error) {
      // The lease stays. The next claim takes it, and knows that it was not released. It comes later: if
      // results cannot be recorded, the same message would be sent without a pause.
      pausedUntil.set(stream.partnerId, nowMs() + tuning.pollMs);
      log.error(
        { err: error, destination: name, partner_id: stream.partnerId },
        'relay could not read or record; trying again',
      );
    }
  }

  return {
    destination: name,
    start: () => loop.start(),
    wake: () => loop.wake(),
    trouble: health.trouble,
    async stop() {
      stopping = true;
      await loop.stop();
      await Promise.all(active.values());
      await destination.close();
    },
  };
}
