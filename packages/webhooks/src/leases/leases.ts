import { bigint, type Database, type Queryable, row, sql, type Tx } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Claimed } from '../kernel/claimed.ts';

/** The leases of this process on what it has claimed or published. */
export interface Leases {
  /** Call after the commit of an attempt or open row of these deliveries. */
  leave(deliveries: readonly Claimed[]): void;
  /** Makes claimed deliveries that were not attempted due again. Returns how many were released. */
  release(claims: readonly Claimed[]): Promise<number>;
  /** Deletes the publish leases that are empty. */
  stop(): Promise<void>;
}

// An empty lease costs only the time to read it. Deleting a hundred costs the same as deleting one.
const deleteEveryMs = 100;

/**
 * Counts down the publish leases of this process, and deletes those that every delivery has left.
 * An empty lease that a crash leaves behind is deleted when it expires.
 */
export function createLeases(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}): Leases {
  const { db, clock, log } = options;
  let empty: number[] = [];
  let deleting: Promise<void> = Promise.resolve();
  let cancelTimer: (() => void) | undefined;

  function deleteEmpty(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    const ids = empty;
    empty = [];
    if (ids.length === 0) return;
    deleting = deleting
      .then(() => deleteLeases(db, ids))
      .catch((error: unknown) => {
        log.warn({ err: error, leases: ids.length }, 'leases could not be ended: they will expire');
      });
  }

  function leave(deliveries: readonly Claimed[]): void {
    for (const { lease } of deliveries) {
      if (lease === null) continue;
      lease.remaining -= 1;
      if (lease.remaining === 0) empty.push(lease.id);
    }
    if (empty.length > 0) cancelTimer ??= clock.after(deleteEveryMs, deleteEmpty);
  }

  return {
    leave,
    async release(claims) {
      const count = await releaseClaims(db, claims);
      // Zero means that the publish has not committed, or that its lease was taken away: no delivery left it.
      if (count > 0) leave(claims);
      return count;
    },
    stop() {
      deleteEmpty();
      return deleting;
    },
  };
}

async function deleteLeases(db: Database, ids: readonly number[]): Promise<void> {
  await db.run(sql`delete from webhook_leases where id = any(${ids}::bigint[])`);
}

const countRow = row('count of released claims', { count: bigint });

/**
 * Releases claims unused: the deliveries are due as before. Claims whose lease another process has
 * taken over since are left alone. So are deliveries of a publish that has not committed, whose
 * lease this statement cannot see. Returns how many were released.
 */
export async function releaseClaims(db: Queryable, claims: readonly Claimed[]): Promise<number> {
  if (claims.length === 0) return 0;
  const { count } = await db.one(
    countRow,
    sql`
    with claim as materialized (
      select * from unnest(${claims.map((item) => item.owner)}::text[],
        ${claims.map((item) => item.messageId)}::text[],
        ${claims.map((item) => item.endpointId)}::text[],
        ${claims.map((item) => item.trigger)}::text[],
        ${claims.map((item) => item.epoch)}::int[],
        ${claims.map((item) => item.lease?.id ?? null)}::bigint[])
        as c(owner, message_id, endpoint_id, trigger, epoch, lease_id)
    ), freed as (
      -- a higher epoch means that the row was claimed again after our lease became stale
      update webhook_deliveries_open o set node = null, lease_until = null
      from claim c
      where c.lease_id is null and o.owner = c.owner and o.message_id = c.message_id
        and o.endpoint_id = c.endpoint_id and o.trigger = c.trigger and o.epoch = c.epoch
      returning 1
    ), lease as materialized (
      -- locked, so that it cannot expire before these deliveries have their own rows
      select id, due_at from webhook_leases where id in (select lease_id from claim)
      order by id for key share
    ), opened as (
      insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at)
      select c.owner, c.message_id, c.endpoint_id, l.due_at from claim c join lease l on l.id = c.lease_id
      where not exists (
        select from webhook_attempts a where a.owner = c.owner and a.message_id = c.message_id
          and a.endpoint_id = c.endpoint_id and a.error_class is null offset 0)
      on conflict (message_id, owner, endpoint_id, trigger) do nothing
      returning 1
    )
    select (select count(*) from freed) + (select count(*) from opened) as count`,
  );
  return count;
}

/**
 * Call before writing a replay's success, or a failure under a publish lease. Two of them about the
 * same delivery would otherwise each miss what the other writes: a replay's success has to cancel the
 * retry that a failure opens. With this lock the second waits, and sees what the first has written.
 * Locks: rows of webhook_leases in the order of their ids.
 */
export async function lockLeases(tx: Tx, deliveries: readonly Claimed[]): Promise<void> {
  const publishLeases = [...new Set(deliveries.flatMap(({ lease }) => lease?.id ?? []))];
  const replayed = deliveries.filter(({ trigger }) => trigger !== 'schedule');
  const messages = replayed.map(({ messageId }) => messageId);
  await tx.run(sql`
    select from webhook_leases
    where id = any(${publishLeases}::bigint[]) or message_ids && ${messages}::text[]
    order by id for update`);
}
