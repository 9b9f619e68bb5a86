import { type Queryable, type Sql, sql } from '@svc/db';
import { limits } from '../limits.ts';
import { EngineRefusal, messageNotFound } from '../refusal.ts';
import {
  type DeliveryState,
  type MessageRow,
  type MessageView,
  viewMessages,
} from './view-message.ts';

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
  readonly cursor?: string;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

/** Newest first; test sends are left out. */
export async function listMessages(
  q: Queryable,
  owner: string,
  filter: MessageFilter,
): Promise<Page<MessageView>> {
  const limit = Math.min(Math.max(1, filter.limit), limits.pageSize);
  const rows = await q.many<MessageRow & { sequence: number }>(sql`
    select m.id, m.type, m.subject, m.custom, m.test, m.created_at, m.sequence
    from webhook_messages m
    where m.owner = ${owner} and not m.test
      ${conditions(owner, filter)}
    order by m.created_at desc, m.sequence desc
    limit ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: await viewMessages(q, shown), next_cursor: last ? writeCursor(last) : null };
}

/** One message with the exact bytes that are sent. */
export async function getMessage(
  q: Queryable,
  owner: string,
  messageId: string,
): Promise<MessageView & { readonly body: string }> {
  const row = await q.maybe<MessageRow & { body: string }>(sql`
    select id, type, subject, custom, test, created_at, body
    from webhook_messages where id = ${messageId} and owner = ${owner}`);
  if (!row) throw messageNotFound();
  const [view] = await viewMessages(q, [row]);
  if (!view) throw messageNotFound();
  return { ...view, body: row.body };
}

const none = sql``;

function conditions(owner: string, filter: MessageFilter): Sql {
  const { event_type, external_id, since, until, cursor } = filter;
  const before = cursor === undefined ? undefined : readCursor(cursor);
  return sql`
    ${event_type === undefined ? none : sql`and m.type = ${event_type}`}
    ${external_id === undefined ? none : sql`and m.subject = ${external_id}`}
    ${since === undefined ? none : sql`and m.created_at >= ${since}::timestamptz`}
    ${until === undefined ? none : sql`and m.created_at < ${until}::timestamptz`}
    ${before === undefined ? none : sql`and (m.created_at, m.sequence) < (${before.createdAt}::timestamptz, ${before.sequence}::bigint)`}
    ${deliveryCondition(owner, filter)}`;
}

function deliveryCondition(owner: string, { state, endpoint_id }: MessageFilter): Sql {
  if (state === undefined && endpoint_id === undefined) return none;
  const states = state === 'failed' ? ['retrying', 'exhausted'] : [state];
  const exact = sql`
    and exists (
      select from webhook_deliveries d
      where d.message_id = m.id
        ${state === undefined ? none : sql`and d.state = any(${states}::text[])`}
        ${endpoint_id === undefined ? none : sql`and d.endpoint_id = ${endpoint_id}`})`;
  if (state === undefined || state === 'delivered' || state === 'delivering') return exact;
  // Few among many: start from the small sets instead of asking each message.
  const endpoints = sql`(select id from webhook_endpoints where owner = ${owner})`;
  return sql`
    and m.id in (
      select message_id from webhook_deliveries_open
      where node is null and endpoint_id in ${endpoints}
      union all
      select message_id from webhook_deliveries_undelivered where endpoint_id in ${endpoints})
    ${exact}`;
}

function writeCursor({ created_at, sequence }: { created_at: Date; sequence: number }): string {
  return Buffer.from(`${created_at.getTime()}.${sequence}`).toString('base64url');
}

function readCursor(cursor: string): { createdAt: Date; sequence: number } {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, time, sequence] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  if (time !== undefined && sequence !== undefined) {
    return { createdAt: new Date(Number(time)), sequence: Number(sequence) };
  }
  throw new EngineRefusal(
    'invalid_cursor',
    'This cursor was not made here: take next_cursor of the page before, unchanged.',
    'cursor',
  );
}
