import { bigint, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import { limits } from '../kernel/limits.ts';
import { messageNotFound } from '../kernel/refusal.ts';

export interface FeedPage {
  /** The bodies of the webhooks, byte for byte. */
  readonly items: { readonly id: string; readonly body: string }[];
  /** True if there are more events after the last one. */
  readonly has_more: boolean;
}

const eventRow = row('event', { id: text, body: text });
const positionRow = row('position in the feed', { inserted_by: text, sequence: bigint });

/**
 * The owner's messages in the order of their transactions, without test sends and expunged messages. A
 * message is included only when every transaction that began writing before it has ended. So no
 * message can appear before one that was already read: a reader that continues after the last id
 * misses none.
 */
export async function listEvents(
  q: Queryable,
  owner: string,
  after: string | null,
  limit: number,
): Promise<FeedPage> {
  const size = Math.min(Math.max(1, limit), limits.pageSize);
  const start =
    after === null ? { inserted_by: '0', sequence: 0 } : await findPosition(q, owner, after);
  const rows = await q.many(
    eventRow,
    sql`
    select id, body from webhook_messages
    where owner = ${owner} and not test and expunged_at is null
      and (inserted_by, sequence) > (${start.inserted_by}::xid8, ${start.sequence}::bigint)
      and inserted_by < pg_snapshot_xmin(pg_current_snapshot())
    order by inserted_by, sequence limit ${size + 1}`,
  );
  return { items: rows.slice(0, size), has_more: rows.length > size };
}

/** The messages about one subject, oldest first, without test sends, custom and expunged messages. */
export function listSubjectEvents(
  q: Queryable,
  owner: string,
  subject: string,
  limit: number,
): Promise<FeedPage['items']> {
  return q.many(
    eventRow,
    sql`
    /* many rows: the messages about one subject, up to the limit */
    select id, body from webhook_messages
    where owner = ${owner} and subject = ${subject} and not test and not custom
      and expunged_at is null
    order by id limit ${limit}`,
  );
}

async function findPosition(
  q: Queryable,
  owner: string,
  id: string,
): Promise<RowOf<typeof positionRow>> {
  const row = await q.maybe(
    positionRow,
    sql`
    select inserted_by::text, sequence from webhook_messages
    where owner = ${owner} and id = ${id}`,
  );
  if (!row) throw messageNotFound();
  return row;
}
