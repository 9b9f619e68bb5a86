import {
  bigint,
  boolean,
  instant,
  integer,
  listOf,
  nullable,
  oneOf,
  type RowOf,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { statusClass } from '../kernel/status-class.ts';
import { lockReplaying } from '../messages/lock-replaying.ts';
import { errorClasses } from '../sending/describe-attempt.ts';
import { replayedState, selectReplayed, stepEnd, stepEndRow } from './select-replayed.ts';
import { withdrawUnsent } from './withdraw-unsent.ts';

/** The result of one step of a replay. */
export interface StepResult {
  /** Messages that the step opened for delivery. */
  readonly sent: number;
  /** Messages whose attempt has ended since the last step. */
  readonly settled: number;
  /** Messages that are open for delivery after the step. */
  readonly inDelivery: number;
  readonly finished: boolean;
}

// Candidates of each state that one step reads, which bounds its duration.
const candidatesPerStep = 2_000;

/**
 * Runs one step of a replay in one transaction: counts the attempts that have ended, and opens as many
 * messages for delivery as the window and the rate allow. Returns null if another process is stepping
 * this replay, or it is finished.
 *
 * A replay keeps a list of messages (webhook_replay_messages). They are found in the order of their
 * ids, listed without `sent_at`, and get one when they are opened for delivery. A step reads up to
 * `candidatesPerStep` candidates and stores in `reached` how far it came, or `all`. So a crash between
 * two steps loses and repeats nothing.
 *
 * Locks: replaying of the owner's messages, shared; the replay's row; the endpoint's row, shared.
 */
export async function stepReplay(
  tx: Tx,
  owner: string,
  id: string,
  window: number,
  now: Date,
): Promise<StepResult | null> {
  const replay = await lockReplay(tx, owner, id);
  if (!replay) return null;
  const state = await applyEndpointState(tx, replay);
  const settled = await settle(tx, replay);
  const { listed, inDelivery } = await tx.one(
    progressRow,
    sql`
    select count(*) filter (where sent_at is null) as listed,
      count(sent_at) as in_delivery
    from webhook_replay_messages where owner = ${owner} and replay_id = ${id}`,
  );

  const maySend = state === 'running' && !replay.queued;
  const capacity = maySend ? Math.min(window - inDelivery, messagesAllowed(replay, now)) : 0;
  const found =
    capacity > listed
      ? await listMore(tx, replay, capacity - listed)
      : { count: 0, isAll: replay.reached === 'all' };
  const sent = capacity > 0 ? await send(tx, replay, capacity, now) : 0;

  const leftListed = listed + found.count - sent;
  const leftInDelivery = inDelivery + sent;
  const isCompleted = state === 'running' && found.isAll && leftListed === 0;
  const finished = leftInDelivery === 0 && (isCompleted || state === 'canceled');
  if (finished) await finishReplay(tx, replay, isCompleted, now);
  return { sent, settled, inDelivery: leftInDelivery, finished };
}

const progressRow = row('progress of a replay', { listed: bigint, inDelivery: bigint });
const endpointRow = row('endpoint of a replay', { state: oneOf('enabled', 'disabled', 'deleted') });
const foundRow = row('message to replay', { id: text });
const replayRow = row('replay to step', {
  id: text,
  owner: text,
  endpoint_id: text,
  since: instant,
  until: instant,
  states: listOf(replayedState),
  event_types: nullable(listOf(text)),
  status_class: nullable(statusClass),
  error_class: nullable(oneOf(...errorClasses)),
  subject: nullable(text),
  channel: nullable(text),
  rate_per_second: nullable(integer),
  state: oneOf('running', 'paused', 'canceled'),
  /** The id up to which messages have been found, `all` at the end, null before the first step. */
  reached: nullable(text),
  /** When the rate allows the next message. */
  paced_until: instant,
  /** An earlier replay of the endpoint is still running. */
  queued: boolean,
});
type ReplayRow = RowOf<typeof replayRow>;

/**
 * Locks the replay for this step. Skips a row that is locked: another process is stepping the replay, or
 * a caller is pausing or canceling it, and the next step finds what that one has committed.
 */
async function lockReplay(tx: Tx, owner: string, id: string): Promise<ReplayRow | undefined> {
  // Takes this lock before any row, as expunging a message does. The other order could deadlock.
  await lockReplaying(tx, owner, 'shared');
  return tx.maybe(
    replayRow,
    sql`
    select id, owner, endpoint_id, since, until, states, event_types, status_class, error_class,
      subject, channel, rate_per_second, state, reached, paced_until, exists (
        select from webhook_replays o
        where o.owner = r.owner and o.endpoint_id = r.endpoint_id
          and o.finished_at is null and o.state = 'running' and o.id < r.id) as queued
    from webhook_replays r
    where owner = ${owner} and id = ${id} and finished_at is null for update skip locked`,
  );
}

/**
 * Pauses the replay if its endpoint is disabled, and cancels it if the endpoint is deleted. The shared
 * lock keeps the endpoint's state until this step commits, so no delivery is opened after it changed.
 */
async function applyEndpointState(tx: Tx, replay: ReplayRow): Promise<ReplayRow['state']> {
  const { owner, id } = replay;
  if (replay.state === 'canceled') return replay.state;
  const endpoint = await tx.maybe(
    endpointRow,
    sql`
    select state from webhook_endpoints
    where owner = ${owner} and id = ${replay.endpoint_id} for share`,
  );
  const deleted = endpoint === undefined || endpoint.state === 'deleted';
  if (!deleted && (endpoint.state === 'enabled' || replay.state === 'paused')) return replay.state;
  await withdrawUnsent(tx, replay);
  const state = deleted ? 'canceled' : 'paused';
  await tx.run(sql`
    update webhook_replays set state = ${state} where owner = ${owner} and id = ${id}`);
  return state;
}

/**
 * Counts the messages whose attempt has ended, and takes them off the list. An attempt is stored in the
 * same statement that deletes its open row, so a sent message without an open row has an outcome.
 * "offset 0" keeps the planner from reading a whole table instead of looking up a few rows, here and
 * below.
 */
async function settle(tx: Tx, { owner, id, endpoint_id }: ReplayRow): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from webhook_replay_messages i
      where i.owner = ${owner} and i.replay_id = ${id} and i.sent_at is not null and not exists (
        select from webhook_deliveries_open o
        where o.owner = ${owner} and o.message_id = i.message_id
          and o.endpoint_id = ${endpoint_id} and o.trigger = 'recover' offset 0)
      returning i.message_id
    ), outcome as (
      select coalesce((
        select a.error_class is null from webhook_attempts a
        where a.owner = ${owner} and a.message_id = e.message_id
          and a.endpoint_id = ${endpoint_id} and a.trigger = 'recover'
        order by a.id desc limit 1), false) as delivered
      from ended e
    ), counted as (
      update webhook_replays set
        delivered = delivered + (select count(*) from outcome where delivered),
        failed = failed + (select count(*) from outcome where not delivered)
      where owner = ${owner} and id = ${id}
    )
    select from outcome`);
}

/** How many messages the rate allows now. Up to a second's worth of unused rate is carried over. */
function messagesAllowed({ rate_per_second, paced_until }: ReplayRow, now: Date): number {
  if (rate_per_second === null) return Number.POSITIVE_INFINITY;
  const free = Math.min(1000, now.getTime() - paced_until.getTime());
  return Math.floor((free * rate_per_second) / 1000);
}

/** Finds up to `count` more messages and puts them on the replay's list. */
async function listMore(
  tx: Tx,
  replay: ReplayRow,
  count: number,
): Promise<{ count: number; isAll: boolean }> {
  const { owner, id } = replay;
  if (replay.reached === 'all') return { count: 0, isAll: true };
  const after = replay.reached;
  const end = await tx.one(stepEndRow, stepEnd(replay, after, candidatesPerStep));
  const span = { after, upTo: end.id };
  const rows = await tx.many(foundRow, selectReplayed(replay, span, count));
  const ids = rows.map((found) => found.id);
  const reached = ids.length === count ? ids.at(-1) : (end.id ?? 'all');
  await tx.run(sql`
    insert into webhook_replay_messages (owner, replay_id, message_id)
    select ${owner}, ${id}, f from unnest(${ids}::text[]) f on conflict do nothing`);
  await tx.run(sql`
    update webhook_replays set reached = ${reached} where owner = ${owner} and id = ${id}`);
  return { count: ids.length, isAll: reached === 'all' };
}

/**
 * Opens the next listed messages for delivery at once, oldest first; at an ordered endpoint, each in its
 * subject's lane. A message that was never sent to this endpoint is recorded as skipped, so that it has a
 * state if the extra attempt fails.
 */
async function send(
  tx: Tx,
  { owner, id, endpoint_id, rate_per_second, paced_until }: ReplayRow,
  count: number,
  now: Date,
): Promise<number> {
  const sent = await tx.run(sql`
    with next as materialized (
      select message_id from webhook_replay_messages
      where owner = ${owner} and replay_id = ${id} and sent_at is null order by message_id limit ${count}
    ), not_subscribed as (
      insert into webhook_deliveries_undelivered
        (owner, message_id, endpoint_id, state, reason, ended_at)
      select ${owner}, n.message_id, ${endpoint_id}, 'skipped', 'not_subscribed', ${now}::timestamptz
      from next n where not exists (
        select from webhook_attempts a
        where a.owner = ${owner} and a.message_id = n.message_id
          and a.endpoint_id = ${endpoint_id} offset 0)
      on conflict (message_id, owner, endpoint_id) do nothing
    ), opened as (
      insert into webhook_deliveries_open
        (owner, message_id, endpoint_id, trigger, due_at, lane, position)
      select ${owner}, n.message_id, ${endpoint_id}, 'recover', ${now}::timestamptz, m.subject, m.sequence
      from next n left join lateral (
        select subject, sequence from webhook_messages
        where owner = ${owner} and id = n.message_id and subject is not null and (
          select ordered from webhook_endpoints where owner = ${owner} and id = ${endpoint_id})
        offset 0) m on true
      on conflict (message_id, owner, endpoint_id, trigger) do nothing
    )
    update webhook_replay_messages i set sent_at = ${now}::timestamptz from next n
    where i.owner = ${owner} and i.replay_id = ${id} and i.message_id = n.message_id`);
  if (sent === 0) return 0;
  const from = Math.max(paced_until.getTime(), now.getTime() - 1000);
  const paced = new Date(from + (sent * 1000) / (rate_per_second ?? Number.POSITIVE_INFINITY));
  await tx.run(sql`
    update webhook_replays set replayed = replayed + ${sent},
      total = greatest(total, replayed + ${sent}), paced_until = ${paced}::timestamptz
    where owner = ${owner} and id = ${id}`);
  return sent;
}

/** Ends the replay and deletes its list. The total of a completed replay is what was found. */
async function finishReplay(
  tx: Tx,
  { owner, id }: ReplayRow,
  isCompleted: boolean,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    delete from webhook_replay_messages where owner = ${owner} and replay_id = ${id}`);
  await tx.run(sql`
    update webhook_replays set finished_at = ${now}::timestamptz,
      state = case when ${isCompleted} then 'completed' else state end,
      total = case when ${isCompleted} then replayed else total end
    where owner = ${owner} and id = ${id}`);
}
