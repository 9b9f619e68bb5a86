import { type Queryable, type Sql, sql, type Tx, textColumn } from '@svc/db';
import { checkChannels } from '../endpoints/settings.ts';
import type { Claimed, Lease } from '../kernel/claimed.ts';
import { groupOf } from '../kernel/event-types.ts';

export interface NewMessage {
  /** `evt_` and 26 characters; also the `webhook-id` of every attempt. */
  readonly id: string;
  readonly owner: string;
  /** Whom it is about, in the owner's words. */
  readonly subject: string | null;
  readonly type: string;
  /** Endpoints with channels get it only if they share one. */
  readonly channels?: readonly string[];
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
  const pairs = rows.flatMap(({ endpoint_id, places }) =>
    places.split(',').map((place) => ({ endpointId: endpoint_id, place: Number(place) - 1 })),
  );
  const shared: Lease = { id: rows[0]?.lease_id ?? '', left: pairs.length };
  // In the order they were given, so that a receiver usually hears of things as they happened.
  pairs.sort((one, other) => one.place - other.place);
  return pairs.flatMap(({ endpointId, place }) => {
    const message = messages[place];
    return message ? leased(message, endpointId, shared, startBefore) : [];
  });
}

function leased(
  message: NewMessage,
  endpointId: string,
  lease: Lease,
  startBefore: number,
): Claimed {
  return {
    messageId: message.id,
    endpointId,
    trigger: 'schedule',
    step: 0,
    epoch: 0,
    lease,
    owner: message.owner,
    type: message.type,
    operational: message.operational ?? false,
    body: message.body,
    version: null,
    quota: Number.POSITIVE_INFINITY,
    startBefore,
  };
}

/** An endpoint, and the places of its messages among those that were given, from 1. */
interface LeasedRow {
  lease_id: string;
  endpoint_id: string;
  places: string;
}

const noLease = { node: null, until: null, full: [] };

function insertion(
  messages: readonly NewMessage[],
  now: Date,
  lease: Pick<PublisherLease, 'full'> & { node: string | null; until: Date | null },
): Sql {
  // A shorter column is filled up with nulls, so that one of nothing else need not be sent.
  const column = (pick: (message: NewMessage) => string | null) => {
    const values = messages.map(pick);
    return textColumn(values.some((value) => value !== null) ? values : []);
  };
  const id = column((message) => message.id);
  const owner = column((message) => message.owner);
  const type = column((message) => message.type);
  const channels = column((message) => arrayLiteral(checkChannels(message.channels)));
  // The bodies are sent last: node-postgres copies all that came before into a half larger buffer.
  return sql`
    with message as (
      select row_number() over () as place, * from (
        select unnest(${id}::text[]) as id, unnest(${owner}::text[]) as owner,
          unnest(${type}::text[]) as type, unnest(${channels}::text[])::text[] as channels,
          unnest(${column((message) => groupOf(message.type))}::text[]) as type_group,
          unnest(${column(({ exceptEndpointId }) => exceptEndpointId ?? null)}::text[])
            as except_endpoint) given
    ), delivery as materialized (
      select m.place, m.id as message_id, e.id as endpoint_id,
        ${lease.node}::text is not null and e.state = 'enabled'
          and e.id <> all(${lease.full}::text[]) as leased
      from message m
      join webhook_endpoints e on e.owner = m.owner
        and e.state <> 'deleted'
        and (e.event_types is null or e.event_types && array[m.type, m.type_group])
        and (e.channels is null or e.channels && m.channels)
        and e.id is distinct from m.except_endpoint
    ), open as (
      insert into webhook_deliveries_open (message_id, endpoint_id, due_at)
      select message_id, endpoint_id, ${now}::timestamptz from delivery where not leased
    ), lease as (
      insert into webhook_leases (node, lease_until, due_at, message_ids, endpoint_ids)
      select ${lease.node}, ${lease.until}::timestamptz, ${now}::timestamptz,
        array_agg(message_id), array_agg(endpoint_id)
      from delivery where leased having count(*) > 0
      returning id
    ), stored as (
      insert into webhook_messages
        (id, owner, subject, type, channels, body, custom, operational, created_at)
      select unnest(${id}::text[]), unnest(${owner}::text[]),
        unnest(${column(({ subject }) => subject)}::text[]), unnest(${type}::text[]),
        unnest(${channels}::text[])::text[], unnest(${column(({ body }) => body)}::text[]),
        unnest(${column(({ custom }) => (custom ? 'true' : null))}::text[]) is not null,
        unnest(${column(({ operational }) => (operational ? 'true' : null))}::text[]) is not null,
        ${now}::timestamptz
    )
    select l.id::text as lease_id, d.endpoint_id, string_agg(d.place::text, ',') as places
    from lease l join delivery d on d.leased group by 1, 2`;
}

/** As PostgreSQL writes an array; for names without quotes and backslashes only. */
function arrayLiteral(names: readonly string[] | null): string | null {
  return names && `{${names.map((name) => `"${name}"`).join(',')}}`;
}
