import { type Sql, sql } from '@svc/db';
import { firstId } from './new-id.ts';
import type { DeliveryState } from './view-message.ts';

export interface MessageFilter {
  /** Of any delivery; `failed` is `retrying` or `exhausted`. */
  readonly state?: DeliveryState | 'failed';
  readonly event_type?: string;
  readonly endpoint_id?: string;
  readonly external_id?: string;
  /** Created at or after. */
  readonly since?: Date;
  /** Created before. */
  readonly until?: Date;
}

/**
 * One page, newest first. Ids sort by time, so every way below walks an index from its new end and
 * stops when the page is full; the planner is left no other choice, whatever its statistics say.
 */
export function selectMessages(
  owner: string,
  filter: MessageFilter,
  before: string | null,
  limit: number,
): Sql {
  const wanted = sql`m.owner = ${owner} and not m.test ${conditions(filter, before)}`;
  const { state } = filter;
  if (state === undefined || state === 'delivered') {
    return sql`
      select ${columns} from webhook_messages m ${having(filter)}
      where ${wanted} order by m.id desc limit ${limit}`;
  }
  // Few among many: from the small sets, each endpoint's newest first.
  const parts = sources[state].map(
    (source) => sql`
      (select distinct ${columns} from webhook_endpoints e cross join lateral (
        select ${columns} from ${source} d join webhook_messages m on m.id = d.message_id
        where d.endpoint_id = e.id and ${wanted}
        order by d.message_id desc limit ${limit}) m
      where e.owner = ${owner} ${atEndpoint(filter.endpoint_id)})`,
  );
  const [first = nothing, second] = parts;
  const all = second ? sql`${first} union ${second}` : first;
  return sql`select * from (${all}) m order by m.id desc limit ${limit}`;
}

const nothing = sql``;
const columns = sql`m.id, m.sequence, m.type, m.subject, m.custom, m.test, m.created_at`;

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
  ],
  retrying: [retrying],
  exhausted: [exhausted],
  failed: [retrying, exhausted],
  held: [waiting(sql`e.state = 'disabled'`)],
  skipped: [ended(sql`u.state = 'skipped'`), waiting(sql`e.state = 'deleted'`)],
};

function conditions(filter: MessageFilter, before: string | null): Sql {
  const { event_type, external_id, since, until } = filter;
  return sql`
    ${event_type === undefined ? nothing : sql`and m.type = ${event_type}`}
    ${external_id === undefined ? nothing : sql`and m.subject = ${external_id}`}
    ${since === undefined ? nothing : createdSince(since)}
    ${until === undefined ? nothing : createdBefore(until)}
    ${before === null ? nothing : sql`and m.id < ${before}`}`;
}

// An id may have been made a little before or after the time that its message was given.
const slackMs = 3_600_000;

function createdSince(since: Date): Sql {
  const from = firstId('evt', new Date(since.getTime() - slackMs));
  return sql`and m.id >= ${from} and m.created_at >= ${since}::timestamptz`;
}

function createdBefore(until: Date): Sql {
  const to = firstId('evt', new Date(until.getTime() + slackMs));
  return sql`and m.id < ${to} and m.created_at < ${until}::timestamptz`;
}

/** Looked up message by message: most have what is asked for. */
function having({ state, endpoint_id }: MessageFilter): Sql {
  if (state === undefined && endpoint_id === undefined) return nothing;
  return sql`
    cross join lateral (
      select from webhook_deliveries d
      where d.message_id = m.id
        ${state === undefined ? nothing : sql`and d.state = ${state}`}
        ${endpoint_id === undefined ? nothing : sql`and d.endpoint_id = ${endpoint_id}`}
      limit 1) d`;
}

function atEndpoint(id: string | undefined): Sql {
  return id === undefined ? nothing : sql`and e.id = ${id}`;
}
