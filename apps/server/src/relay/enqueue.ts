import { sql, type Tx, textColumn } from '@svc/db';
import type { OutgoingMessage } from '../context.ts';

/**
 * Writes one item for each message and destination, in the transaction that stores the messages. Items
 * get their positions in the order of the messages. Locks no stream: publishing transactions of one
 * partner do not wait for each other.
 */
export async function enqueue(
  tx: Tx,
  destinations: readonly string[],
  messages: readonly OutgoingMessage[],
  now: Date,
): Promise<void> {
  if (destinations.length === 0 || messages.length === 0) return;
  await tx.run(sql`
    insert into outbox_item (partner_id, destination, message_id, created_at)
    select m.owner, d.name, m.id, ${now}::timestamptz
    from unnest(
        ${textColumn(messages.map(({ id }) => id))}::text[],
        ${textColumn(messages.map(({ owner }) => owner))}::text[])
      with ordinality as m(id, owner, place)
      cross join unnest(${textColumn(destinations)}::text[]) as d(name)
    order by m.place`);
}
