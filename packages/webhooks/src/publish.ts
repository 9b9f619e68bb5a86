import { type Queryable, type Sql, sql, type Tx } from '@svc/db';
import type { Claimed } from './claim.ts';

export interface NewMessage {
  /** `evt_` and 26 characters; also the `webhook-id` of every attempt. */
  readonly id: string;
  readonly owner: string;
  /** Whom it is about, in the owner's words. */
  readonly subject: string | null;
  readonly type: string;
  /** The bytes sent, the same on every attempt. */
  readonly body: string;
  readonly custom?: boolean;
  /** About the engine's own work: its deliveries raise no operational event themselves. */
  readonly operational?: boolean;
  /** Not delivered there, and not later either. */
  readonly exceptEndpointId?: string;
}

/**
 * Stores messages, and one delivery per subscribed endpoint, in the caller's transaction and one
 * statement: they exist exactly when the transaction commits. Call `engine.wake()` afterwards.
 * A delivery to a disabled endpoint waits there, `held`.
 */
export async function publish(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
  if (messages.length > 0) await tx.run(insertion(messages, now, noLease));
}

/** A process that will send at once what it inserts, so that nothing has to be claimed first. */
export interface PublisherLease {
  readonly node: string;
  readonly until: Date;
  readonly startBefore: Date;
  /** Endpoints that the process has enough for already. */
  readonly full: readonly string[];
}

/** The same, leased from the start; answers what the caller now has to send, once it is committed. */
export async function publishLeased(
  q: Queryable,
  messages: readonly NewMessage[],
  now: Date,
  lease: PublisherLease,
): Promise<Claimed[]> {
  if (messages.length === 0) return [];
  const rows = await q.many<LeasedRow>(insertion(messages, now, lease));
  const startBefore = lease.startBefore.getTime();
  const places = new Map(messages.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: LeasedRow) => places.get(id) ?? -1;
  // In the order they were given, so that a receiver usually hears of things as they happened.
  return rows
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .flatMap((row) => {
      const message = messages[placeOf(row)];
      return message ? leased(message, row.endpoint_id, startBefore) : [];
    });
}

function leased(message: NewMessage, endpointId: string, startBefore: number): Claimed {
  return {
    messageId: message.id,
    endpointId,
    trigger: 'schedule',
    step: 0,
    epoch: 1,
    owner: message.owner,
    type: message.type,
    operational: message.operational ?? false,
    body: message.body,
    version: null,
    quota: Number.POSITIVE_INFINITY,
    startBefore,
  };
}

interface LeasedRow {
  id: string;
  endpoint_id: string;
}

const noLease = { node: null, until: null, full: [] };

/** What a subscription may say to mean this type: itself, or its group. */
export function subscriptionNames(type: string): string[] {
  const group = type.lastIndexOf('.');
  return group === -1 ? [type] : [type, `${type.slice(0, group)}.*`];
}

function insertion(
  messages: readonly NewMessage[],
  now: Date,
  lease: Pick<PublisherLease, 'full'> & { node: string | null; until: Date | null },
): Sql {
  return sql`
    with message as materialized (
      select * from json_to_recordset(${JSON.stringify(messages.map(inputRow))}::json) as m(
        id text, owner text, subject text, type text, body text,
        custom boolean, operational boolean, except_endpoint text, names text[])
    ), stored as (
      insert into webhook_messages
        (id, owner, subject, type, body, custom, operational, created_at)
      select id, owner, subject, type, body, coalesce(custom, false),
        coalesce(operational, false), ${now}::timestamptz
      from message
    ), delivery as (
      insert into webhook_deliveries_open
        (message_id, endpoint_id, due_at, epoch, node, lease_until)
      select m.id, e.id, ${now}::timestamptz, case when leased then 1 else 0 end,
        case when leased then ${lease.node}::text end,
        case when leased then ${lease.until}::timestamptz end
      from message m
      join webhook_endpoints e on e.owner = m.owner
        and e.state <> 'deleted'
        and (e.event_types is null or e.event_types && m.names)
        and e.id is distinct from m.except_endpoint
      cross join lateral (
        select ${lease.node}::text is not null and e.state = 'enabled'
          and e.id <> all(${lease.full}::text[]) as leased) l
      returning message_id, endpoint_id, epoch
    )
    select message_id as id, endpoint_id from delivery where epoch = 1`;
}

/** Without the fields that are usually empty: the database has to read what is sent to it. */
function inputRow(message: NewMessage): object {
  return {
    id: message.id,
    owner: message.owner,
    subject: message.subject ?? undefined,
    type: message.type,
    body: message.body,
    custom: message.custom || undefined,
    operational: message.operational || undefined,
    except_endpoint: message.exceptEndpointId,
    names: subscriptionNames(message.type),
  };
}
