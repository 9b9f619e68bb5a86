import { bigint, nullable, oneOf, row, type Sql, sql, text } from '@svc/db';
import { firstId } from '../kernel/ids.ts';
import type { StatusClass } from '../kernel/status-class.ts';
import { type IndexRange, oldestIn } from '../messages/index-range.ts';
import { ofStatusClass } from '../messages/read-attempts.ts';
import { ofTypes } from '../messages/select-messages.ts';
import type { ErrorClass } from '../sending/describe-attempt.ts';

/**
 * The state of a message at the endpoint. `failed` is exhausted or waiting for its next attempt.
 * `never_attempted` is a message that the endpoint subscribes to now, but was not sent and is not
 * about to be.
 */
export type ReplayedState = (typeof replayedStates)[number];

const replayedStates = ['failed', 'delivered', 'never_attempted', 'skipped'] as const;

export const replayedState = oneOf(...replayedStates);

export interface Replayed {
  readonly owner: string;
  readonly endpoint_id: string;
  readonly since: Date;
  readonly until: Date;
  readonly states: readonly ReplayedState[];
  readonly event_types: readonly string[] | null;
  /** The result of the last attempt. Null selects any result, and messages without an attempt. */
  readonly status_class: StatusClass | null;
  readonly error_class: ErrorClass | null;
  /** The tenant. Null: all, and messages without one. */
  readonly subject: string | null;
  readonly channel: string | null;
}

/** The ids after `after`, up to and including `upTo`. Null means no bound. */
export interface Span {
  readonly after: string | null;
  readonly upTo: string | null;
}

/** The most messages of each state that are counted. Takes a second or two. */
export const mostCounted = 100_000;

/**
 * The limit if the last attempt of each message has to be read, too. With a million attempts stored and
 * a load of 30 on two cores, 20,000 messages took 1.7 s instead of 0.9 s, and 50,000 more than the 5 s
 * that a statement may take.
 */
export const mostCountedWithResult = 10_000;

// The time of an id can differ a little from created_at of its message.
const slackMs = 3_600_000;

function firstOf({ since }: Replayed): string {
  return firstId('evt', new Date(since.getTime() - slackMs));
}

function endOf({ until }: Replayed): string {
  return firstId('evt', new Date(until.getTime() + slackMs));
}

/**
 * Selects the `id` up to which the next `count` candidates of every state reach, or null if there are
 * no more. Candidates may not match (by type, or because they are expunged), so their number bounds
 * the work of one step or count.
 */
export function stepEnd(replayed: Replayed, after: string | null, count: number): Sql {
  const span = { after, upTo: null };
  const ends = sources(replayed, span).map(
    ({ candidates }) => sql`
      (select id from (${oldestIn(candidates, count)}) c
       order by id offset ${count - 1} limit 1)`,
  );
  const all = ends.reduce((before, end) => sql`${before} union all ${end}`);
  return sql`select min(id) as id from (${all}) f`;
}

export const stepEndRow = row('end of a step', { id: nullable(text) });

/** Selects the distinct `id`s of the messages to replay, oldest first. */
export function selectReplayed(replayed: Replayed, span: Span, limit: number): Sql {
  return sql`select id from (${matchingMessages(replayed, span, limit)}) f order by id limit ${limit}`;
}

/** Selects the `total` of messages to replay, among the oldest `mostCounted` of each state. */
export function countReplayed(replayed: Replayed, upTo: string | null): Sql {
  return sql`
    select count(*) as total from (${matchingMessages(replayed, { after: null, upTo }, mostCounted)}) f`;
}

export const totalRow = row('count of replayed messages', { total: bigint });

/** Reads each candidate by its id: "offset 0" keeps the planner from reading all messages instead. */
function matchingMessages(replayed: Replayed, span: Span, limit: number): Sql {
  const { owner, since, until, event_types, channel } = replayed;
  const parts = sources(replayed, span).map(
    ({ candidates, check }) => sql`
      (select c.id from (${oldestIn(candidates, mostCounted)}) c cross join lateral (
        select from webhook_messages m
        where m.owner = ${owner} and m.id = c.id and not m.test and m.expunged_at is null
          and m.created_at >= ${since}::timestamptz and m.created_at < ${until}::timestamptz
          ${event_types === null ? noSql : ofTypes(event_types)}
          ${channel === null ? noSql : sql`and m.channels @> array[${channel}::text]`}
          ${check} ${lastResult(replayed)} offset 0) m
      order by c.id limit ${limit})`,
  );
  return parts.reduce((before, part) => sql`${before} union ${part}`);
}

const noSql = sql``;

/** Candidates in the range of one index, and a condition that each has to meet. */
interface Source {
  readonly candidates: IndexRange;
  /** A condition on the message `m`. */
  readonly check: Sql;
}

function sources(replayed: Replayed, span: Span): Source[] {
  // '~' sorts after every character of an id, so this excludes the id itself.
  const ids = {
    from: span.after === null ? firstOf(replayed) : `${span.after}~`,
    to: span.upTo === null ? endOf(replayed) : `${span.upTo}~`,
  };
  const states = [...new Set(replayed.states)];
  if (replayed.subject !== null) {
    const candidates = { ...indexOfTenant(replayed.owner, replayed.subject), ids };
    return states.map((state) => ({ candidates, check: inState(state, replayed) }));
  }
  return states.flatMap((state) =>
    indexesOf(state, replayed).map((index) => ({
      candidates: { ...index, ids },
      check: state === 'never_attempted' ? neverAttempted(replayed) : noSql,
    })),
  );
}

