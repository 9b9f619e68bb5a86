import { bigint, type Database, instant, nullable, type RowOf, raw, row, sql, text } from '@svc/db';
import { minutesKeptMs } from './activity/list-activity.ts';
import type { Clock, EngineDeps, Log } from './kernel/engine-deps.ts';
import { firstId } from './kernel/ids.ts';
import { createLoop } from './kernel/loop.ts';
import type { Tuning } from './kernel/tuning.ts';
import { expireStaleLeases } from './leases/expire-leases.ts';
import { warnFailing } from './results/disable-endpoints.ts';

export interface UpkeepOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly tuning: Pick<Tuning, 'upkeepMs' | 'leaseMs' | 'retentionMs' | 'vacuumAfter'>;
  /** Returns how many deliveries have ended since the start. */
  readonly finished: () => number;
  /** Deliveries of stale leases are due again. */
  readonly onDue: () => void;
  readonly operational: EngineDeps['operational'];
}

export interface Upkeep {
  start(): void;
  /** Resolves when the running turn has ended. */
  stop(): Promise<void>;
}

/**
 * Removes what has expired, ends stale leases, warns of failing endpoints and vacuums: a little every
 * `upkeepMs`, and without a pause while a backlog remains. Safe in several processes at once.
 */
export function createUpkeep(options: UpkeepOptions): Upkeep {
  const { db, clock, log, tuning, finished, onDue } = options;
  let finishedAtVacuum = 0;
  let vacuumedExpungesUntil = 0;
  /** Owners up to this one were searched for expired messages; the next turn continues after it. */
  let lastOwner = '';
  let leasesCheckedAt = clock.now().getTime();

  async function turn(): Promise<number> {
    const now = clock.now();
    const removed = [
      await skipDeleted(db, now),
      await deleteExpiredMessages(new Date(now.getTime() - tuning.retentionMs)),
      await deleteExpiredCounts(db, now, tuning.retentionMs),
    ];
    await warnOwners(options, now);
    // Leases that a live process lost track of; those of dead processes expire sooner. With abs(), a
    // clock that was set back does not put the check off.
    if (Math.abs(now.getTime() - leasesCheckedAt) >= tuning.leaseMs / 2) {
      leasesCheckedAt = now.getTime();
      if ((await expireStaleLeases(db, now)) > 0) onDue();
    }
    if (finished() - finishedAtVacuum >= tuning.vacuumAfter) {
      finishedAtVacuum = finished();
      await vacuumOpen(db);
    }
    const expungedAt = await lastExpunged(db);
    if (expungedAt > vacuumedExpungesUntil) {
      vacuumedExpungesUntil = expungedAt;
      await db.run(raw('vacuum webhook_messages, webhook_attempts'));
    }
    return removed.includes(chunk) ? 0 : tuning.upkeepMs;
  }

  /** Deletes a chunk of messages from before `cutoff` with their deliveries. Returns how many. */
  async function deleteExpiredMessages(cutoff: Date): Promise<number> {
    const { deleted, owners, last } = await deleteExpiredOf(db, lastOwner, cutoff);
    // With a full chunk these owners may have more, so the next turn looks at them again.
    if (deleted < chunk) lastOwner = owners < ownersPerTurn ? '' : last;
    return deleted;
  }

  const loop = createLoop({
    clock,
    log,
    name: 'webhook upkeep',
    turn,
    retryMs: tuning.upkeepMs,
  });
  return {
    start: () => loop.start(tuning.upkeepMs),
    stop: () => loop.stop(),
  };
}

// Rows per statement. Few enough that its locks, and the single session of the embedded database, are
// never held for long.
const chunk = 500;

/**
 * Skips the open deliveries of deleted endpoints. Returns how many, at most a chunk. Rows that another
 * process has locked are left for a later turn: it is skipping or claiming them at this moment.
 */
async function skipDeleted(db: Database, now: Date): Promise<number> {
  return db.run(sql`
    with /* all partners */ left_behind as (
      select o.owner, o.message_id, o.endpoint_id, o.trigger
      from webhook_endpoints e
      cross join lateral (
        select owner, message_id, endpoint_id, trigger from webhook_deliveries_open
        where node is null and owner = e.owner and endpoint_id = e.id limit ${chunk} for update skip locked
      ) o
      where e.state = 'deleted'
      limit ${chunk}
    ), closing as (
      insert into webhook_deliveries_undelivered
        (owner, message_id, endpoint_id, state, reason, ended_at)
      select owner, message_id, endpoint_id, 'skipped', 'endpoint_deleted', ${now}::timestamptz
      from left_behind where trigger = 'schedule'
      on conflict (message_id, owner, endpoint_id) do nothing
    )
    delete from webhook_deliveries_open o using left_behind l
    where o.owner = l.owner and o.message_id = l.message_id
      and o.endpoint_id = l.endpoint_id and o.trigger = l.trigger`);
}

