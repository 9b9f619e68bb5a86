import { type Queryable, raw, sql } from '@svc/db';
import { limits } from '../kernel/limits.ts';
import { replayNotFound } from '../kernel/refusal.ts';
import { readCursor, writeCursor } from '../messages/cursor.ts';
import type { Page } from '../messages/list-messages.ts';
import type { ReplayedState } from './select-replayed.ts';

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
  const row = await q.maybe<ReplayRow>(sql`
    select ${columns} from webhook_replays r where r.id = ${id} and r.owner = ${owner}`);
  if (!row) throw replayNotFound();
  return viewReplay(row);
}

export interface ReplayQuery {
  readonly endpoint_id?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** Newest first. */
export async function listReplays(
  q: Queryable,
  owner: string,
  query: ReplayQuery,
): Promise<Page<ReplayView>> {
  const limit = Math.min(Math.max(1, query.limit), limits.pageSize);
  const before = query.cursor === undefined ? null : readCursor(query.cursor, 'rpl');
  const { endpoint_id } = query;
  // Unused conditions are left out: with "or $1 is null", a prepared plan cannot use the index.
  const rows = await q.many<ReplayRow>(sql`
    select ${columns} from webhook_replays r
    where r.owner = ${owner}
      ${endpoint_id === undefined ? sql`` : sql`and r.endpoint_id = ${endpoint_id}`}
      ${before === null ? sql`` : sql`and r.id < ${before}`}
    order by r.id desc limit ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(viewReplay), next_cursor: last ? writeCursor(last.id) : null };
}

interface ReplayRow {
  id: string;
  endpoint_id: string;
  since: Date;
  until: Date;
  states: ReplayedState[];
  event_types: string[] | null;
  state: ReplayView['state'];
  total: number;
  replayed: number;
  delivered: number;
  failed: number;
  rate_per_second: number | null;
  created_at: Date;
  finished_at: Date | null;
}

const columns = raw(`
  r.id, r.endpoint_id, r.since, r.until, r.states, r.event_types, r.state, r.total, r.replayed,
  r.delivered, r.failed, r.rate_per_second, r.created_at, r.finished_at`);

function viewReplay({ states, event_types, ...row }: ReplayRow): ReplayView {
  return {
    ...row,
    filter: { states, event_types },
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
