import { type Database, sql } from '@svc/db';
import type { Clock, Log } from '../engine-deps.ts';
import type { Claimed } from './claimed.ts';
import { release } from './release.ts';

/** The leases of this process. */
export interface Leases {
  /** An attempt or a row of their own was committed. */
  leave(gone: readonly Claimed[]): void;
  /** Gives back what is not sent; answers how many were there to be given back. */
  release(unused: readonly Claimed[]): Promise<number>;
  /** Ends what is left to be ended. */
  stop(): Promise<void>;
}

// Until then an empty lease is only one more row to look at; ending a hundred costs the same as one.
const endEveryMs = 100;

/** Ends leases that everything has left, now and then. One that a crash leaves behind is empty. */
export function createLeases(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}): Leases {
  const { db, clock, log } = options;
  let empty: string[] = [];
  let ending: Promise<void> = Promise.resolve();
  let cancel: (() => void) | undefined;

  function end(): void {
    cancel?.();
    cancel = undefined;
    const ids = empty;
    empty = [];
    if (ids.length === 0) return;
    ending = ending
      .then(() => endLeases(db, ids))
      .catch((error: unknown) => {
        log.warn({ err: error, leases: ids.length }, 'leases could not be ended: they will expire');
      });
  }

  function leave(gone: readonly Claimed[]): void {
    for (const { lease } of gone) {
      if (lease === null) continue;
      lease.left -= 1;
      if (lease.left === 0) empty.push(lease.id);
    }
    if (empty.length > 0) cancel ??= clock.after(endEveryMs, end);
  }

  return {
    leave,
    async release(unused) {
      const count = await release(db, unused);
      if (count > 0) leave(unused);
      return count;
    },
    stop() {
      end();
      return ending;
    },
  };
}

async function endLeases(db: Database, ids: readonly string[]): Promise<void> {
  await db.run(sql`delete from webhook_leases where id = any(${ids}::bigint[])`);
}
