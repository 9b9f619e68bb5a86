import { type Queryable, type Sql, sql } from '@svc/db';
import { limits } from '../limits.ts';
import { readPlace, writePlace } from './cursor.ts';
import type { Page } from './list-messages.ts';
import { newestBefore, ofTypes, pageFloor } from './select-messages.ts';
import { type AttemptRow, type AttemptView, viewAttempt } from './view-attempt.ts';

export interface AttemptQuery {
  readonly endpoint_id?: string;
  readonly succeeded?: boolean;
  /** 2 for 2xx and so on; 0 for attempts that got no answer. */
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

// No index is kept by endpoint, since every delivery would pay for it.
const lookedThrough = 5_000;

/**
 * Attempts of all messages: of the newest message first, and of each message the newest first; tests
 * are left out. What comes in meanwhile moves no page. A page looks through so many messages only,
 * so it may be short and still have a next one.
 */
export async function findAttempts(
  q: Queryable,
  owner: string,
  query: AttemptQuery,
): Promise<Page<AttemptView>> {
  const limit = Math.min(Math.max(1, query.limit), limits.pageSize);
  const start = query.cursor === undefined ? null : readPlace(query.cursor);
  const newest = query.until ? newestBefore(query.until) : null;
  const before = start?.messageId ?? newest;
  const floor = await q.maybe<{ id: string }>(pageFloor(owner, before, lookedThrough));
  const rows = await q.many<AttemptRow>(sql`
    select a.* from webhook_messages m cross join lateral (
      select a.*, row_number() over (partition by a.endpoint_id order by a.id)::int as number
      from webhook_attempts a where a.message_id = m.id) a
    where m.owner = ${owner} and not m.test
      ${floor ? sql`and m.id >= ${floor.id}` : nothing}
      ${before === null ? nothing : sql`and m.id <= ${before}`}
      ${start ? sql`and (m.id, a.id) < (${start.messageId}, ${start.attemptId})` : nothing}
      ${conditions(query)}
    order by m.id desc, a.id desc limit ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const lowest = floor && writePlace({ messageId: floor.id, attemptId: '' });
  const next = last ? writePlace({ messageId: last.message_id, attemptId: last.id }) : lowest;
  return { items: shown.map(viewAttempt), next_cursor: next ?? null };
}

const nothing = sql``;

function conditions(query: AttemptQuery): Sql {
  const { endpoint_id, succeeded, status_class, event_types, channel, since, until } = query;
  return sql`
    ${endpoint_id === undefined ? nothing : sql`and a.endpoint_id = ${endpoint_id}`}
    ${succeeded === undefined ? nothing : sql`and (a.error_class is null) = ${succeeded}::boolean`}
    ${status_class === undefined ? nothing : sql`and coalesce(a.status / 100, 0) = ${status_class}`}
    ${event_types === undefined ? nothing : ofTypes(event_types)}
    ${channel === undefined ? nothing : sql`and m.channels @> array[${channel}::text]`}
    ${since === undefined ? nothing : sql`and a.started_at >= ${since}::timestamptz`}
    ${until === undefined ? nothing : sql`and a.started_at < ${until}::timestamptz`}`;
}
