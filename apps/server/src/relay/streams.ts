import {
  bigint,
  boolean,
  type Database,
  instant,
  integer,
  listOf,
  nullable,
  row,
  sql,
  text,
} from '@svc/db';
import type { RelayedMessage } from './destination.ts';

/** A partner's items for one destination, leased to this process. */
export interface Stream {
  readonly partnerId: string;
  readonly destination: string;
  readonly owner: string;
  readonly epoch: number;
  /** Failures in a row before this lease. */
  readonly failures: number;
  /** True if the destination has accepted a message of the partner. */
  readonly partnerKnown: boolean;
  /** True if an earlier holder did not release it, so what it was sending may have been accepted. */
  readonly abandoned: boolean;
}

export interface ClaimRequest {
  readonly destination: string;
  /** The id of this process. */
  readonly owner: string;
  /** The partners whose streams this process holds already, or leaves alone. */
  readonly active: readonly string[];
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
}

const claimedRow = row('claimed stream', {
  partnerId: text,
  epoch: bigint,
  failures: integer,
  partnerKnown: boolean,
  abandoned: boolean,
});

/**
 * Leases streams that have pending items and are due, those that waited longest first. Finds them by
 * skipping from partner to partner in the index, so the cost does not grow with the backlog. Another
 * process may choose the same streams: `on conflict` waits for it, and then leaves them to it. A lease
 * that this process holds without knowing is left over from a failed statement and is taken again.
 */
export async function claimStreams(db: Database, request: ClaimRequest): Promise<Stream[]> {
  const { destination, owner, active, now, until, limit } = request;
  const isFree = sql`s.due_at <= ${now}::timestamptz
    and s.partner_id <> all(${active}::text[])
    and (s.lease_until is null or s.lease_until <= ${now}::timestamptz or s.lease_owner = ${owner})`;
  const rows = await db.many(
    claimedRow,
    sql`
    with recursive /* all partners */ busy(partner_id) as (
      (select partner_id from outbox_item
       where destination = ${destination} and state = 'pending' order by partner_id limit 1)
      union all
      select next.partner_id
      from busy b cross join lateral (
        select i.partner_id from outbox_item i
        where i.destination = ${destination} and i.state = 'pending' and i.partner_id > b.partner_id
        order by i.partner_id limit 1) next
    ), ready as materialized (
      select b.partner_id, s.lease_owner is not null as abandoned
      from busy b
      left join outbox_stream s on s.partner_id = b.partner_id and s.destination = ${destination}
      where s.partner_id is null or ${isFree}
      order by s.due_at nulls first, b.partner_id limit ${limit}::int
    ), claimed as (
      insert into outbox_stream as s
        (partner_id, destination, due_at, lease_owner, lease_until, epoch)
      select partner_id, ${destination}, ${now}::timestamptz, ${owner}, ${until}::timestamptz, 1
      from ready
      on conflict (partner_id, destination) do update
        set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until,
          epoch = s.epoch + 1
        where ${isFree}
      returning s.partner_id, s.epoch, s.failures, s.accepted_at
    )
    select c.partner_id, c.epoch, c.failures,
      c.accepted_at is not null as partner_known, r.abandoned
    from claimed c join ready r on r.partner_id = c.partner_id`,
  );
  return rows.map((claimed) => ({ ...claimed, destination, owner }));
}

/** The next item of a stream. */
export interface Item {
  readonly position: number;
  readonly outcomeUnknown: boolean;
  readonly messageId: string;
  /** `expunged` if its body was erased, `gone` if it is no longer stored. */
  readonly message: RelayedMessage | 'expunged' | 'gone';
}

const itemRow = row('outbox item', {
  position: bigint,
  outcomeUnknown: boolean,
  messageId: text,
  pms: text,
  subject: nullable(text),
  type: nullable(text),
  channels: nullable(listOf(text)),
  body: nullable(text),
  createdAt: nullable(instant),
  expunged: boolean,
});

