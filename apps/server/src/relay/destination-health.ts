import type { Clock, Log } from '@svc/runtime';
import type { Handover } from './destination.ts';

interface Options {
  /** The destination's name, for the log and the operator. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds between two tries while the destination is stopped. */
  readonly stoppedMs: number;
}

/** Remembers whether a destination takes messages, as its handovers show. */
export function createDestinationHealth({ name, clock, log, stoppedMs }: Options) {
  /** Set while the destination refuses everything. One stream is tried again and again. */
  let stopped: { readonly reason: string; tryAt: number } | undefined;
  let failing = false;
  const nowMs = () => clock.now().getTime();

  return {
    note(handover: Handover): void {
      failing = handover.kind === 'retry';
      if (handover.kind !== 'stopped') {
        if (stopped) log.info({ destination: name }, 'relay works again');
        stopped = undefined;
        return;
      }
      const { reason } = handover;
      if (stopped?.reason !== reason) log.error({ destination: name, reason }, 'relay stopped');
      stopped = { reason, tryAt: nowMs() + stoppedMs };
    },

    /** Returns how many of `most` streams may be served at once: one while the destination is stopped. */
    streams: (most: number) => (stopped ? 1 : most),

    /** Returns whether a stream may be tried now. While the destination is stopped, one try per `stoppedMs`. */
    takeTry(): boolean {
      if (!stopped) return true;
      if (nowMs() < stopped.tryAt) return false;
      stopped.tryAt = nowMs() + stoppedMs;
      return true;
    },

    /** The problem since the last handover, as a sentence without details; undefined if there is none. */
    trouble(): string | undefined {
      if (stopped) return `Messages wait for ${name}, which refuses all of them: the log says why.`;
      if (!failing) return undefined;
      return `Messages wait for ${name}, which took none the last time: the log says why.`;
    },
  };
}

export type DestinationHealth = ReturnType<typeof createDestinationHealth>;
