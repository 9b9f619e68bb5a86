import {
  integer,
  listOf,
  nullable,
  type Queryable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { timeOf } from '../kernel/ids.ts';
import { limits } from '../kernel/limits.ts';
import { type StatusClass, statusClasses } from '../kernel/status-class.ts';
import type { ErrorClass } from '../sending/describe-attempt.ts';
import type { Place } from './cursor.ts';
import { type IdRange, idRange, indexRangeCondition, newestIn } from './index-range.ts';
import { leftJoined } from './left-joined.ts';
import { ofTypes, type SearchLimits } from './select-messages.ts';
import { attemptColumns, attemptRow } from './view-attempt.ts';

export interface AttemptFilter {
  readonly endpoint_id?: string;
  readonly succeeded?: boolean;
  readonly status_class?: StatusClass;
  readonly error_class?: ErrorClass;
  /** Exact names, and groups such as `plan.*`. */
  readonly event_types?: readonly string[];
  /** Only attempts of messages about this tenant. */
  readonly external_id?: string;
  readonly channel?: string;
  /** Started at or after. */
  readonly since?: Date;
  /** Started before. */
  readonly until?: Date;
}

/** A stored attempt with the facts of its message that lists show. */
const listedAttemptRow = row('attempt with its message', {
  ...attemptRow.columns,
  /** Its number among the scheduled attempts of the delivery. */
  scheduled: integer,
  event_type: text,
  external_id: nullable(text),
  channels: nullable(listOf(text)),
});
export type ListedAttempt = RowOf<typeof listedAttemptRow>;

interface AttemptPage {
  readonly rows: readonly ListedAttempt[];
  /** Where the next page starts; null on the last one. */
  readonly end: Place | null;
  /** The time up to which a short page was searched; null for a full page and for the last one. */
  readonly searched_back_to: string | null;
}

/** Reads one page of attempts, newest message first, in one statement and thus one snapshot. */
export async function readAttempts(
  q: Queryable,
  owner: string,
  request: {
    readonly filter: AttemptFilter;
    readonly start: Place | null;
    readonly limit: number;
    readonly search: SearchLimits;
  },
): Promise<AttemptPage> {
  const { filter, start, search } = request;
  const limit = Math.min(Math.max(1, request.limit), limits.pageSize);
  if (outcomesOf(filter).length === 0) return { rows: [], end: null, searched_back_to: null };
  const { candidates, most } = candidatesOf(owner, filter, start, limit, search);
  const rows = await q.many(
    pageRow,
    sql`
    /* many rows: a search of the newest 5,000 */
    select floor.message_id as floor_message_id, floor.id as floor_id, page.*
    from (select) one
    left join (
      select c.message_id, c.id from (${candidates}) c
      order by c.message_id desc, c.id desc offset ${most - 1} limit 1) floor on true
    left join (
      select ${attemptColumns}, n.number, n.scheduled,
        m.type as event_type, m.subject as external_id, m.channels
      from (${candidates}) c cross join lateral (
        select a.* from webhook_attempts a
        where a.owner = ${owner} and a.message_id = c.message_id and a.id = c.id offset 0) a
      cross join lateral (
        select m.type, m.subject, m.channels from webhook_messages m
        where m.owner = ${owner} and m.id = a.message_id and not m.test ${conditions(filter)}
        offset 0) m
      cross join lateral (
        select count(*)::int as number,
          count(*) filter (where b.trigger = 'schedule')::int as scheduled
        from webhook_attempts b
        where b.owner = ${owner} and b.message_id = a.message_id
          and b.endpoint_id = a.endpoint_id and b.id <= a.id) n
      order by c.message_id desc, c.id desc limit ${limit + 1}) page on true`,
  );
  const found = rows.filter(isPresent);
  const floor = floorOf(rows[0]);
  const shown = found.slice(0, limit);
  const full = found.length > limit;
  const last = full ? shown.at(-1) : undefined;
  return {
    rows: shown,
    end: last ? { messageId: last.message_id, attemptId: last.id } : floor,
    searched_back_to: full || floor === null ? null : timeOf(floor.messageId).toISOString(),
  };
}

const pageRow = row('page of attempts', {
  floor_message_id: nullable(text),
  floor_id: nullable(text),
  ...leftJoined(listedAttemptRow),
});
type PageRow = RowOf<typeof pageRow>;

/** If no attempt matches, the result is one row with only the floor. */
function isPresent(page: PageRow): page is PageRow & ListedAttempt {
  return page.id !== null;
}

/** The oldest candidate, if the page ended because it had read as many as it may. */
function floorOf(page: PageRow | undefined): Place | null {
  if (!page || page.floor_message_id === null || page.floor_id === null) return null;
  return { messageId: page.floor_message_id, attemptId: page.floor_id };
}

interface Candidates {
  /** Selects `message_id` and `id` of attempts, newest first. */
  readonly candidates: Sql;
  /** The most candidates that it selects. */
  readonly most: number;
}

function candidatesOf(
  owner: string,
  filter: AttemptFilter,
  start: Place | null,
  limit: number,
  search: SearchLimits,
): Candidates {
  const { until, external_id } = filter;
  // The previous page may have ended among the attempts of a message, so this message is included.
  const ids = idRange(until === undefined ? {} : { until }, start && `${start.messageId}~`);
  if (external_id !== undefined) {
    const most = search.perEndpoint;
    return { candidates: ofTenant(owner, external_id, filter, start, ids, most), most };
  }
  const each = filter.endpoint_id === undefined ? search.perEndpoint : search.perPage;
  const most = needsCheck(filter) ? each : limit + 1;
  return { candidates: ofEndpoints(owner, filter, start, ids, most), most };
}

/** The newest attempts of each endpoint, from one index for each outcome. */
function ofEndpoints(
  owner: string,
  filter: AttemptFilter,
  start: Place | null,
  ids: IdRange,
  most: number,
): Sql {
  const { endpoint_id } = filter;
  const parts = outcomesOf(filter).map((outcome) => {
    const range = indexRangeCondition({
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
          ${start ? sql`and (d.message_id, d.id) < (${start.messageId}, ${start.attemptId})` : noSql}
        order by d.owner desc, d.endpoint_id desc, d.message_id desc, d.id desc limit ${most}) d
      where e.owner = ${owner} ${endpoint_id === undefined ? noSql : sql`and e.id = ${endpoint_id}`}`;
  });
  const merged = parts.reduce((before, part) => sql`${before} union all ${part}`);
  return sql`select * from (${merged}) a order by a.message_id desc, a.id desc limit ${most}`;
}

/**
 * The attempts of the tenant's newest messages. A message without one is a candidate with an empty id,
 * so the page knows how far it has read. One more message is read than candidates are kept, because
 * the message in which the previous page ended may have no attempt left.
 */
function ofTenant(
  owner: string,
  subject: string,
  filter: AttemptFilter,
  start: Place | null,
  ids: IdRange,
  most: number,
): Sql {
  const { endpoint_id } = filter;
  const outcomes = outcomesOf(filter).reduce((before, each) => sql`${before} or ${each}`);
  const messages = newestIn(
    {
      table: sql`webhook_messages`,
      where: sql`d.subject is not null and not d.test`,
      key: [
        [sql`d.owner`, sql`${owner}`],
        [sql`d.subject`, sql`${subject}`],
      ],
      id: sql`d.id`,
      ids,
    },
    most + 1,
  );
  return sql`
    select c.message_id, c.id from (
      select s.id as message_id, coalesce(d.id, '') as id
      from (${messages}) s left join lateral (
        select d.id from webhook_attempts d
        where d.owner = ${owner} and d.message_id = s.id and d.trigger <> 'test' and (${outcomes})
          ${endpoint_id === undefined ? noSql : sql`and d.endpoint_id = ${endpoint_id}`}
        order by d.id desc limit ${most}) d on true) c
    ${start ? sql`where (c.message_id, c.id) < (${start.messageId}, ${start.attemptId})` : noSql}
    order by c.message_id desc, c.id desc limit ${most}`;
}

/** The conditions of the indexes that hold the attempts. Empty if the filter contradicts itself. */
function outcomesOf({ succeeded, status_class, error_class }: AttemptFilter): readonly Sql[] {
  const excludesSuccess =
    succeeded === false ||
    error_class !== undefined ||
    (status_class !== undefined && status_class !== '2xx');
  const excludesFailure = succeeded === true || status_class === '2xx';
  return [
    ...(excludesSuccess ? [] : [sql`d.error_class is null`]),
    ...(excludesFailure ? [] : [sql`d.error_class is not null`]),
  ];
}

/** True if the filter has conditions without an index, so that candidates may not match. */
function needsCheck(filter: AttemptFilter): boolean {
  const { status_class, error_class, event_types, channel, since, until } = filter;
  // Every success is a 2xx, so the index alone answers for this class.
  const checkedClass = status_class === '2xx' ? undefined : status_class;
  return [checkedClass, error_class, event_types, channel, since, until].some(
    (value) => value !== undefined,
  );
}

const noSql = sql``;

/** Conditions on the attempt `a` and its message `m`. */
function conditions(filter: AttemptFilter): Sql {
  const { status_class, error_class, event_types, channel, since, until } = filter;
  return sql`
    ${status_class === undefined ? noSql : ofStatusClass(sql`a.status`, status_class)}
    ${error_class === undefined ? noSql : sql`and a.error_class = ${error_class}`}
    ${event_types === undefined ? noSql : ofTypes(event_types)}
    ${channel === undefined ? noSql : sql`and m.channels @> array[${channel}::text]`}
    ${since === undefined ? noSql : sql`and a.started_at >= ${since}::timestamptz`}
    ${until === undefined ? noSql : sql`and a.started_at < ${until}::timestamptz`}`;
}

/** A condition on a column with the status of an attempt. */
export function ofStatusClass(status: Sql, name: StatusClass): Sql {
  return sql`and coalesce(${status} / 100, 0) = ${statusClasses.indexOf(name)}`;
}
