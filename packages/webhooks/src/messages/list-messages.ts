import { type Queryable, type Sql, sql } from '@svc/db';
import { limits } from '../limits.ts';
import { EngineRefusal, messageNotFound } from '../refusal.ts';
import { type MessageFilter, selectMessages } from './select-messages.ts';
import { type MessageRow, type MessageView, viewMessages } from './view-message.ts';

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

export interface MessageQuery extends MessageFilter {
  readonly cursor?: string;
  readonly limit: number;
}

/** Newest first; test sends are left out. */
export async function listMessages(
  q: Queryable,
  owner: string,
  query: MessageQuery,
): Promise<Page<MessageView>> {
  const limit = Math.min(Math.max(1, query.limit), limits.pageSize);
  const before = query.cursor === undefined ? null : readCursor(query.cursor);
  const rows = await q.many<MessageRow>(selectMessages(owner, query, before, limit + 1));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const items = await viewMessages(q, shown.toSorted(newestFirst));
  return { items, next_cursor: last ? writeCursor(last.id) : null };
}

/** Ids of one millisecond need not sort as they were made; what a transaction wrote has an order. */
function newestFirst(one: MessageRow, other: MessageRow): number {
  return other.created_at.getTime() - one.created_at.getTime() || other.sequence - one.sequence;
}

/** One message with the exact bytes that are sent. */
export async function getMessage(
  q: Queryable,
  owner: string,
  messageId: string,
): Promise<MessageView & { readonly body: string }> {
  const row = await q.maybe<MessageRow & { body: string }>(messageById(owner, messageId));
  if (!row) throw messageNotFound();
  const [view] = await viewMessages(q, [row]);
  if (!view) throw messageNotFound();
  return { ...view, body: row.body };
}

function messageById(owner: string, id: string): Sql {
  return sql`
    select id, sequence, type, subject, custom, test, created_at, body
    from webhook_messages where id = ${id} and owner = ${owner}`;
}

function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (/^evt_[0-9a-z]{26}$/.test(id)) return id;
  throw new EngineRefusal(
    'invalid_cursor',
    'This cursor was not made here: take next_cursor of the page before, unchanged.',
    'cursor',
  );
}
