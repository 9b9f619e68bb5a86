import type { Tx } from '@svc/db';
import type { Claimed } from '../kernel/claimed.ts';
import type { Clock, Log } from '../kernel/engine-deps.ts';
import type { Leases } from '../leases/leases.ts';

export interface UnwokenOptions {
  readonly release: Leases['release'];
  readonly clock: Clock;
  readonly log: Log;
  /** How long the caller may take for its commit before somebody looks. */
  readonly waitMs: number;
  readonly leaseMs: number;
  /** Deliveries became due. */
  readonly freed: () => void;
}

/** What was published in callers' transactions, until they say that these are committed. */
export interface Unwoken {
  add(tx: Tx, claimed: readonly Claimed[]): void;
  /** Takes out what is to be sent now. */
  take(tx: Tx): readonly Claimed[];
  stop(): void;
}

interface Entry {
  claimed: Claimed[];
  waitMs: number;
  readonly since: number;
  releasing: boolean;
  cancel: () => void;
}

/**
 * A caller may commit and never say so. After a while such deliveries are given back, if they are
 * there by then, and claimed like any other; a transaction that is still open is looked at again.
 */
export function createUnwoken(options: UnwokenOptions): Unwoken {
  const { release, clock, log, freed } = options;
  const entries = new Map<Tx, Entry>();

  function plan(tx: Tx, entry: Entry): void {
    entry.cancel = clock.after(entry.waitMs, () => void giveBack(tx, entry));
  }

  async function giveBack(tx: Tx, entry: Entry): Promise<void> {
    entry.releasing = true;
    const count = await release(entry.claimed).catch((error: unknown) => {
      log.error({ err: error }, 'leases could not be given back');
      return 0;
    });
    entry.releasing = false;
    entry.waitMs *= 2;
    const outlived = clock.now().getTime() - entry.since >= options.leaseMs;
    if (count > 0 || outlived) entries.delete(tx);
    else if (entries.has(tx)) plan(tx, entry);
    if (count > 0) freed();
  }

  return {
    add(tx, claimed) {
      if (claimed.length === 0) return;
      const known = entries.get(tx);
      if (known) {
        known.claimed = [...known.claimed, ...claimed];
        return;
      }
      const times = { waitMs: options.waitMs, since: clock.now().getTime() };
      const entry = { ...times, claimed: [...claimed], releasing: false, cancel() {} };
      entries.set(tx, entry);
      plan(tx, entry);
    },
    take(tx) {
      const entry = entries.get(tx);
      if (!entry || entry.releasing) return [];
      entry.cancel();
      entries.delete(tx);
      return entry.claimed;
    },
    stop() {
      for (const entry of entries.values()) entry.cancel();
      entries.clear();
    },
  };
}
