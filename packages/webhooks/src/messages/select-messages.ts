import { type Sql, sql } from '@svc/db';
import { firstId } from './new-id.ts';
import type { DeliveryState } from './view-message.ts';

export interface MessageFilter {
  /** Of any delivery; `failed` is `retrying` and `exhausted`. */
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
  /** Text within the id, the subject, the type or the body, whatever its case. */
  readonly text?: string;
}

/** Between these ids, the newer one first; null is open. */
export interface MessageSpan {
  readonly before: string | null;
  readonly from: string | null;
}

/**
 * One page, newest first. Ids sort by time, so every way below walks an index from its new end and
 * stops when the page is full; the planner is left no other choice, whatever its statistics say.
 */
export function selectMessages(
  owner: string,
  filter: MessageFilter,
  span: MessageSpan,
  limit: number,
): Sql {
  // A range over `m.id` alone would not bound the walk through the other table's index.
  const wanted = (id: Sql) =>
    sql`m.owner = ${owner} and not m.test ${conditions(filter, id, span)}`;
  const states = [...new Set(filter.states)];
  if (states.length === 0 || states.includes('delivered')) {
    return sql`
      select ${columns} from webhook_messages m ${having(filter)}
      where ${wanted(sql`m.id`)} order by m.id desc limit ${limit}`;
  }
  // Few among many: from the small sets, each endpoint's newest first.
  const parts = states
    .flatMap((state) => (state === 'delivered' ? [] : sources[state]))
    .map(
      (source) => sql`
      (select distinct ${columns} from webhook_endpoints e cross join lateral (
        select ${columns} from ${source} d join webhook_messages m on m.id = d.message_id
        where d.endpoint_id = e.id and ${wanted(sql`d.message_id`)}
        order by d.message_id desc limit ${limit}) m
      where e.owner = ${owner} ${atEndpoint(filter.endpoint_id)})`,
    );
  const all = parts.reduce((before, part) => sql`${before} union ${part}`);
  return sql`select * from (${all}) m order by m.id desc limit ${limit}`;
}

/** The id of the `count`th message before `before`: how far back one page looks for a text. */
export function pageFloor(owner: string, before: string | null, count: number): Sql {
  return sql`
    select id from webhook_messages m
    where m.owner = ${owner} and not m.test
      ${before === null ? nothing : sql`and m.id < ${before}`}
    order by m.id desc offset ${count - 1} limit 1`;
}

/** Of the table `m`. */
export function ofTypes(types: readonly string[]): Sql {
  const groups = types.filter((type) => type.endsWith('.*'));
  const exact = sql`m.type = any(${types}::text[])`;
  if (groups.length === 0) return sql`and ${exact}`;
  return sql`and (${exact} or regexp_replace(m.type, '[^.]*$', '*') = any(${groups}::text[]))`;
}

const nothing = sql``;
const columns = sql`
  m.id, m.sequence, m.type, m.subject, m.channels, m.custom, m.test, m.created_at, m.expunged_at`;

const waiting = (condition: Sql) => sql`
  (select o.message_id, o.endpoint_id from webhook_deliveries_open o
   where o.node is null and o.trigger = 'schedule' and ${condition})`;
const ended = (condition: Sql) => sql`
  (select u.message_id, u.endpoint_id from webhook_deliveries_undelivered u where ${condition})`;
const enabled = sql`e.state = 'enabled'`;

const retrying = waiting(sql`o.step > 0 and ${enabled}`);
const exhausted = ended(sql`u.state = 'exhausted'`);
const sources: Record<Exclude<DeliveryState, 'delivered'> | 'failed', Sql[]> = {
  pending: [waiting(sql`o.step = 0 and ${enabled}`)],
  delivering: [
    sql`(select o.message_id, o.endpoint_id from webhook_deliveries_open o
         where o.node is not null)`,
    sql`webhook_deliveries_leased`,
  ],
  retrying: [retrying],
  exhausted: [exhausted],
  failed: [retrying, exhausted],
  held: [waiting(sql`e.state = 'disabled'`)],
  skipped: [ended(sql`u.state = 'skipped'`), waiting(sql`e.state = 'deleted'`)],
};

function conditions(filter: MessageFilter, id: Sql, { before, from }: MessageSpan): Sql {
  const { event_types, external_id, channel, since, until, text } = filter;
  return sql`
    ${event_types === undefined ? nothing : ofTypes(event_types)}
    ${external_id === undefined ? nothing : sql`and m.subject = ${external_id}`}
    ${channel === undefined ? nothing : sql`and m.channels @> array[${channel}::text]`}
    ${since === undefined ? nothing : createdSince(since, id)}
    ${until === undefined ? nothing : createdBefore(until, id)}
    ${before === null ? nothing : sql`and ${id} < ${before}`}
    ${from === null ? nothing : sql`and ${id} >= ${from}`}
    ${text === undefined ? nothing : containing(text)}`;
}

function containing(text: string): Sql {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  // Collation "C" folds the case of ASCII only, five times as fast.
  return sql`and (m.id ilike ${pattern} or m.subject ilike ${pattern} or m.type ilike ${pattern}
    or m.body collate "C" ilike ${pattern})`;
}

// An id may have been made a little before or after the time that its message was given.
const slackMs = 3_600_000;

function createdSince(since: Date, id: Sql): Sql {
  const from = firstId('evt', new Date(since.getTime() - slackMs));
  return sql`and ${id} >= ${from} and m.created_at >= ${since}::timestamptz`;
}

/** No message created before `until` has an id from here on. */
export function newestBefore(until: Date): string {
  return firstId('evt', new Date(until.getTime() + slackMs));
}

function createdBefore(until: Date, id: Sql): Sql {
  return sql`and ${id} < ${newestBefore(until)} and m.created_at < ${until}::timestamptz`;
}

/** Looked up message by message: most have what is asked for. */
function having({ states = [], endpoint_id }: MessageFilter): Sql {
  if (states.length === 0 && endpoint_id === undefined) return nothing;
  const wanted = states.flatMap((state) =>
    state === 'failed' ? (['retrying', 'exhausted'] as const) : state,
  );
  return sql`
    cross join lateral (
      select from webhook_deliveries d
      where d.message_id = m.id
        ${states.length === 0 ? nothing : sql`and d.state = any(${wanted}::text[])`}
        ${endpoint_id === undefined ? nothing : sql`and d.endpoint_id = ${endpoint_id}`}
      limit 1) d`;
}

function atEndpoint(id: string | undefined): Sql {
  return id === undefined ? nothing : sql`and e.id = ${id}`;
}
