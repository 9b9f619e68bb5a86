import { type Sql, sql } from '@svc/db';
import { idRange, newestIn } from './index-range.ts';
import { selectDelivered } from './select-delivered.ts';
import type { DeliveryState } from './view-message.ts';

export interface MessageFilter {
  /** States of any delivery of the message. `failed` means `retrying` or `exhausted`. */
  readonly states?: readonly (DeliveryState | 'failed')[];
  /** Exact names, and groups such as `plan.*`. */
  readonly event_types?: readonly string[];
  readonly endpoint_id?: string;
  readonly external_id?: string;
  readonly channel?: string;
  /** Created at or after. */
  readonly since?: Date;
  /** Created before. */
  readonly until?: Date;
  /** A full message id; or text within the id, the subject, the type or the body, in any case. */
  readonly text?: string;
  /** Test sends only, instead of all other messages. */
  readonly test?: boolean;
}

/** How many candidates one page reads to find its rows. */
export interface SearchLimits {
  readonly perPage: number;
  /** Of each endpoint, when the deliveries of all endpoints are merged. */
  readonly perEndpoint: number;
}

/** About a tenth of a second's work, if all bodies have to be searched. */
export const searchLimits: SearchLimits = { perPage: 5_000, perEndpoint: 1_000 };

/**
 * Selects one page of messages older than `before`, newest first, in one statement and thus one
 * snapshot. Each row also has `floor`: the oldest candidate if the page ended because it had read as
 * many candidates as it may, otherwise null. Without a match there is one row of nulls with the floor.
 *
 * Candidates are the newest ids in a range of one index: of the tenant, of the endpoints' deliveries
 * in the given states, of the types, or of the owner. Each candidate is read by its id and checked
 * against the rest of the filter. Their number is limited, which bounds the work of every combination
 * of filters.
 *
 * Inner limits and "offset 0" keep the planner from joining in the other direction: it estimates by the
 * average endpoint, so it would read all messages to find the few of a quiet one.
 */
export function selectMessages(
  owner: string,
  filter: MessageFilter,
  before: string | null,
  limit: number,
  search: SearchLimits,
): Sql {
  const { ids, most, matching } = selectCandidates(owner, filter, before, limit, search);
  return sql`
    /* many rows: a search of the newest 5,000 */
    select floor.id as floor, page.*
    from (select (
      select id from (${ids}) c order by id desc offset ${most - 1} limit 1) as id) floor
    left join (
      select ${columns}
      from (${matching}) c cross join lateral (
        select ${columns} from webhook_messages m
        where m.owner = ${owner} and m.id = c.id and ${filter.test ? sql`m.test` : sql`not m.test`} ${conditions(filter)} offset 0) m
      order by c.id desc limit ${limit}) page on true`;
}

interface Candidates {
  /** Newest first. */
  readonly ids: Sql;
  /** The most candidates that it selects. */
  readonly most: number;
  /** The candidates with a delivery that the filter asks for. */
  readonly matching: Sql;
}

function selectCandidates(
  owner: string,
  filter: MessageFilter,
  before: string | null,
  limit: number,
  search: SearchLimits,
): Candidates {
  const { endpoint_id, external_id, event_types, states = [], text } = filter;
  const ids = idRange(filter, before);
  const byDelivery = !filter.test && (states.length > 0 || endpoint_id !== undefined);
  const ofMessages = (...key: readonly (readonly [Sql, Sql])[]) => ({
    table: sql`webhook_messages`,
    where: sql`not d.test`,
    key: [[sql`d.owner`, sql`${owner}`] as const, ...key],
    id: sql`d.id`,
    ids,
  });

  const id = text === undefined ? null : messageIdIn(text);
  if (id !== null) {
    const one = sql`select ${id}::text as id where ${id} >= ${ids.from} and ${id} < ${ids.to}`;
    // The limit is one more than the single candidate, so the page never ends early.
    return { ids: one, most: 2, matching: byDelivery ? withDelivery(owner, one, filter) : one };
  }
  // Test sends are rare and in no index, so they are looked for among the newest messages.
  if (filter.test) {
    const newest = newestIn({ ...ofMessages(), where: sql`true` }, search.perPage);
    return { ids: newest, most: search.perPage, matching: newest };
  }
  if (external_id !== undefined) {
    const most = search.perEndpoint;
    const bySubject = ofMessages([sql`d.subject`, sql`${external_id}`]);
    const where = sql`d.subject is not null and not d.test`;
    const subject = newestIn({ ...bySubject, where }, most);
    return {
      ids: subject,
      most,
      matching: byDelivery ? withDelivery(owner, subject, filter) : subject,
    };
  }
  if (byDelivery) {
    const checked = event_types !== undefined || needsCheck(filter);
    const each = endpoint_id === undefined ? search.perEndpoint : search.perPage;
    const most = checked ? each : limit;
    const delivered = selectDelivered(owner, { states, endpoint_id, ids, most });
    return { ids: delivered, most, matching: delivered };
  }
  const most = needsCheck(filter) ? search.perPage : limit;
  const newest =
    event_types === undefined
      ? newestIn(ofMessages(), most)
      : sql`
        select m.id from (${typesOf(owner, event_types)}) t
        cross join lateral (${newestIn(ofMessages([sql`d.type`, sql`t.type`]), most)}) m
        order by m.id desc limit ${most}`;
  return { ids: newest, most, matching: newest };
}