function indexOfTenant(owner: string, subject: string): Omit<IndexRange, 'ids'> {
  return {
    table: sql`webhook_messages`,
    where: sql`d.subject is not null and not d.test`,
    key: [
      [sql`d.owner`, sql`${owner}`],
      [sql`d.subject`, sql`${subject}`],
    ],
    id: sql`d.id`,
  };
}

/**
 * A condition on the message `m`, equal to being in one of the indexes of the state. A tenant has few
 * messages, and an endpoint may have millions in a state, so a tenant's messages are looked up instead.
 */
function inState(state: ReplayedState, replayed: Replayed): Sql {
  const { owner, endpoint_id: endpoint } = replayed;
  const undelivered = (how: 'exhausted' | 'skipped') => sql`
    exists (select from webhook_deliveries_undelivered u
      where u.owner = ${owner} and u.message_id = m.id and u.endpoint_id = ${endpoint}
        and u.state = ${how} offset 0)`;
  switch (state) {
    case 'failed':
      return sql`and (${undelivered('exhausted')} or exists (
        select from webhook_deliveries_open o
        where o.owner = ${owner} and o.message_id = m.id and o.endpoint_id = ${endpoint}
          and o.trigger = 'schedule' and o.step > 0 offset 0))`;
    case 'skipped':
      return sql`and ${undelivered('skipped')}`;
    case 'delivered':
      return sql`and exists (
        select from webhook_attempts a
        where a.owner = ${owner} and a.message_id = m.id and a.endpoint_id = ${endpoint}
          and a.error_class is null and a.trigger <> 'test' offset 0)`;
    case 'never_attempted':
      return neverAttempted(replayed);
  }
}

/** A condition on the last attempt to send the message `m` to the endpoint. */
function lastResult({ owner, endpoint_id, status_class, error_class }: Replayed): Sql {
  if (status_class === null && error_class === null) return noSql;
  return sql`
    and exists (
      select from (
        select a.status, a.error_class from webhook_attempts a
        where a.owner = ${owner} and a.message_id = m.id and a.endpoint_id = ${endpoint_id}
          and a.trigger <> 'test'
        order by a.id desc limit 1) l
      where true
        ${status_class === null ? noSql : ofStatusClass(sql`l.status`, status_class)}
        ${error_class === null ? noSql : sql`and l.error_class = ${error_class}`})`;
}

function indexesOf(
  state: ReplayedState,
  { owner, endpoint_id }: Replayed,
): Omit<IndexRange, 'ids'>[] {
  const ofOwner = [sql`d.owner`, sql`${owner}`] as const;
  const ofEndpoint = [ofOwner, [sql`d.endpoint_id`, sql`${endpoint_id}`]] as const;
  const id = sql`d.message_id`;
  const undelivered = (how: 'exhausted' | 'skipped') => ({
    table: sql`webhook_deliveries_undelivered`,
    where: sql`true`,
    key: [...ofEndpoint, [sql`d.state`, sql`${how}`] as const],
    id,
  });
  const retrying = (where: Sql) => ({
    table: sql`webhook_deliveries_open`,
    where,
    key: ofEndpoint,
    id,
  });
  switch (state) {
    case 'failed':
      return [
        undelivered('exhausted'),
        retrying(sql`d.lease_until is null and d.step > 0`),
        // Those with a retry in flight.
        retrying(sql`d.lease_until is not null and d.trigger = 'schedule' and d.step > 0`),
      ];
    case 'skipped':
      return [undelivered('skipped')];
    case 'delivered':
      return [
        {
          table: sql`webhook_attempts`,
          where: sql`d.error_class is null and d.trigger <> 'test'`,
          key: ofEndpoint,
          id,
        },
      ];
    case 'never_attempted':
      return [
        {
          table: sql`webhook_messages`,
          where: sql`not d.test`,
          key: [ofOwner],
          id: sql`d.id`,
        },
      ];
  }
}

/** Reads the publish leases once, as a hashed set, and not again for each message. */
function neverAttempted({ owner, endpoint_id: endpoint }: Replayed): Sql {
  return sql`
    and not m.operational
    and exists (
      select from webhook_endpoints e where e.owner = ${owner} and e.id = ${endpoint}
        and (e.event_types is null or m.type = any(e.event_types)
          or regexp_replace(m.type, '[^.]*$', '*') = any(e.event_types))
        and (e.channels is null or e.channels && m.channels) offset 0)
    and not exists (
      select from webhook_attempts a
      where a.owner = ${owner} and a.message_id = m.id and a.endpoint_id = ${endpoint} offset 0)
    and not exists (
      select from webhook_deliveries_open o
      where o.owner = ${owner} and o.message_id = m.id and o.endpoint_id = ${endpoint} offset 0)
    and m.id not in (
      select l.message_id from webhook_deliveries_leased l
      where l.owner = ${owner} and l.endpoint_id = ${endpoint})`;
}
