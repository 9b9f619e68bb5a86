import { sql, type Tx } from '@svc/db';
import { lockReplaying } from '../messages/lock-replaying.ts';
import { type Replayed, selectReplayed, stepEnd } from './select-replayed.ts';
import { takeBack } from './withdraw-unsent.ts';

/** What one step of a replay did. */
export interface Step {
  readonly sent: number;
  /** Came to an end since the last step. */
  readonly settled: number;
  /** Handed over and not yet at an end. */
  readonly underWay: number;
  readonly over: boolean;
}

// Candidates of each state that one step looks at.
const lookedAt = 2_000;

/**
 * One step, one transaction: counts what came to an end, and hands over what there is room for.
 * Locks: the replay's row, skipped when another process has it; the endpoint's row, shared.
 */
export async function stepReplay(
  tx: Tx,
  id: string,
  window: number,
  now: Date,
): Promise<Step | null> {
  const asked = await tx.maybe<{ owner: string }>(sql`
    select owner from webhook_replays where id = ${id}`);
  if (!asked) return null;
  await lockReplaying(tx, asked.owner, 'shared');
  const replay = await tx.maybe<ReplayRow>(sql`
    select owner, endpoint_id, since, until, states, event_types, rate_per_second, state, reached,
      paced_until, exists (
        select from webhook_replays o where o.endpoint_id = r.endpoint_id
          and o.finished_at is null and o.state = 'running' and o.id < r.id) as queued
    from webhook_replays r where id = ${id} and finished_at is null for update skip locked`);
  if (!replay) return null;
  const state = await stateByEndpoint(tx, id, replay);
  const settled = await settle(tx, id, replay.endpoint_id);
  const { unsent, underWay } = await tx.one<{ unsent: number; underWay: number }>(sql`
    select count(*) filter (where sent_at is null) as unsent,
      count(sent_at) as "underWay"
    from webhook_replay_messages where replay_id = ${id}`);
  const maySend = state === 'running' && !replay.queued;
  const room = maySend ? Math.min(window - underWay, allowance(replay, now)) : 0;
  const found = room > unsent ? await find(tx, id, replay, room - unsent) : null;
  const sent = room > 0 ? await send(tx, id, replay, room, now) : 0;
  const open = underWay + sent;
  const all = found?.all ?? replay.reached === 'all';
  const done = state === 'running' && all && unsent + (found?.count ?? 0) === sent && open === 0;
  const over = done || (state === 'canceled' && open === 0);
  if (over) await finish(tx, id, done, now);
  return { sent, settled, underWay: open, over };
}

interface ReplayRow extends Replayed {
  readonly rate_per_second: number | null;
  readonly state: 'running' | 'paused' | 'canceled';
  readonly reached: string | null;
  readonly paced_until: Date;
  readonly queued: boolean;
}

/** A disabled endpoint pauses its replays, a deleted one ends them. */
async function stateByEndpoint(tx: Tx, id: string, replay: ReplayRow): Promise<ReplayRow['state']> {
  if (replay.state === 'canceled') return replay.state;
  const endpoint = await tx.maybe<{ state: string }>(sql`
    select state from webhook_endpoints where id = ${replay.endpoint_id} for share`);
  const deleted = endpoint === undefined || endpoint.state === 'deleted';
  if (!deleted && (endpoint.state === 'enabled' || replay.state === 'paused')) return replay.state;
  await takeBack(tx, id, replay.endpoint_id);
  const state = deleted ? 'canceled' : 'paused';
  await tx.run(sql`update webhook_replays set state = ${state} where id = ${id}`);
  return state;
}

/**
 * An attempt that ended is written together with the end of its open row. "offset 0" keeps the
 * planner from reading a whole table instead of looking up a few rows, here and below.
 */
