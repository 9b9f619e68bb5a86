import { type Database, raw, sql } from '@svc/db';
import { minutesKeptMs } from './activity/list-activity.ts';
import type { Clock, EngineDeps, Log } from './kernel/engine-deps.ts';
import { firstId } from './kernel/ids.ts';
import type { Tuning } from './kernel/tuning.ts';
import { endExpiredLeases } from './leases/expire-leases.ts';
import { warnFailing } from './results/disable-endpoints.ts';

export interface UpkeepOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly tuning: Pick<Tuning, 'upkeepMs' | 'leaseMs' | 'retentionMs' | 'vacuumAfter'>;
  /** Finished deliveries since the start. */
  readonly ended: () => number;
  /** Deliveries became due. */
  readonly freed: () => void;
  readonly operational: EngineDeps['operational'];
}

/** Sweeps, expires and vacuums in small steps, now and then; its stop waits for the one at hand. */
export function startUpkeep(options: UpkeepOptions): () => Promise<void> {
  const { db, clock, log, tuning, ended, freed } = options;
  let vacuumedAt = 0;
  let overwrittenUntil = 0;
  let leasesCheckedAt = clock.now().getTime();
  let stopped = false;
  let cancel = () => {};
  let running: Promise<void> | undefined;

  async function step(): Promise<boolean> {
    const now = clock.now();
    const swept = await sweepDeleted(db, now);
    const expired = await expireMessages(db, new Date(now.getTime() - tuning.retentionMs));
    const forgotten = await expireCounts(db, now, tuning.retentionMs);
    await warn(options, now);
    // Leases that their holder lost track of; those of dead processes are taken over sooner. The clock
    // may have been set back since the last check.
    if (Math.abs(now.getTime() - leasesCheckedAt) >= tuning.leaseMs / 2) {
      leasesCheckedAt = now.getTime();
      if ((await endExpiredLeases(db, now)) > 0) freed();
    }
    if (ended() - vacuumedAt >= tuning.vacuumAfter) {
      vacuumedAt = ended();
      await vacuumOpen(db);
    }
    const expungedAt = await lastExpunged(db);
    if (expungedAt > overwrittenUntil) {
      overwrittenUntil = expungedAt;
      await db.run(raw('vacuum webhook_messages, webhook_attempts'));
    }
    return [swept, expired, forgotten].includes(chunk);
  }

  function plan(ms: number): void {
    if (stopped) return;
    cancel = clock.after(ms, () => {
      running = step().then(
        (unfinished) => plan(unfinished ? 0 : tuning.upkeepMs),
        (error: unknown) => {
          log.error({ err: error }, 'webhook upkeep failed');
          plan(tuning.upkeepMs);
        },
      );
    });
  }

  plan(tuning.upkeepMs);
  return async () => {
    stopped = true;
    cancel();
    await running;
  };
}

// Small enough that a chunk never holds its locks or the one embedded session for long.
const chunk = 500;

/** Closes what deleted endpoints left open; answers how many, at most a chunk. */
async function sweepDeleted(db: Database, now: Date): Promise<number> {
  return db.run(sql`
    with left_over as (
      select o.message_id, o.endpoint_id, o.trigger
      from webhook_endpoints e
      cross join lateral (
        select message_id, endpoint_id, trigger from webhook_deliveries_open
        where node is null and endpoint_id = e.id limit ${chunk} for update skip locked
      ) o
      where e.state = 'deleted'
      limit ${chunk}
    ), closing as (
      insert into webhook_deliveries_undelivered
        (message_id, endpoint_id, state, reason, ended_at)
      select message_id, endpoint_id, 'skipped', 'endpoint_deleted', ${now}::timestamptz
      from left_over where trigger = 'schedule'
      on conflict (message_id, endpoint_id) do nothing
    )
    delete from webhook_deliveries_open o using left_over l
    where o.message_id = l.message_id and o.endpoint_id = l.endpoint_id
      and o.trigger = l.trigger`);
}

/** Removes a chunk of messages from before `cutoff`, with all that hangs on them; answers how many. */
async function expireMessages(db: Database, cutoff: Date): Promise<number> {
  return db.run(sql`
    with old as materialized (
      select id from webhook_messages
      where id < ${firstId('evt', cutoff)} order by id limit ${chunk}
    ), attempts as (
      delete from webhook_attempts where message_id in (select id from old)
    ), undelivered as (
      delete from webhook_deliveries_undelivered where message_id in (select id from old)
    ), open as (
      delete from webhook_deliveries_open where message_id in (select id from old)
    )
    delete from webhook_messages where id in (select id from old)`);
}

/** Removes a chunk of what is no longer shown of the charts, and of replays; answers how many. */
async function expireCounts(db: Database, now: Date, retentionMs: number): Promise<number> {
  const minutes = new Date(now.getTime() - minutesKeptMs);
  const others = new Date(now.getTime() - retentionMs);
  await db.run(sql`
    delete from webhook_secrets where expires_at <= ${now}::timestamptz`);
  await db.run(sql`
    delete from webhook_replays where id in (
      select id from webhook_replays where finished_at <= ${others}::timestamptz limit ${chunk})`);
  return db.run(sql`
    delete from webhook_activity where ctid in (
      select ctid from webhook_activity
      where step_seconds = 60 and at < ${minutes}::timestamptz
        or step_seconds in (3600, 86400) and at < ${others}::timestamptz
      limit ${chunk})`);
}

async function warn({ db, log, operational }: UpkeepOptions, now: Date): Promise<void> {
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

/** Until a vacuum the bytes are still in the files, as rows that nobody can read. */
async function lastExpunged(db: Database): Promise<number> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select max(expunged_at) as at from webhook_messages where expunged_at is not null`);
  return at?.getTime() ?? 0;
}

/**
 * Drops the traces of finished deliveries, which every claim would otherwise step over: the server's
 * own vacuum comes once a minute at best, and the embedded database has none.
 */
async function vacuumOpen(db: Database): Promise<void> {
  await db.run(raw('vacuum (index_cleanup on) webhook_deliveries_open, webhook_leases'));
  // Nobody else tells the embedded database's planner how its tables have grown.
  if (db.kind === 'embedded') {
    await db.run(raw('analyze webhook_messages, webhook_attempts, webhook_deliveries_undelivered'));
  }
}