/** True if the filter has conditions without an index, so that candidates may not match. */
function needsCheck({ channel, since, until, text }: MessageFilter): boolean {
  return [channel, since, until, text].some((value) => value !== undefined);
}

/** Looks up all ids in one pass. One message at a time would read every publish lease each time. */
function withDelivery(owner: string, ids: Sql, { states = [], endpoint_id }: MessageFilter): Sql {
  const selected = states.flatMap((state) =>
    state === 'failed' ? (['retrying', 'exhausted'] as const) : state,
  );
  return sql`
    select distinct d.message_id as id from webhook_deliveries d
    where d.owner = ${owner} and d.message_id = any(array(${ids}))
      ${states.length === 0 ? noSql : sql`and d.state = any(${selected}::text[])`}
      ${endpoint_id === undefined ? noSql : sql`and d.endpoint_id = ${endpoint_id}`}`;
}

/** Selects the stored types that match. For groups, it steps from one type to the next in the index. */
function typesOf(owner: string, types: readonly string[]): Sql {
  const exact = sql`select distinct unnest(${types}::text[]) as type`;
  if (!types.some(isGroup)) return exact;
  const next = (after: Sql) => sql`
    select m.type from webhook_messages m
    where m.owner = ${owner} and not m.test ${after} order by m.owner, m.type, m.id limit 1`;
  return sql`
    with recursive stored as (
      (${next(noSql)})
      union all
      select n.type from stored s cross join lateral (${next(sql`and m.type > s.type`)}) n
    )
    select m.type from stored m where true ${ofTypes(types)}`;
}

function isGroup(type: string): boolean {
  return type.endsWith('.*');
}

/** A condition on the type of the message `m`. */
export function ofTypes(types: readonly string[]): Sql {
  const groups = types.filter(isGroup);
  const exact = sql`m.type = any(${types}::text[])`;
  if (groups.length === 0) return sql`and ${exact}`;
  return sql`and (${exact} or regexp_replace(m.type, '[^.]*$', '*') = any(${groups}::text[]))`;
}

const noSql = sql``;
const columns = sql`
  m.id, m.sequence, m.type, m.subject, m.channels, m.custom, m.test, m.created_at, m.expunged_at`;

function conditions(filter: MessageFilter): Sql {
  const { event_types, external_id, endpoint_id, channel, since, until, text, test } = filter;
  return sql`
    ${test && endpoint_id !== undefined ? sentTo(endpoint_id) : noSql}
    ${event_types === undefined ? noSql : ofTypes(event_types)}
    ${external_id === undefined ? noSql : sql`and m.subject = ${external_id}`}
    ${channel === undefined ? noSql : sql`and m.channels @> array[${channel}::text]`}
    ${since === undefined ? noSql : sql`and m.created_at >= ${since}::timestamptz`}
    ${until === undefined ? noSql : sql`and m.created_at < ${until}::timestamptz`}
    ${text === undefined || messageIdIn(text) !== null ? noSql : containsText(text)}`;
}

/** A test send has no delivery, but an attempt. */
function sentTo(endpointId: string): Sql {
  return sql`and exists (select from webhook_attempts a
    where a.owner = m.owner and a.message_id = m.id and a.endpoint_id = ${endpointId})`;
}

/** The message id if the text is one, in the form in which ids are stored. */
function messageIdIn(text: string): string | null {
  const id = text.trim().toLowerCase();
  return /^evt_[0-9a-z]{26}$/.test(id) ? id : null;
}

function containsText(text: string): Sql {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  // Collation "C" ignores case for ASCII only, but is five times as fast.
  return sql`and (m.id ilike ${pattern} or m.subject ilike ${pattern} or m.type ilike ${pattern}
    or m.body collate "C" ilike ${pattern})`;
}
