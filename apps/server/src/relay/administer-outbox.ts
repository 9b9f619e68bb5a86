import {
  bigint,
  boolean,
  instant,
  integer,
  nullable,
  type Queryable,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { type Listed, listNewest, mostListed } from '../domain/listed.ts';
import { requirePartner } from '../domain/partners/find-partner.ts';
import { Refusal } from '../domain/refusal.ts';

/** A partner's messages that a destination does not have yet. */
interface WaitingStream {
  readonly pms: string;
  readonly destination: string;
  readonly waiting: number;
  readonly oldest_at: string;
  /** Consecutive failures. */
  readonly failures: number;
  readonly last_error: string | null;
  /** Null while a process is handing them over, or will at once. */
  readonly next_try_at: string | null;
}

/** A message that a destination refused for good. */
interface ParkedItem {
  readonly pms: string;
  readonly destination: string;
  readonly message_id: string;
  /** Null if the message is no longer stored. */
  readonly type: string | null;
  readonly parked_at: string;
  readonly reason: string;
}

export interface OutboxState {
  readonly streams: readonly WaitingStream[];
  readonly parked: Listed<ParkedItem>;
}

const streamRow = row('waiting stream', {
  pms: text,
  destination: text,
  waiting: bigint,
  oldest_at: instant,
  failures: integer,
  last_error: nullable(text),
  next_try_at: nullable(instant),
});

const parkedRow = row('parked item', {
  pms: text,
  destination: text,
  message_id: text,
  type: nullable(text),
  parked_at: instant,
  reason: text,
});

/** The waiting streams and the parked messages of one partner, or of all. */
export async function listOutbox(
  q: Queryable,
  { pms = null }: { readonly pms?: string | null },
  now: Date,
): Promise<OutboxState> {
  const streams = await q.many(
    streamRow,
    sql`
    /* many rows: a list for the operator */
    select /* all partners */ p.pms, i.destination, i.waiting, i.oldest_at,
      coalesce(s.failures, 0) as failures, s.last_error,
      case when s.lease_owner is null and s.due_at > ${now}::timestamptz then s.due_at end
        as next_try_at
    from (
      select partner_id, destination, count(*) as waiting, min(created_at) as oldest_at
      from outbox_item where state = 'pending' group by partner_id, destination) i
    join partner p on p.id = i.partner_id
    left join outbox_stream s on s.partner_id = i.partner_id and s.destination = i.destination
    where ${pms}::text is null or p.pms = ${pms}
    order by i.oldest_at limit ${mostListed}`,
  );
  const parked = await q.many(
    parkedRow,
    sql`
    /* many rows: a list for the operator */
    select /* all partners */ p.pms, i.destination, i.message_id, m.type, i.parked_at, i.reason
    from outbox_item i
    join partner p on p.id = i.partner_id
    left join webhook_messages m on m.owner = i.partner_id and m.id = i.message_id
    where i.state = 'parked' and (${pms}::text is null or p.pms = ${pms})
    order by i.parked_at desc, i.position desc limit ${mostListed + 1}`,
  );
  return {
    streams: streams.map((it) => ({
      ...it,
      oldest_at: it.oldest_at.toISOString(),
      next_try_at: it.next_try_at?.toISOString() ?? null,
    })),
    parked: listNewest(parked.map((it) => ({ ...it, parked_at: it.parked_at.toISOString() }))),
  };
}

interface OutboxScope {
  readonly pms: string;
  /** Only this message. */
  readonly message_id?: string;
}

/**
 * Puts parked items of a partner back into their place in the order, and ends the wait of its streams.
 * What is missing in the other system may be created again, such as an application in Svix. Returns how
 * many items are pending again.
 */
export async function retryOutbox(
  tx: Tx,
  { pms, message_id: messageId }: OutboxScope,
  now: Date,
): Promise<{ retried: number }> {
  const { id: partnerId } = await requirePartner(tx, pms);
  const retried = await tx.run(sql`
    update outbox_item set state = 'pending', reason = null, parked_at = null
    where partner_id = ${partnerId} and state = 'parked'
      and (${messageId ?? null}::text is null or message_id = ${messageId ?? null})`);
  if (retried === 0 && messageId !== undefined) throw notParked(pms, messageId);
  await tx.run(sql`
    /* many rows: a list for the operator */
    update outbox_stream
    set due_at = case when lease_owner is null then least(due_at, ${now}::timestamptz) else due_at end,
      accepted_at = null
    where partner_id = ${partnerId}`);
  return { retried };
}

const destinationRow = row('destination', { destination: text });

/** Deletes a parked item: its destination never gets the message, which stays stored here. */
export async function dropParked(
  tx: Tx,
  { pms, message_id: messageId }: Required<OutboxScope>,
): Promise<{ destinations: string[] }> {
  const { id: partnerId } = await requirePartner(tx, pms);
  const dropped = await tx.many(
    destinationRow,
    sql`
    delete from outbox_item
    where partner_id = ${partnerId} and message_id = ${messageId} and state = 'parked'
    returning destination`,
  );
  if (dropped.length === 0) throw notParked(pms, messageId);
  return { destinations: dropped.map(({ destination }) => destination) };
}

function notParked(pms: string, messageId: string): Refusal {
  const message = `The message ${messageId} of ${pms} is not parked. "svc-admin outbox list" lists those that are.`;
  return new Refusal('not_found', { message });
}

const existsRow = row('items without a destination', { found: boolean });

/** Finds a destination with parked items, about which an operator has to decide. Undefined if there is none. */
export async function findParked(q: Queryable): Promise<string | undefined> {
  const found = await q.maybe(
    destinationRow,
    sql`select /* all partners */ destination from outbox_item where state = 'parked' limit 1`,
  );
  return found?.destination;
}

/** Returns whether items wait for a destination that is not one of `known`. */
export async function hasItemsBeyond(q: Queryable, known: readonly string[]): Promise<boolean> {
  const { found } = await q.one(
    existsRow,
    sql`
    select /* all partners */ exists (
      select from outbox_item
      where state = 'pending' and destination <> all(${known}::text[])) as found`,
  );
  return found;
}
