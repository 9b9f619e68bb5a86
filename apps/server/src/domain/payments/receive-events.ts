import { json, recordset, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import type { ProcessorEvent } from './processor.ts';

const inboxRow = row('received processor event', { id: text, body: json() });

/**
 * Stores what a processor's webhook or sweep reports, each event once. A lane applies it, so the
 * webhook can be answered as soon as this has committed. Returns how many events were new.
 */
export async function receiveEvents(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  processor: string,
  events: readonly ProcessorEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event) => ({ id: event.id, body: event }));
  return tx.run(sql`
    /* all partners: the partner is known when the event is applied */
    insert into processor_inbox (processor, event_id, body, received_at, due_at)
    select ${processor}, e.id, e.body, ${now}::timestamptz, ${now}::timestamptz
    from ${recordset(inboxRow, rows, 'e')}
    on conflict (processor, event_id) do nothing`);
}