/** The first pending items of a stream, in order. */
export async function readItems(
  db: Database,
  { partnerId, destination }: Stream,
  limit: number,
): Promise<Item[]> {
  const rows = await db.many(
    itemRow,
    sql`
    select i.position, i.outcome_unknown, i.message_id,
      -- Not as a join: the columns differ in their collation, so no index would find the partner.
      (select p.pms from partner p where p.id = ${partnerId}) as pms,
      m.subject, m.type, m.channels, m.body, m.created_at,
      m.expunged_at is not null as expunged
    from outbox_item i
    left join webhook_messages m on m.owner = i.partner_id and m.id = i.message_id
    where i.partner_id = ${partnerId} and i.destination = ${destination} and i.state = 'pending'
    order by i.position limit ${limit}::int`,
  );
  return rows.map(({ position, outcomeUnknown, messageId, ...stored }) => {
    const { pms, subject, type, channels, body, createdAt, expunged } = stored;
    const base = { position, outcomeUnknown, messageId };
    if (type === null || body === null || createdAt === null) return { ...base, message: 'gone' };
    if (expunged) return { ...base, message: 'expunged' };
    const message = { id: messageId, partnerId, pms, subject, type, channels, body, createdAt };
    return { ...base, message };
  });
}

/** The condition that finds a partner's stream while the lease is the holder's. */
function holdsLease({ destination, owner, epoch }: Stream) {
  return sql`destination = ${destination} and lease_owner = ${owner} and epoch = ${epoch}`;
}

/**
 * Deletes an item that the destination has accepted, even if the lease has been lost, and extends the
 * lease. Returns false if it was lost: then nothing more may be sent.
 */
export async function recordAccepted(
  db: Database,
  stream: Stream,
  { position, message }: Item,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { partnerId, destination } = stream;
  // An expunged message is not sent.
  const acceptedAt = message === 'expunged' ? null : now;
  const updated = await db.run(sql`
    with accepted as (
      delete from outbox_item
      where partner_id = ${partnerId} and destination = ${destination} and position = ${position}
    )
    update outbox_stream
    set lease_until = ${until}::timestamptz, failures = 0, last_error = null,
      accepted_at = coalesce(accepted_at, ${acceptedAt}::timestamptz)
    where partner_id = ${partnerId} and ${holdsLease(stream)}`);
  return updated === 1;
}

/** Parks an item that can never be accepted, and extends the lease. False if the lease was lost. */
export async function parkItem(
  db: Database,
  stream: Stream,
  { position }: Item,
  { reason, now, until }: { reason: string; now: Date; until: Date },
): Promise<boolean> {
  const { partnerId, destination } = stream;
  const updated = await db.run(sql`
    with held as (
      update outbox_stream
      set lease_until = ${until}::timestamptz, failures = 0, last_error = null
      where partner_id = ${partnerId} and ${holdsLease(stream)} returning partner_id
    )
    update outbox_item i
    set state = 'parked', reason = ${reason}, parked_at = ${now}::timestamptz,
      outcome_unknown = false
    from held h
    where i.partner_id = h.partner_id and i.partner_id = ${partnerId}
      and i.destination = ${destination} and i.position = ${position}`);
  return updated === 1;
}

/** Ends the lease; the stream is due again at `dueAt`. Notes that the item may have been accepted. */
export async function backOff(
  db: Database,
  stream: Stream,
  { position }: Item,
  failure: { reason: string; dueAt: Date; outcomeUnknown: boolean },
): Promise<void> {
  const { partnerId, destination } = stream;
  const { reason, dueAt, outcomeUnknown } = failure;
  await db.run(sql`
    with held as (
      update outbox_stream
      set due_at = ${dueAt}::timestamptz, failures = failures + 1, last_error = ${reason},
        lease_owner = null, lease_until = null
      where partner_id = ${partnerId} and ${holdsLease(stream)} returning partner_id
    )
    update outbox_item i set outcome_unknown = i.outcome_unknown or ${outcomeUnknown}
    from held h
    where i.partner_id = h.partner_id and i.partner_id = ${partnerId}
      and i.destination = ${destination} and i.position = ${position}`);
}

/** Ends the lease. Streams that were not served for longer come first in the next claim. */
export async function releaseStream(db: Database, stream: Stream, now: Date): Promise<void> {
  await db.run(sql`
    update outbox_stream
    set due_at = ${now}::timestamptz, lease_owner = null, lease_until = null
    where partner_id = ${stream.partnerId} and ${holdsLease(stream)}`);
}
