import { nullable, type Queryable, type RowOf, row, type Sql, sql, text } from '@svc/db';
import { timeOf } from '../kernel/ids.ts';
import { limits } from '../kernel/limits.ts';
import { type Place, readPlace, writePlace } from './cursor.ts';
import { idRange, within } from './index-range.ts';
import { leftJoined } from './left-joined.ts';
import type { SearchedPage } from './list-messages.ts';
import { ofTypes, searchLimits } from './select-messages.ts';
import {
  type AttemptRow,
  type AttemptView,
  attemptColumns,
  attemptRow,
  viewAttempt,
} from './view-attempt.ts';

export interface AttemptQuery {
  readonly endpoint_id?: string;
  readonly succeeded?: boolean;
  /** 2 for 2xx and so on; 0 for attempts without a response. */
  readonly status_class?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Exact names, and groups such as `plan.*`. */
  readonly event_types?: readonly string[];
  readonly channel?: string;
  /** Started at or after. */
  readonly since?: Date;
  /** Started before. */
  readonly until?: Date;
  readonly cursor?: string;
  readonly limit: number;
}

/**
 * Attempts of all messages without test sends, by message and then by attempt, newest first. New
 * attempts do not move the pages. The attempts of each endpoint are read from an index in this order.
 * Conditions without an index (status class, type, channel, times) are checked row by row, up to a
 * limit per page. A page can therefore be short and still have a next one.
 */
export async function findAttempts(
  q: Queryable,
  owner: string,
  query: AttemptQuery,
  search = searchLimits,
): Promise<SearchedPage<AttemptView>> {
  const limit = Math.min(Math.max(1, query.limit), limits.pageSize);
  const each = query.endpoint_id === undefined ? search.perEndpoint : search.perPage;
  const most = needsCheck(query) ? each : limit + 1;
  const candidates = selectCandidates(owner, query, most);
  const rows = await q.many(
    pageRow,
    sql`
    select floor.message_id as floor_message_id, floor.id as floor_id, page.*
    from (select) one
    left join (
      select c.message_id, c.id from (${candidates}) c
      order by c.message_id desc, c.id desc offset ${most - 1} limit 1) floor on true
    left join (
      select ${attemptColumns}, (
        select count(*)::int from webhook_attempts b
        where b.owner = a.owner and b.message_id = a.message_id
          and b.endpoint_id = a.endpoint_id and b.id <= a.id) as number
      from (${candidates}) c cross join lateral (
        select a.* from webhook_attempts a
        where a.owner = ${owner} and a.message_id = c.message_id and a.id = c.id offset 0) a
      cross join lateral (
        select from webhook_messages m
        where m.owner = ${owner} and m.id = a.message_id and not m.test ${conditions(query)}
        offset 0) m
      order by c.message_id desc, c.id desc limit ${limit + 1}) page on true`,
  );
  const found = rows.filter(isPresent);
  const floor = floorOf(rows[0]);
  const shown = found.slice(0, limit);
  const full = found.length > limit;
  const last = full ? shown.at(-1) : undefined;
  const end = last ? { messageId: last.message_id, attemptId: last.id } : floor;
  return {
    items: shown.map(viewAttempt),
    next_cursor: end && writePlace(end),
    searched_back_to: full || floor === null ? null : timeOf(floor.messageId).toISOString(),
  };
}

const pageRow = row('page of attempts', {
  floor_message_id: nullable(text),
  floor_id: nullable(text),
  ...leftJoined(attemptRow),
});
type PageRow = RowOf<typeof pageRow>;

/** Without a match there is one row, with nothing but the floor. */
function isPresent(page: PageRow): page is PageRow & AttemptRow {
  return page.id !== null;
}

/** The oldest candidate, if the page ended because it had read as many as it may. */
function floorOf(page: PageRow | undefined): Place | null {
  if (!page || page.floor_message_id === null || page.floor_id === null) return null;
  return { messageId: page.floor_message_id, attemptId: page.floor_id };
}

/** Selects `message_id` and `id` of the newest attempts, from one index for each outcome. */
function selectCandidates(owner: string, query: AttemptQuery, most: number): Sql {
  const { endpoint_id, succeeded, until } = query;
  const start = query.cursor === undefined ? null : readPlace(query.cursor);
  // The previous page may have ended among the attempts of a message, so this message is included.
  const ids = idRange(until === undefined ? {} : { until }, start && `${start.messageId}~`);
  const outcomes = [
    ...(succeeded === false ? [] : [sql`d.error_class is null`]),
    ...(succeeded === true ? [] : [sql`d.error_class is not null`]),
  ];
  const parts = outcomes.map((outcome) => {
    const range = within({
      table: sql`webhook_attempts`,
      where: sql`${outcome} and d.trigger <> 'test'`,
      key: [
        [sql`d.owner`, sql`e.owner`],
        [sql`d.endpoint_id`, sql`e.id`],
      ],
      id: sql`d.message_id`,
      ids,
    });
    return sql`
      select d.message_id, d.id from webhook_endpoints e cross join lateral (
        select d.message_id, d.id from webhook_attempts d
        where ${range}
          ${start ? sql`and (d.message_id, d.id) < (${start.messageId}, ${start.attemptId})` : nothing}
        order by d.owner desc, d.endpoint_id desc, d.message_id desc, d.id desc limit ${most}) d
      where e.owner = ${owner} ${endpoint_id === undefined ? nothing : sql`and e.id = ${endpoint_id}`}`;
  });
  const merged = parts.reduce((before, part) => sql`${before} union all ${part}`);
  return sql`select * from (${merged}) a order by a.message_id desc, a.id desc limit ${most}`;
}

function needsCheck({ status_class, event_types, channel, since, until }: AttemptQuery): boolean {
  return [status_class, event_types, channel, since, until].some((value) => value !== undefined);
}

const nothing = sql``;

function conditions(query: AttemptQuery): Sql {
  const { status_class, event_types, channel, since, until } = query;
  return sql`
    ${status_class === undefined ? nothing : sql`and coalesce(a.status / 100, 0) = ${status_class}`}
    ${event_types === undefined ? nothing : ofTypes(event_types)}
    ${channel === undefined ? nothing : sql`and m.channels @> array[${channel}::text]`}
    ${since === undefined ? nothing : sql`and a.started_at >= ${since}::timestamptz`}
    ${until === undefined ? nothing : sql`and a.started_at < ${until}::timestamptz`}`;
}
