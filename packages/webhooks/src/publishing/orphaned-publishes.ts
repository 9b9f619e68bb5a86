import type { Tx } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Claimed } from '../kernel/claimed.ts';
import type { Tuning } from '../kernel/tuning.ts';
import type { Leases } from '../leases/leases.ts';

interface OrphanedPublishesOptions {
  readonly leases: Pick<Leases, 'release'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly tuning: Pick<Tuning, 'pollMs' | 'leaseMs'>;
  /** Released deliveries are due. */
  readonly onDue: () => void;
}

/**
 * Tracks publishes in callers' transactions, from `publishIn(tx)` until the caller reports the commit with
 * `wake(tx)`.
 */
export interface OrphanedPublishes {
  add(tx: Tx, claimed: readonly Claimed[]): void;
  /** Removes and returns the deliveries that this transaction published, for the caller to send. */
  take(tx: Tx): readonly Claimed[];
  stop(): void;
}

interface Publish {
  claimed: Claimed[];
  /** Milliseconds until the next check whether the transaction has committed. Doubles each time. */
  waitMs: number;
  readonly since: number;
  /** A release is running. */
  releasing: boolean;
  cancelTimer: () => void;
}

/**
 * If the caller commits and never calls wake(), the publish is orphaned: its deliveries are leased to
 * this process, which will not send them. So after 1 s (`pollMs`) they are released, to be claimed
 * like any other. Releasing finds nothing while the transaction is open, and after a rollback: then it
 * is tried again after twice the time, until the lease would have expired anyway.
 */
export function createOrphanedPublishes(options: OrphanedPublishesOptions): OrphanedPublishes {
  const { leases, clock, log, tuning, onDue } = options;
  const publishes = new Map<Tx, Publish>();

  function scheduleRelease(tx: Tx, publish: Publish): void {
    publish.cancelTimer = clock.after(publish.waitMs, () => void release(tx, publish));
  }

  async function release(tx: Tx, publish: Publish): Promise<void> {
    publish.releasing = true;
    const count = await leases.release(publish.claimed).catch((error: unknown) => {
      log.error({ err: error }, 'orphaned publishes could not be released; trying again');
      return 0;
    });
    publish.releasing = false;
    publish.waitMs *= 2;
    const expired = clock.now().getTime() - publish.since >= tuning.leaseMs;
    if (count > 0 || expired) publishes.delete(tx);
    // After stop() the entry is gone, and the release is not tried again.
    else if (publishes.has(tx)) scheduleRelease(tx, publish);
    if (count > 0) onDue();
  }

  return {
    add(tx, claimed) {
      if (claimed.length === 0) return;
      const known = publishes.get(tx);
      if (known) {
        known.claimed = [...known.claimed, ...claimed];
        return;
      }
      const publish: Publish = {
        claimed: [...claimed],
        waitMs: tuning.pollMs,
        since: clock.now().getTime(),
        releasing: false,
        cancelTimer() {},
      };
      publishes.set(tx, publish);
      scheduleRelease(tx, publish);
    },
    take(tx) {
      const publish = publishes.get(tx);
      // While a release is running, both it and the caller could send the deliveries. The release
      // wins: if it finds the commit, they are claimed, and if not, it runs again.
      if (!publish || publish.releasing) return [];
      publish.cancelTimer();
      publishes.delete(tx);
      return publish.claimed;
    },
    stop() {
      for (const publish of publishes.values()) publish.cancelTimer();
      publishes.clear();
    },
  };
}
