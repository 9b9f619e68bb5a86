import { type Database, instant, listOf, nullable, type RowOf, raw, row, sql, text } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';
import { minutesKeptMs } from './activity/list-activity.ts';
import { deleteExpiredKeys, findExpiredKeys } from './endpoints/signing-keys.ts';
import type { EngineDeps } from './kernel/engine-deps.ts';
import type { Tuning } from './kernel/tuning.ts';
import { expireStaleLeases } from './leases/expire-leases.ts';
import { analyzeGrown } from './partitions/analyze-grown.ts';
import { createPartitions } from './partitions/create-partitions.ts';
import { deleteStray, dropExpired } from './partitions/drop-partitions.ts';
import { createOverdueReport, ownsPartitions } from './partitions/report-overdue.ts';
import { warnFailing } from './results/disable-endpoints.ts';

interface UpkeepOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly tuning: Pick<Tuning, 'upkeepMs' | 'leaseMs' | 'retentionMs' | 'vacuumAfter'>;
  /** Returns how many deliveries have ended since the start. */
  readonly finished: () => number;
  /** Deliveries of stale leases are due again. */
  readonly onDue: () => void;
  readonly vault: EngineDeps['vault'];
  readonly operational: EngineDeps['operational'];
  readonly neededSince?: EngineDeps['neededSince'];
}

export interface Upkeep {
  start(): void;
  /** Results were committed: the next turn begins within `upkeepMs`. */
  wake(): void;
  /** Resolves when the running turn has ended. */
  stop(): Promise<void>;
}

/**
 * Removes what has expired, ends stale leases, warns of failing endpoints and vacuums: a little every
 * `upkeepMs`, less often while no results are written here, and without a pause while a backlog remains.
 * Safe in several processes at once.
 */
export function createUpkeep(options: UpkeepOptions): Upkeep {
  const { db, clock, log, tuning, finished, onDue } = options;
  let finishedAtVacuum = 0;
  let vacuumedExpungesUntil = new Date(0);
  let partitionsCheckedAt = Number.NEGATIVE_INFINITY;
  let partitionsWaitMs = 0;
  const overdue = createOverdueReport(db, log);
  let leasesCheckedAt = clock.now().getTime();

  async function turn(): Promise<number> {
    const now = clock.now();
    const removed = [
      await skipDeleted(db, now),
      await deleteExpiredCounts(db, now, tuning.retentionMs),
    ];
    for (const endpoint of await findExpiredKeys(db, now)) {
      await db.transaction((tx) => deleteExpiredKeys(tx, options, endpoint, now));
    }
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
    const expunged = await findExpunged(db, vacuumedExpungesUntil);
    if (expunged.at !== null) {
      vacuumedExpungesUntil = expunged.at;
      await db.run(raw(`vacuum ${expunged.partitions.join(', ')}`));
    }
    await analyzeGrown(db);
    const hasMore = await keepPartitions(now);
    return hasMore || removed.includes(chunkRows) ? 0 : tuning.upkeepMs * idlePace;
  }

  /**
   * Creates partitions ahead and drops expired ones, or reports them if the service's role does not own
   * the tables. Returns true if there is more to do at once.
   */
  async function keepPartitions(now: Date): Promise<boolean> {
    // abs() makes the check run on time even if the clock was set back.
    if (Math.abs(now.getTime() - partitionsCheckedAt) < partitionsWaitMs) return false;
    const needed = await options.neededSince?.(db);
    const cutoff = earlierOf(new Date(now.getTime() - tuning.retentionMs), needed);
    if (!(await ownsPartitions(db))) {
      if ((await deleteStray(db, cutoff)) === 'more') return true;
      await overdue.check(now, cutoff);
      partitionsCheckedAt = now.getTime();
      partitionsWaitMs = checkPartitionsMs;
      return false;
    }
    const complete = await createPartitions(db, log, now);
    const dropped = await dropExpired(db, log, cutoff);
    if (dropped === 'more') return true;
    partitionsCheckedAt = now.getTime();
    partitionsWaitMs = complete && dropped === 'done' ? checkPartitionsMs : retryPartitionsMs;
    return false;
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
    wake: () => loop.wake(tuning.upkeepMs),
    stop: () => loop.stop(),
  };
}

function earlierOf(one: Date, other: Date | null | undefined): Date {
  return other && other < one ? other : one;
}

// Partitions are created two months ahead, so an hour is soon enough.
const checkPartitionsMs = 3_600_000;
const retryPartitionsMs = 60_000;

// Ten statements every 5 s were a sixth of what an idle service ran. Without new results, they wait for 30 s.
const idlePace = 6;

// Rows per statement. Few enough that its locks, and the single session of the embedded database, are
// never held for long.
const chunkRows = 500;

/**
 * Skips the open deliveries of deleted endpoints. Returns how many, at most a chunk. Rows that another
 * process has locked are left for a later turn: it is skipping or claiming them at this moment.
 */
async function skipDeleted(db: Database, now: Date): Promise<number> {
  return db.run(sql`
    /* many rows: a chunk of what a deleted endpoint leaves behind */
    with /* all partners */ left_behind as (
      select o.owner, o.message_id, o.endpoint_id, o.trigger
      from webhook_endpoints e
      cross join lateral (
        select owner, message_id, endpoint_id, trigger from webhook_deliveries_open
        where node is null and owner = e.owner and endpoint_id = e.id limit ${chunkRows} for update skip locked
      ) o
      where e.state = 'deleted'
      limit ${chunkRows}
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

/** Deletes expired secrets, and a chunk each of old replays and counts. Returns the number of counts. */
async function deleteExpiredCounts(db: Database, now: Date, retentionMs: number): Promise<number> {
  const minutes = new Date(now.getTime() - minutesKeptMs);
  const others = new Date(now.getTime() - retentionMs);
  await db.run(sql`
    delete /* all partners */ from webhook_secrets where expires_at <= ${now}::timestamptz`);
  await db.run(sql`
    /* many rows: a chunk of the replays that ended long ago */
    delete /* all partners */ from webhook_replays where (owner, id) in (
      select owner, id from webhook_replays where finished_at <= ${others}::timestamptz limit ${chunkRows})`);
  return db.run(sql`
    /* many rows: a chunk of counts that ended long ago */
    delete /* all partners */ from webhook_activity where ctid in (
      select ctid from webhook_activity
      where step_seconds = 60 and at < ${minutes}::timestamptz
        or step_seconds in (3600, 86400) and at < ${others}::timestamptz
      limit ${chunkRows})`);
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

const expungedRow = row('expunged messages', {
  at: nullable(instant),
  partitions: listOf(text),
});

/**
 * Returns when a message was last expunged after `since` (null if none was), and the partitions with the
 * messages expunged since then and their attempts. The bytes stay in the data files, unreadable, until a vacuum.
 */
async function findExpunged(db: Database, since: Date): Promise<RowOf<typeof expungedRow>> {
  return db.one(
    expungedRow,
    sql`
    with /* all partners */ expunged as materialized (
      select owner, id, expunged_at, tableoid from webhook_messages
      where expunged_at > ${since}::timestamptz
    )
    select max(at) as at, coalesce(array_agg(distinct tableoid::regclass::text), '{}') as partitions
    from (
      select expunged_at as at, tableoid from expunged
      union all
      select null, a.tableoid from expunged e cross join lateral (
        select tableoid from webhook_attempts
        where owner = e.owner and message_id = e.id limit 1) a
    ) touched`,
  );
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