async function settle(tx: Tx, id: string, endpointId: string): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from webhook_replay_messages i
      where i.replay_id = ${id} and i.sent_at is not null and not exists (
        select from webhook_deliveries_open o where o.message_id = i.message_id
          and o.endpoint_id = ${endpointId} and o.trigger = 'recover' offset 0)
      returning i.message_id
    ), outcome as (
      select coalesce((
        select a.error_class is null from webhook_attempts a
        where a.message_id = e.message_id and a.endpoint_id = ${endpointId}
          and a.trigger = 'recover'
        order by a.id desc limit 1), false) as delivered
      from ended e
    ), counted as (
      update webhook_replays set
        delivered = delivered + (select count(*) from outcome where delivered),
        failed = failed + (select count(*) from outcome where not delivered)
      where id = ${id}
    )
    select from outcome`);
}

/** How many more its rate lets go now; at most a second's worth is saved up. */
function allowance({ rate_per_second, paced_until }: ReplayRow, now: Date): number {
  if (rate_per_second === null) return Number.POSITIVE_INFINITY;
  const free = Math.min(1000, now.getTime() - paced_until.getTime());
  return Math.floor((free * rate_per_second) / 1000);
}

/** The next so many go onto the replay's list. */
async function find(
  tx: Tx,
  id: string,
  replay: ReplayRow,
  count: number,
): Promise<{ count: number; all: boolean }> {
  if (replay.reached === 'all') return { count: 0, all: true };
  const after = replay.reached;
  const end = await tx.one<{ id: string | null }>(stepEnd(replay, after, lookedAt));
  const span = { after, upTo: end.id };
  const rows = await tx.many<{ id: string }>(selectReplayed(replay, span, count));
  const ids = rows.map((row) => row.id);
  const reached = ids.length === count ? ids.at(-1) : (end.id ?? 'all');
  await tx.run(sql`
    insert into webhook_replay_messages (replay_id, message_id)
    select ${id}, f from unnest(${ids}::text[]) f on conflict do nothing`);
  await tx.run(sql`update webhook_replays set reached = ${reached} where id = ${id}`);
  return { count: ids.length, all: reached === 'all' };
}

/** Puts what is on the list, oldest first, among the open deliveries, due at once. */
async function send(
  tx: Tx,
  id: string,
  { endpoint_id, rate_per_second, paced_until }: ReplayRow,
  room: number,
  now: Date,
): Promise<number> {
  const sent = await tx.run(sql`
    with next as materialized (
      select message_id from webhook_replay_messages
      where replay_id = ${id} and sent_at is null order by message_id limit ${room}
    ), never_meant as (
      insert into webhook_deliveries_undelivered (message_id, endpoint_id, state, reason, ended_at)
      select n.message_id, ${endpoint_id}, 'skipped', 'not_subscribed', ${now}::timestamptz
      from next n where not exists (
        select from webhook_attempts a
        where a.message_id = n.message_id and a.endpoint_id = ${endpoint_id} offset 0)
      on conflict (message_id, endpoint_id) do nothing
    ), opened as (
      insert into webhook_deliveries_open (message_id, endpoint_id, trigger, due_at)
      select message_id, ${endpoint_id}, 'recover', ${now}::timestamptz from next
      on conflict (message_id, endpoint_id, trigger) do nothing
    )
    update webhook_replay_messages i set sent_at = ${now}::timestamptz from next n
    where i.replay_id = ${id} and i.message_id = n.message_id`);
  if (sent === 0) return 0;
  const from = Math.max(paced_until.getTime(), now.getTime() - 1000);
  const paced = new Date(from + (sent * 1000) / (rate_per_second ?? Number.POSITIVE_INFINITY));
  await tx.run(sql`
    update webhook_replays set replayed = replayed + ${sent},
      total = greatest(total, replayed + ${sent}), paced_until = ${paced}::timestamptz
    where id = ${id}`);
  return sent;
}

/** Of a canceled one the list is given up; of a completed one the total is what was found. */
async function finish(tx: Tx, id: string, done: boolean, now: Date): Promise<void> {
  await tx.run(sql`delete from webhook_replay_messages where replay_id = ${id}`);
  await tx.run(sql`
    update webhook_replays set finished_at = ${now}::timestamptz,
      state = case when ${done} then 'completed' else state end,
      total = case when ${done} then replayed else total end
    where id = ${id}`);
}
