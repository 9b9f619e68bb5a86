import { type Sql, sql } from '@svc/db';
import { firstId } from '../messages/new-id.ts';
import { ofTypes } from '../messages/select-messages.ts';

/**
 * How a message stands at the endpoint: `failed` is given up or waiting for its next attempt,
 * `never_attempted` of a type that the endpoint hears now, and neither sent there nor about to be.
 */
export type ReplayedState = 'failed' | 'delivered' | 'never_attempted' | 'skipped';

export interface Replayed {
  readonly owner: string;
  readonly endpoint_id: string;
  readonly since: Date;
  readonly until: Date;
  readonly states: readonly ReplayedState[];
  readonly event_types: readonly string[] | null;
}

/** Ids between these only; null is open. */
export interface Span {
  readonly after: string | null;
  readonly upTo: string | null;
}

/** Messages looked through to say how many there are: within a second or two. */
export const mostCounted = 100_000;

// An id may have been made a little before or after the time that its message was given.
const slackMs = 3_600_000;

export function firstOf({ since }: Replayed): string {
  return firstId('evt', new Date(since.getTime() - slackMs));
}

function endOf({ until }: Replayed): string {
  return firstId('evt', new Date(until.getTime() + slackMs));
}

/** True when the messages themselves have to be gone through: no small set names them. */
export function isWide({ states }: Replayed): boolean {
  return states.includes('delivered') || states.includes('never_attempted');
}

/** The id of the message `count` messages after `after`: how far a step may look. */
export function stepEnd(replayed: Replayed, after: string | null, count: number): Sql {
  const from = after ?? firstOf(replayed);
  return sql`
    select id from webhook_messages
    where owner = ${replayed.owner} and not test and id > ${from} and id < ${endOf(replayed)}
    order by id offset ${count - 1} limit 1`;
}

/** Rows `id` of what is to be replayed, each once, oldest first. */
export function selectReplayed(replayed: Replayed, span: Span, limit: number): Sql {
  const found = sources(replayed, span, sql`order by 1 limit ${limit}`);
  return sql`select id from (${found}) f order by id limit ${limit}`;
}

/** The row `total`: how many there are, found among so many of the oldest. */
export function countReplayed(replayed: Replayed, upTo: string | null): Sql {
  const found = sources(replayed, { after: null, upTo }, sql`limit ${mostCounted}`);
  return sql`select count(*) as total from (${found}) f`;
}

function sources(replayed: Replayed, span: Span, end: Sql): Sql {
  const parts = [...new Set(replayed.states)].flatMap((state) => source(state, replayed, span));
  const [first, ...rest] = parts.map((part) => sql`(${part} ${end})`);
  return rest.reduce((all, part) => sql`${all} union ${part}`, first ?? sql`select null as id`);
}

function source(state: ReplayedState, replayed: Replayed, span: Span): Sql[] {
  const endpoint = replayed.endpoint_id;
  const message = sql`join webhook_messages m on m.id = d.message_id`;
  const ended = (how: 'exhausted' | 'skipped') => sql`
    select d.message_id as id from webhook_deliveries_undelivered d ${message}
    where d.endpoint_id = ${endpoint} and d.state = ${how}
      and ${within(sql`d.message_id`, replayed, span)}`;
  switch (state) {
    case 'failed':
      return [ended('exhausted'), retrying(replayed, span)];
    case 'skipped':
      return [ended('skipped')];
    case 'delivered':
      return [
        sql`
        select m.id from webhook_messages m
        where ${within(sql`m.id`, replayed, span)} and exists (
          select from webhook_attempts a
          where a.message_id = m.id and a.endpoint_id = ${endpoint} and a.error_class is null
          offset 0)`,
      ];
    case 'never_attempted':
      return [neverAttempted(replayed, span)];
  }
}

/** Also those of which an attempt is under way, which no index by endpoint holds. */
function retrying(replayed: Replayed, span: Span): Sql {
  return sql`
    select d.message_id as id
    from webhook_deliveries_open d join webhook_messages m on m.id = d.message_id
    where d.endpoint_id = ${replayed.endpoint_id} and d.trigger = 'schedule' and d.step > 0
      and ${within(sql`d.message_id`, replayed, span)}`;
}

function neverAttempted(replayed: Replayed, span: Span): Sql {
  const endpoint = replayed.endpoint_id;
  return sql`
    select m.id from webhook_messages m
    join webhook_endpoints e on e.id = ${endpoint}
    where ${within(sql`m.id`, replayed, span)} and not m.operational
      and (e.event_types is null or m.type = any(e.event_types)
        or regexp_replace(m.type, '[^.]*$', '*') = any(e.event_types))
      and (e.channels is null or e.channels && m.channels)
      and not exists (
        select from webhook_attempts a where a.message_id = m.id and a.endpoint_id = ${endpoint}
        offset 0)
      and not exists (
        select from webhook_deliveries_open o
        where o.message_id = m.id and o.endpoint_id = ${endpoint} offset 0)
      and not exists (
        select from webhook_deliveries_leased l
        where l.message_id = m.id and l.endpoint_id = ${endpoint} offset 0)`;
}

function within(id: Sql, replayed: Replayed, { after, upTo }: Span): Sql {
  const { owner, since, until, event_types } = replayed;
  return sql`
    ${id} > ${after ?? firstOf(replayed)} and ${id} < ${endOf(replayed)}
    ${upTo === null ? sql`` : sql`and ${id} <= ${upTo}`}
    and m.owner = ${owner} and not m.test and m.expunged_at is null
    and m.created_at >= ${since}::timestamptz and m.created_at < ${until}::timestamptz
    ${event_types === null ? sql`` : ofTypes(event_types)}`;
}
