import { type Database, type Queryable, sql, type Tx } from '@svc/db';
import type { Claimed } from '../kernel/claimed.ts';
import type { Clock, Log } from '../kernel/engine-deps.ts';

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

/** Gives leases back unused: the deliveries are due as before. Answers how many there were. */
export async function release(db: Queryable, unused: readonly Claimed[]): Promise<number> {
  if (unused.length === 0) return 0;
  const { count } = await db.one<{ count: number }>(sql`
    with unused as materialized (
      select * from unnest(${unused.map((item) => item.messageId)}::text[],
        ${unused.map((item) => item.endpointId)}::text[],
        ${unused.map((item) => item.trigger)}::text[],
        ${unused.map((item) => item.epoch)}::int[],
        ${unused.map((item) => item.lease?.id ?? null)}::bigint[])
        as u(message_id, endpoint_id, trigger, epoch, lease_id)
    ), freed as (
      update webhook_deliveries_open o set node = null, lease_until = null
      from unused u
      where u.lease_id is null and o.message_id = u.message_id
        and o.endpoint_id = u.endpoint_id and o.trigger = u.trigger and o.epoch = u.epoch
      returning 1
    ), lease as materialized (
      select id, due_at from webhook_leases where id in (select lease_id from unused)
      order by id for key share
    ), left_lease as (
      insert into webhook_deliveries_open (message_id, endpoint_id, due_at)
      select u.message_id, u.endpoint_id, l.due_at from unused u join lease l on l.id = u.lease_id
      where not exists (
        select from webhook_attempts a where a.message_id = u.message_id
          and a.endpoint_id = u.endpoint_id and a.error_class is null offset 0)
      on conflict (message_id, endpoint_id, trigger) do nothing
      returning 1
    )
    select (select count(*) from freed) + (select count(*) from left_lease) as count`);
  return count;
}

/**
 * Before a replay's success and before a failure under a shared lease is written: whichever is second
 * waits, and sees what the first has written. Locks: rows of webhook_leases, in their order.
 */
export async function lockLeases(tx: Tx, written: readonly Claimed[]): Promise<void> {
  const shared = [...new Set(written.flatMap(({ lease }) => lease?.id ?? []))];
  const replayed = written.filter(({ trigger }) => trigger !== 'schedule');
  const messages = replayed.map(({ messageId }) => messageId);
  await tx.run(sql`
    select from webhook_leases
    where id = any(${shared}::bigint[]) or message_ids && ${messages}::text[]
    order by id for update`);
}