// How many owners one turn searches for expired messages: a few milliseconds' work.
const ownersPerTurn = 1_000;

const expiredRow = row('expired messages', { deleted: bigint, owners: bigint, last: text });

/**
 * Deletes a chunk of messages from before `cutoff`, with their deliveries, of the next owners after
 * `lastOwner`. Returns how many messages were deleted, how many owners were searched, and the last.
 *
 * Messages are indexed by owner first, and an index by time alone would cost each message 44 bytes. So
 * this steps from the oldest message of one owner to that of the next, and reads on only where it is
 * expired.
 */
async function deleteExpiredOf(
  db: Database,
  lastOwner: string,
  cutoff: Date,
): Promise<RowOf<typeof expiredRow>> {
  const end = firstId('evt', cutoff);
  return db.one(
    expiredRow,
    sql`
    with recursive /* all partners */ oldest(owner, id) as (
      (select owner, id from webhook_messages
       where owner > ${lastOwner} order by owner, id limit 1)
      union all
      select next.owner, next.id from oldest o cross join lateral (
        select m.owner, m.id from webhook_messages m
        where m.owner > o.owner order by m.owner, m.id limit 1) next
    ), searched as materialized (
      select owner, id from oldest limit ${ownersPerTurn}
    ), old as materialized (
      select m.owner, m.id from searched s cross join lateral (
        select owner, id from webhook_messages
        where owner = s.owner and id < ${end} order by id limit ${chunk}) m
      where s.id < ${end} limit ${chunk}
    ), attempts as (
      delete from webhook_attempts a using old where a.owner = old.owner and a.message_id = old.id
    ), undelivered as (
      delete from webhook_deliveries_undelivered u using old
      where u.owner = old.owner and u.message_id = old.id
    ), open as (
      delete from webhook_deliveries_open o using old
      where o.owner = old.owner and o.message_id = old.id
    ), message as (
      delete from webhook_messages m using old where m.owner = old.owner and m.id = old.id
    )
    select (select count(*) from old) as deleted, count(*) as owners,
      coalesce(max(owner), '') as last
    from searched`,
  );
}

/** Deletes expired secrets, and a chunk each of old replays and activity. Returns how many of activity. */
async function deleteExpiredCounts(db: Database, now: Date, retentionMs: number): Promise<number> {
  const minutes = new Date(now.getTime() - minutesKeptMs);
  const others = new Date(now.getTime() - retentionMs);
  await db.run(sql`
    delete /* all partners */ from webhook_secrets where expires_at <= ${now}::timestamptz`);
  await db.run(sql`
    delete /* all partners */ from webhook_replays where (owner, id) in (
      select owner, id from webhook_replays where finished_at <= ${others}::timestamptz limit ${chunk})`);
  return db.run(sql`
    delete /* all partners */ from webhook_activity where ctid in (
      select ctid from webhook_activity
      where step_seconds = 60 and at < ${minutes}::timestamptz
        or step_seconds in (3600, 86400) and at < ${others}::timestamptz
      limit ${chunk})`);
}

/** Publishes an event to the owners of endpoints that will be disabled if they keep failing. */
async function warnOwners({ db, log, operational }: UpkeepOptions, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, owner, failing_since, disables_at } of await warnFailing(tx, now)) {
      log.warn({ endpoint_id: id, owner, failing_since }, 'endpoint fails and will be disabled');
      const data = {
        endpoint_id: id,
        failing_since: failing_since.toISOString(),
        disables_at: disables_at.toISOString(),
      };
      await operational(tx, { owner, type: 'endpoint.failing', endpointId: id, data });
    }
  });
}

const expungedRow = row('last expunging', { at: nullable(instant) });

/** When a message was last expunged. Its bytes stay in the data files, unreadable, until a vacuum. */
async function lastExpunged(db: Database): Promise<number> {
  const { at } = await db.one(
    expungedRow,
    sql`
    select /* all partners */ max(expunged_at) as at from webhook_messages where expunged_at is not null`,
  );
  return at?.getTime() ?? 0;
}

/**
 * Removes the dead rows of finished deliveries, which every claim would have to skip. The server's
 * autovacuum comes once a minute at best, and the embedded database has none.
 */
async function vacuumOpen(db: Database): Promise<void> {
  await db.run(raw('vacuum (index_cleanup on) webhook_deliveries_open, webhook_leases'));
  // The embedded database has no autovacuum to keep the planner's statistics up to date.
  if (db.kind === 'embedded') {
    await db.run(raw('analyze webhook_messages, webhook_attempts, webhook_deliveries_undelivered'));
  }
}
