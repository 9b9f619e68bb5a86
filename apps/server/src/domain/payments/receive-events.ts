import { boolean, json, type Queryable, recordset, row, sql, text } from '@svc/db';
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

const dueRow = row('whether events are due', { due: boolean });

/** Returns whether an event in the inbox is due to be applied. */
export async function areEventsDue(q: Queryable, now: Date): Promise<boolean> {
  const { due } = await q.one(
    dueRow,
    sql`
    /* all partners: the partner is known when the event is applied */
    select (select true from processor_inbox where due_at <= ${now}
      order by due_at limit 1) is not null as due`,
  );
  return due;
}

/** An event in the inbox. */
export interface ReceivedEvent {
  readonly processor: string;
  readonly id: string;
}

/**
 * Records that applying an event was tried.
 * @param applied.ignored why the event has no effect; null if it has one
 * @param applied.again when to try again; null if the event is done
 */
export async function noteApplied(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { processor, id }: ReceivedEvent,
  { ignored, again }: { readonly ignored: string | null; readonly again: Date | null },
): Promise<void> {
  await tx.run(sql`
    /* all partners: an event's id is unique for each processor */
    update processor_inbox set tries = tries + 1, ignored = ${ignored}, due_at = ${again}::timestamptz,
      -- The digits of a card are not kept here, where the tenant's erasure would not find them.
      body = case when ${again}::timestamptz is null then body - 'card' else body end
    where processor = ${processor} and event_id = ${id}`);
}

const postponedRow = row('postponed event', { id: text });

/** Postpones by an hour the event that is due first, because applying it failed. Returns its id. */
export async function postponeEvent({
  tx,
  now,
}: Pick<UnitOfWork, 'tx' | 'now'>): Promise<string | undefined> {
  const until = new Date(now.getTime() + 3_600_000);
  const postponed = await tx.maybe(
    postponedRow,
    sql`
    /* all partners: the partner is known when the event is applied */
    update processor_inbox set due_at = ${until}, tries = tries + 1
    where (processor, event_id) = (
      select processor, event_id from processor_inbox where due_at <= ${now}
      order by due_at, received_at, event_id limit 1 for update)
    returning event_id as id`,
  );
  return postponed?.id;
}

/** Marks the reports of a dispute that waited for an operator as dealt with, so that no alert counts them. */
export async function endDisputeReports(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { processor, ref }: { readonly processor: string; readonly ref: string },
  reasons: readonly string[],
): Promise<void> {
  await tx.run(sql`
    /* all partners: an event names a dispute only */
    update processor_inbox set ignored = null
    where processor = ${processor} and ignored = any(${reasons}::text[])
      and body->>'kind' = 'disputed' and body->'dispute'->>'ref' = ${ref}`);
}
