import { bigint, boolean, type Queryable, raw, row, type Sql, sql, type Tx, text } from '@svc/db';
import { filterableFields, matchesFilter } from '../endpoints/payload-filter.ts';
import type { Claimed, PublishLease } from '../kernel/claimed.ts';
import { groupOf } from '../kernel/event-types.ts';
import { columnOf, columnsOf, insertRows, type NewMessage } from './store-messages.ts';

/**
 * Stores messages and their deliveries to all subscribed endpoints in the caller's transaction, in one
 * statement. After the commit call `engine.wake()`. A delivery to a disabled endpoint is `held`, and one
 * that the endpoint's filter excludes is `skipped`.
 */
export async function publish(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
  if (messages.length > 0) await tx.run(insertMessages(messages, now, noLease));
}

/** The terms on which a process leases what it publishes, so that nothing has to be claimed first. */
export interface LeaseTerms {
  readonly processId: string;
  /** When the lease ends. */
  readonly until: Date;
  readonly startBefore: Date;
  /** Endpoints for which the process has no capacity: their deliveries get open rows instead. */
  readonly full: readonly string[];
  /** The trace that the attempts of these messages continue. */
  readonly traceparent?: string | undefined;
}

/**
 * Publishes messages and leases their deliveries to this process in one statement. Returns the
 * deliveries to send after the commit, in the order of the messages. Deliveries that could not be
 * leased (to disabled or full endpoints) get open rows and are not returned.
 */
export async function publishLeased(
  q: Queryable,
  messages: readonly NewMessage[],
  now: Date,
  terms: LeaseTerms,
): Promise<Claimed[]> {
  if (messages.length === 0) return [];
  const rows = await q.many(leasedRow, insertMessages(messages, now, terms));
  const deliveries = rows.flatMap(({ endpoint_id, places }) =>
    places.split(',').map((place) => ({ endpointId: endpoint_id, place: Number(place) - 1 })),
  );
  // With this order, a receiver usually gets the events in the order in which they happened.
  deliveries.sort((one, other) => one.place - other.place);
  const lease: PublishLease = {
    id: rows[0]?.lease_id ?? 0,
    remaining: deliveries.length,
    leftOpen: rows[0]?.left_open ?? false,
  };
  return deliveries.flatMap(({ endpointId, place }) => {
    const message = messages[place];
    return message ? claimedOf(message, endpointId, lease, terms) : [];
  });
}

function claimedOf(
  message: NewMessage,
  endpointId: string,
  lease: PublishLease,
  terms: LeaseTerms,
): Claimed {
  return {
    messageId: message.id,
    endpointId,
    trigger: 'schedule',
    step: 0,
    epoch: 0,
    lease,
    owner: message.owner,
    lane: null,
    type: message.type,
    operational: message.operational ?? false,
    body: message.body,
    version: null,
    quota: Number.POSITIVE_INFINITY,
    startBefore: terms.startBefore.getTime(),
    traceparent: terms.traceparent,
  };
}

/**
 * The leased deliveries of one endpoint. `places` are the positions of the messages in the input, from
 * 1, separated by commas.
 */
const leasedRow = row('leased deliveries', {
  lease_id: bigint,
  left_open: boolean,
  endpoint_id: text,
  places: text,
});

const noLease = { processId: null, until: null, full: [] };

/**
 * Builds one statement, so that publishing outside of a transaction costs one round trip and one commit. It
 * stores the messages, finds their deliveries, and stores those either as one publish lease or as open
 * rows. Returns `leasedRow`s; without a process to lease to, none.
 */
function insertMessages(
  messages: readonly NewMessage[],
  now: Date,
  terms: Pick<LeaseTerms, 'full'> & { processId: string | null; until: Date | null },
): Sql {
  const columns = columnsOf(messages);
  const { id, owner, type, channels, subject, body } = columns;
  const typeGroup = columnOf(messages, (message) => groupOf(message.type));
  const except = columnOf(messages, (message) => message.exceptEndpointId ?? null);
  // Read instead of the body, for messages whose JSON PostgreSQL may not accept.
  const fields = columnOf(messages, (message) =>
    message.custom ? filterableFields(message.body) : null,
  );
  const bodyOfPlace = sql`coalesce(m.fields, (select list from bodies)[m.place::int])::jsonb`;
  // "not materialized" keeps PostgreSQL from copying the bodies: with a copy, publishing 64 messages to
  // endpoints without a filter took 9 % longer, and without one less than 3 %.
  // "recursive" lets parts before `bodies` read it. It comes last, so that its parameter does (see insertRows).
  return sql`
    with recursive message as (
      select row_number() over () as place, * from (
        select unnest(${id}::text[]) as id, unnest(${owner}::text[]) as owner,
          unnest(${type}::text[]) as type, unnest(${typeGroup}::text[]) as type_group,
          unnest(${channels}::text[])::text[] as channels, unnest(${subject}::text[]) as subject,
          unnest(${fields}::text[]) as fields,
          unnest(${except}::text[]) as except_endpoint) given
    ), delivery as materialized (
      select m.place, m.owner, m.id as message_id, e.id as endpoint_id,
        ${terms.processId}::text is not null and e.state = 'enabled'
          and e.id <> all(${terms.full}::text[]) and not (e.ordered and m.subject is not null) as leased,
        case when e.ordered then m.subject end as lane,
        case when e.filter is null then true
          else ${matchesFilter(sql`e.filter`, bodyOfPlace)} end as wanted
      from message m
      join webhook_endpoints e on e.owner = m.owner
        and e.state <> 'deleted'
        and (e.event_types is null or e.event_types && array[m.type, m.type_group])
        and (e.channels is null or e.channels && m.channels)
        and e.id is distinct from m.except_endpoint
    ), open as (
      insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at, lane, position)
      select d.owner, d.message_id, d.endpoint_id, ${now}::timestamptz, d.lane, s.sequence
      from delivery d left join stored s on d.lane is not null and s.id = d.message_id
      where d.wanted and not d.leased
    ), filtered as (
      insert into webhook_deliveries_undelivered
        (owner, message_id, endpoint_id, state, reason, ended_at)
      select owner, message_id, endpoint_id, 'skipped', 'filtered', ${now}::timestamptz
      from delivery where not wanted
    ), lease as (
      insert into webhook_leases (node, lease_until, due_at, owners, message_ids, endpoint_ids)
      select ${terms.processId}, ${terms.until}::timestamptz, ${now}::timestamptz,
        array_agg(owner), array_agg(message_id), array_agg(endpoint_id)
      from delivery where wanted and leased having count(*) > 0
      returning id
    ), stored as (${insertRows(columns, now, raw('bodies'))}
      returning id, sequence
    ), bodies as not materialized (select ${body}::text[] as list)
    select l.id as lease_id,
      exists (select from delivery where wanted and lane is not null) as left_open,
      d.endpoint_id, string_agg(d.place::text, ',') as places
    from lease l join delivery d on d.wanted and d.leased group by 1, 2, 3`;
}
