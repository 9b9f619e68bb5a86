import { bigint, instant, type Queryable, raw, row, sql, text } from '@svc/db';
import { timeOfId } from '../ids.ts';

const mostCounted = 100_000;

/** The kinds of items that there are, found by skipping from one to the next in the index. */
const itemKinds = raw(`
  recursive kind(state, destination) as (
    (select state, destination from outbox_item order by state, destination limit 1)
    union all
    select next.state, next.destination
    from kind k cross join lateral (
      select i.state, i.destination from outbox_item i
      where (i.state, i.destination) > (k.state, k.destination)
      order by i.state, i.destination limit 1) next
  )`);

const measuredRow = row('outbox items of one kind', {
  destination: text,
  state: text,
  count: bigint,
  oldestAt: instant,
});

/** Counts the items of each kind, at most 100000, and returns when the oldest was created. */
export async function measureOutbox(q: Queryable) {
  return q.many(
    measuredRow,
    sql`
    /* all partners */
    with ${itemKinds}
    select k.destination, k.state, c.count, o.created_at as oldest_at
    from kind k
    cross join lateral (
      select count(*) from (
        select from outbox_item i where i.state = k.state and i.destination = k.destination
        limit ${mostCounted}) counted) c
    cross join lateral (
      select created_at from outbox_item i
      where i.state = k.state and i.destination = k.destination
      order by i.message_id limit 1) o`,
  );
}

const oldestRow = row('oldest message of an item', { messageId: text });

/** Returns the time since which messages must be kept, because they are still to be handed over. Null for none. */
export async function neededSince(q: Queryable): Promise<Date | null> {
  const rows = await q.many(
    oldestRow,
    sql`
    /* many rows: a metric over all */
    /* all partners */
    with ${itemKinds}
    select o.message_id
    from kind k
    cross join lateral (
      select message_id from outbox_item i
      where i.state = k.state and i.destination = k.destination
      order by i.message_id limit 1) o`,
  );
  const times = rows.map(({ messageId }) => timeOfId(messageId).getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
