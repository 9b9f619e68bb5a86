import { type Queryable, type Sql, sql } from '@svc/db';
import { limits } from '../limits.ts';
import { messageNotFound } from '../refusal.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { type MessageFilter, newestBefore, pageFloor, selectMessages } from './select-messages.ts';
import { type MessageRow, type MessageView, viewMessages } from './view-message.ts';

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

export interface MessageQuery extends MessageFilter {
  readonly cursor?: string;
  readonly limit: number;
}

// Messages that one page looks through for what no index names; about a tenth of a second's work.
const lookedThrough = { each: 5_000, types: 50_000 };

/**
 * Newest first; test sends are left out. Looking for a text, a channel, types or what was delivered, a
 * page may be short and still have a next one: it looks through so many messages only.
 */
export async function listMessages(
  q: Queryable,
  owner: string,
  query: MessageQuery,
): Promise<Page<MessageView>> {
  const limit = Math.min(Math.max(1, query.limit), limits.pageSize);
  const before = query.cursor === undefined ? null : readCursor(query.cursor, 'evt');
  const from = await floorOf(q, owner, query, before);
  const rows = await q.many<MessageRow>(selectMessages(owner, query, { before, from }, limit + 1));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1)?.id : from;
  const items = await viewMessages(q, shown.toSorted(newestFirst));
  return { items, next_cursor: last ? writeCursor(last) : null };
}

/** Null when the page reaches the oldest message. */
async function floorOf(
  q: Queryable,
  owner: string,
  { until, text, event_types, channel, external_id, states }: MessageFilter,
  before: string | null,
): Promise<string | null> {
  // A subject has an index of its own, and few messages.
  const delivered = external_id === undefined && (states?.includes('delivered') ?? false);
  const each = text !== undefined || delivered;
  if (!each && event_types === undefined && channel === undefined) return null;
  const count = each ? lookedThrough.each : lookedThrough.types;
  const newest = until && newestBefore(until);
  const start = before !== null && newest !== undefined && newest < before ? newest : before;
  const floor = await q.maybe<{ id: string }>(pageFloor(owner, start ?? newest ?? null, count));
  return floor?.id ?? null;
}

/** Ids of one millisecond need not sort as they were made; what a transaction wrote has an order. */
function newestFirst(one: MessageRow, other: MessageRow): number {
  return other.created_at.getTime() - one.created_at.getTime() || other.sequence - one.sequence;
}

export interface MessageDetail extends MessageView {
  /** The exact bytes that are sent, as text; null once they are expunged. */
  readonly body: string | null;
}

export async function getMessage(
  q: Queryable,
  owner: string,
  messageId: string,
): Promise<MessageDetail> {
  const row = await q.maybe<MessageRow & { body: string }>(messageById(owner, messageId));
  if (!row) throw messageNotFound();
  const [view] = await viewMessages(q, [row]);
  if (!view) throw messageNotFound();
  return { ...view, body: row.expunged_at === null ? row.body : null };
}

function messageById(owner: string, id: string): Sql {
  return sql`
    select id, sequence, type, subject, channels, custom, test, created_at, expunged_at, body
    from webhook_messages where id = ${id} and owner = ${owner}`;
}
