import {
  instant,
  integer,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  raw,
  row,
  sql,
  text,
} from '@svc/db';
import { limits } from '../kernel/limits.ts';
import { replayNotFound } from '../kernel/refusal.ts';
import { type StatusClass, statusClass } from '../kernel/status-class.ts';
import { readCursor, writeCursor } from '../messages/cursor.ts';
import type { Page } from '../messages/list-messages.ts';
import { type ErrorClass, errorClasses } from '../sending/describe-attempt.ts';
import { type ReplayedState, replayedState } from './select-replayed.ts';

export interface ReplayView {
  /** Null for a dry run. */
  readonly id: string | null;
  readonly endpoint_id: string;
  readonly since: string;
  readonly until: string;
  readonly filter: {
    readonly states: ReplayedState[];
    /** Null: every type. */
    readonly event_types: string[] | null;
    readonly status_class: StatusClass | null;
    readonly error_class: ErrorClass | null;
    readonly external_id: string | null;
    readonly channel: string | null;
  };
  readonly state: 'running' | 'paused' | 'canceled' | 'completed';
  /** Counted at creation, up to a limit; when the replay is completed, the number that was found. */
  readonly total: number;
  /** Messages opened for delivery. Of these, `delivered` and `failed` have ended. */
  readonly replayed: number;
  readonly delivered: number;
  readonly failed: number;
  readonly rate_per_second: number | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

export async function getReplay(q: Queryable, owner: string, id: string): Promise<ReplayView> {
  const found = await q.maybe(
    replayRow,
    sql`
    select ${columns} from webhook_replays r where r.owner = ${owner} and r.id = ${id}`,
  );
  if (!found) throw replayNotFound();
  return viewReplay(found);
}

export interface ReplayQuery {
  readonly endpoint_id?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** Lists the owner's replays, newest first. */
export async function listReplays(
  q: Queryable,
  owner: string,
  query: ReplayQuery,
): Promise<Page<ReplayView>> {
  const limit = Math.min(Math.max(1, query.limit), limits.pageSize);
  const before = query.cursor === undefined ? null : readCursor(query.cursor, 'rpl');
  const { endpoint_id } = query;
  // Unused conditions are left out: with "or $1 is null", a prepared plan cannot use the index.
  const rows = await q.many(
    replayRow,
    sql`
    select ${columns} from webhook_replays r
    where r.owner = ${owner}
      ${endpoint_id === undefined ? sql`` : sql`and r.endpoint_id = ${endpoint_id}`}
      ${before === null ? sql`` : sql`and r.id < ${before}`}
    order by r.id desc limit ${limit + 1}`,
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(viewReplay), next_cursor: last ? writeCursor(last.id) : null };
}

export const replayState = oneOf('running', 'paused', 'canceled', 'completed');

const errorClass = oneOf(...errorClasses);

const replayRow = row('replay', {
  id: text,
  endpoint_id: text,
  since: instant,
  until: instant,
  states: listOf(replayedState),
  event_types: nullable(listOf(text)),
  status_class: nullable(statusClass),
  error_class: nullable(errorClass),
  external_id: nullable(text),
  channel: nullable(text),
  state: replayState,
  total: integer,
  replayed: integer,
  delivered: integer,
  failed: integer,
  rate_per_second: nullable(integer),
  created_at: instant,
  finished_at: nullable(instant),
});
type ReplayRow = RowOf<typeof replayRow>;

const columns = raw(`
  r.id, r.endpoint_id, r.since, r.until, r.states, r.event_types, r.status_class, r.error_class,
  r.subject as external_id, r.channel, r.state, r.total, r.replayed, r.delivered, r.failed, r.rate_per_second, r.created_at, r.finished_at`);

function viewReplay(replay: ReplayRow): ReplayView {
  const { states, event_types, status_class, error_class, external_id, channel, ...rest } = replay;
  return {
    ...rest,
    filter: { states, event_types, status_class, error_class, external_id, channel },
    since: rest.since.toISOString(),
    until: rest.until.toISOString(),
    created_at: rest.created_at.toISOString(),
    finished_at: rest.finished_at?.toISOString() ?? null,
  };
}
