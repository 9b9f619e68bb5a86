import { nullable, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import { timeOf } from '../kernel/ids.ts';
import { limits } from '../kernel/limits.ts';
import { messageNotFound } from '../kernel/refusal.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { leftJoined } from './left-joined.ts';
import { type MessageFilter, searchLimits, selectMessages } from './select-messages.ts';
import { type MessageRow, type MessageView, messageRow, viewMessages } from './view-message.ts';

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

export interface MessageQuery extends MessageFilter {
  readonly cursor?: string;
  readonly limit: number;
}

/** A page of a list that reads a limited number of rows: it may be short and still not be the last. */
export interface SearchedPage<Item> extends Page<Item> {
  /** The time up to which a short page was searched; null for a full page and for the last one. */
  readonly searched_back_to: string | null;
}

/**
 * Lists messages, or with `test` only test sends, newest first. Conditions without an index (text, channel, times,
 * types at an endpoint) are checked message by message, up to a limit per page. A page can therefore
 * be short, or empty, and still have a next one.
 */
export async function listMessages(
  q: Queryable,
  owner: string,
  query: MessageQuery,
  search = searchLimits,
): Promise<SearchedPage<MessageView>> {
  const limit = Math.min(Math.max(1, query.limit), limits.pageSize);
  const before = query.cursor === undefined ? null : readCursor(query.cursor, 'evt');
  const rows = await q.many(pageRow, selectMessages(owner, query, before, limit + 1, search));
  const found = rows.filter(isPresent);
  const floor = rows[0]?.floor ?? null;
  const shown = found.slice(0, limit);
  const full = found.length > limit;
  const last = full ? shown.at(-1)?.id : floor;
  return {
    items: await viewMessages(q, owner, shown.toSorted(newestFirst)),
    next_cursor: last ? writeCursor(last) : null,
    searched_back_to: full || floor === null ? null : timeOf(floor).toISOString(),
  };
}

const pageRow = row('page of messages', { floor: nullable(text), ...leftJoined(messageRow) });

/** If no message matches, the result is one row with only the floor. */
function isPresent(page: RowOf<typeof pageRow>): page is MessageRow & { floor: string | null } {
  return page.id !== null;
}

/** Ids of one millisecond may come from several processes; `sequence` has the order of insertion. */
function newestFirst(one: MessageRow, other: MessageRow): number {
  return other.created_at.getTime() - one.created_at.getTime() || other.sequence - one.sequence;
}

export interface MessageDetail extends MessageView {
  /** The exact bytes that are sent, as text; null when expunged. */
  readonly body: string | null;
}

export async function getMessage(
  q: Queryable,
  owner: string,
  messageId: string,
): Promise<MessageDetail> {
  const found = await q.maybe(
    detailRow,
    sql`
    select id, sequence, type, subject, channels, custom, test, created_at, expunged_at, body
    from webhook_messages where owner = ${owner} and id = ${messageId}`,
  );
  if (!found) throw messageNotFound();
  const [view] = await viewMessages(q, owner, [found]);
  if (!view) throw messageNotFound();
  return { ...view, body: found.expunged_at === null ? found.body : null };
}

const detailRow = row('message with its body', { ...messageRow.columns, body: text });
