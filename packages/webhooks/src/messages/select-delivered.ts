import { type Sql, sql } from '@svc/db';
import { type IdRange, type IndexRange, newestIn } from './index-range.ts';
import type { DeliveryState } from './view-message.ts';

interface DeliveredRange {
  /** Empty for every state. */
  readonly states: readonly (DeliveryState | 'failed')[];
  readonly endpoint_id: string | undefined;
  readonly ids: IdRange;
  readonly most: number;
}

/**
 * Selects the `id`s of the newest messages with a delivery in one of the states, to one endpoint or to
 * any. Each state of an endpoint is a range of one index in the order of the messages' ids, so a rare
 * state costs no more than a frequent one. A message that is being replayed is found both by its last
 * outcome and as `delivering`.
 */
export function selectDelivered(owner: string, deliveries: DeliveredRange): Sql {
  const { states, endpoint_id, ids, most } = deliveries;
  const selected = states.length === 0 ? allSources : states.flatMap((state) => sources[state]);
  const ofOwner = sql`e.owner = ${owner}
    ${endpoint_id === undefined ? noSql : sql`and e.id = ${endpoint_id}`}`;
  const parts = [...new Set(selected)].map(({ stored, endpoint }) =>
    stored === 'leases'
      ? sql`
        select d.message_id as id from webhook_deliveries_leased d
        join webhook_endpoints e on e.owner = d.owner and e.id = d.endpoint_id
        where ${ofOwner} and ${endpoint}
          and d.message_id >= ${ids.from} and d.message_id < ${ids.to}`
      : sql`
        select d.id from webhook_endpoints e
        cross join lateral (${newestIn({ ...stored, ids }, most)}) d
        where ${ofOwner} and ${endpoint}`,
  );
  const merged = parts.reduce((before, part) => sql`${before} union all ${part}`);
  return sql`select distinct id from (${merged}) d order by id desc limit ${most}`;
}

// The fragments below share two aliases: `e` is the endpoint's row, and `d` the row of the delivery or attempt.

/** Where the deliveries of a state are stored, for the endpoints `e` that meet a condition. */
interface Source {
  /** An index, or the publish leases, which are read as a whole because they only hold what is in flight. */
  readonly stored: Omit<IndexRange, 'ids'> | 'leases';
  readonly endpoint: Sql;
}

const noSql = sql``;
const anyEndpoint = sql`true`;
const ofEndpoint = [
  [sql`d.owner`, sql`e.owner`],
  [sql`d.endpoint_id`, sql`e.id`],
] as const;
const messageId = sql`d.message_id`;

const openDeliveries = (where: Sql) => ({
  table: sql`webhook_deliveries_open`,
  where,
  key: ofEndpoint,
  id: messageId,
});
const undelivered = (state: 'exhausted' | 'skipped'): Source => ({
  stored: {
    table: sql`webhook_deliveries_undelivered`,
    where: sql`true`,
    key: [...ofEndpoint, [sql`d.state`, sql`${state}`]],
    id: messageId,
  },
  endpoint: anyEndpoint,
});
const firstAttempt = openDeliveries(
  sql`d.lease_until is null and d.step = 0 and d.trigger = 'schedule'`,
);
const laterAttempt = openDeliveries(sql`d.lease_until is null and d.step > 0`);
const inFlight: Source = {
  stored: openDeliveries(sql`d.lease_until is not null`),
  endpoint: anyEndpoint,
};
const scheduled = (endpoint: Sql): Source[] => [
  { stored: firstAttempt, endpoint },
  { stored: laterAttempt, endpoint },
];
const retryingSource: Source = { stored: laterAttempt, endpoint: sql`e.state = 'enabled'` };
const exhaustedSource = undelivered('exhausted');
const skippedSource = undelivered('skipped');
const deliveredSource: Source = {
  stored: {
    table: sql`webhook_attempts`,
    where: sql`d.error_class is null and d.trigger <> 'test'`,
    key: ofEndpoint,
    id: messageId,
  },
  endpoint: anyEndpoint,
};

const sources: Record<DeliveryState | 'failed', readonly Source[]> = {
  pending: [{ stored: firstAttempt, endpoint: sql`e.state = 'enabled'` }],
  delivering: [inFlight, { stored: 'leases', endpoint: sql`e.state <> 'deleted'` }],
  retrying: [retryingSource],
  delivered: [deliveredSource],
  exhausted: [exhaustedSource],
  failed: [retryingSource, exhaustedSource],
  held: scheduled(sql`e.state = 'disabled'`),
  // Deliveries that a deleted endpoint leaves open stay open until upkeep closes them.
  skipped: [
    skippedSource,
    ...scheduled(sql`e.state = 'deleted'`),
    { stored: 'leases', endpoint: sql`e.state = 'deleted'` },
  ],
};
const allSources: readonly Source[] = [
  ...scheduled(anyEndpoint),
  inFlight,
  { stored: 'leases', endpoint: anyEndpoint },
  exhaustedSource,
  skippedSource,
  deliveredSource,
];
