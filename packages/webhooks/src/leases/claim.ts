import {
  boolean,
  instant,
  integer,
  nullable,
  type Queryable,
  raw,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { type Claimed, type LaneKey, triggerColumn, waitingDueAt } from '../kernel/claimed.ts';
import { hasToWait } from './lanes.ts';

export interface ClaimRequest {
  readonly processId: string;
  /** Claims deliveries that are due at this time or before. */
  readonly asOf: Date;
  /** When the lease ends. */
  readonly until: Date;
  readonly startBefore: Date;
  /** Roughly the most deliveries to claim, spread evenly over the endpoints that have some due. */
  readonly count: number;
  /** How many more deliveries of an endpoint this process can take. */
  readonly capacities: ReadonlyMap<string, number>;
  /** How many it can take of an endpoint that is not in `capacities`. */
  readonly defaultCapacity: number;
  /** Endpoints after this one come first, so that they take turns over several claims. */
  readonly after: EndpointKey;
}

export interface EndpointKey {
  readonly owner: string;
  readonly endpointId: string;
}

/** Comes before every endpoint. */
export const noEndpoint: EndpointKey = { owner: '', endpointId: '' };

// How many seconds of a throttled endpoint's work may wait in memory. Far less than the lease.
const throttledSeconds = 10;

/**
 * A recursive part of a `with` list: the endpoints that have open deliveries, found by skipping from one
 * endpoint to the next in the index. An endpoint with a huge backlog costs as much as any other. PostgreSQL
 * walks only as far as the statement reads.
 * @param range a condition on `o`
 */
const endpointsWithWork = (name: string, range: Sql) => sql`
  ${raw(name)}(owner, endpoint_id) as (
    (select o.owner, o.endpoint_id from webhook_deliveries_open o
     where o.node is null and ${range} order by o.owner, o.endpoint_id limit 1)
    union all
    select next.owner, next.endpoint_id
    from ${raw(name)} b cross join lateral (
      select o.owner, o.endpoint_id from webhook_deliveries_open o
      where o.node is null and (o.owner, o.endpoint_id) > (b.owner, b.endpoint_id) and ${range}
      order by o.owner, o.endpoint_id limit 1) next
  )`;

const claimedRow = row('claimed delivery', {
  hasToWait: boolean,
  lane: nullable(text),
  messageId: text,
  endpointId: text,
  trigger: triggerColumn,
  step: integer,
  epoch: integer,
  owner: text,
  type: text,
  operational: boolean,
  body: text,
  version: integer,
  quota: integer,
});

/**
 * Leases due deliveries to a process, in one statement and commit. Several processes can claim at the
 * same time: each skips the rows that another one has locked, so no delivery is claimed twice. Each
 * claim increments the row's epoch; a result from an older claim has a lower epoch and is ignored.
 *
 * A due delivery that is not the next one of its lane is not leased, and is due again when `advanceLanes`
 * says so. Two claims that lease deliveries of the same lane, because one of them does not see an earlier
 * delivery yet, violate a unique index: the second one fails, and is tried again.
 * Locks: rows of webhook_deliveries_open.
 */
export async function claim(db: Queryable, request: ClaimRequest): Promise<Claim> {
  const { asOf, until, processId, count, capacities, defaultCapacity, after } = request;
  const rows = await db.many(
    claimedRow,
    sql`
    /* many rows: a large claim may read the messages of all deliveries at once */
    /* planned each time */
    with recursive /* all partners */
    ${endpointsWithWork('ahead', sql`(o.owner, o.endpoint_id) > (${after.owner}, ${after.endpointId})`)},
    ${endpointsWithWork('behind', sql`(o.owner, o.endpoint_id) <= (${after.owner}, ${after.endpointId})`)},
    relaxed as materialized (
      -- a claim lost in a crash of the database is simply made again: no need to wait for fsync
      select set_config('synchronous_commit', 'off', true) as setting
    ), ready as materialized (
      select e.owner, e.id, e.version, e.capacity
      from (select * from ahead union all select * from behind) b
      cross join lateral (
        select e.owner, e.id, e.version,
          least(coalesce((${JSON.stringify(Object.fromEntries(capacities))}::jsonb ->> e.id)::int,
            ${defaultCapacity}::int), e.throttle_per_second * ${throttledSeconds}) as capacity
        from webhook_endpoints e
        where e.owner = b.owner and e.id = b.endpoint_id and e.state = 'enabled'
        limit 1
      ) e
      cross join lateral (
        select from webhook_deliveries_open o
        where o.node is null and o.owner = e.owner and o.endpoint_id = e.id
          and o.due_at <= ${asOf}::timestamptz
        limit 1
      ) due
      where e.capacity > 0
      -- With one delivery of each the claim is full, so it walks no further.
      limit ${count}::int
    ), turn as materialized (
      -- an even share for each endpoint, and never more than fits
      select owner, id, version,
        least(capacity, ceil(${count}::int::numeric / count(*) over ()))::int as quota
      from ready cross join relaxed
    ), picked as materialized (
      select o.owner, o.message_id, o.endpoint_id, o.trigger, o.place, t.version, t.quota,
        case when o.lane is null then false else ${hasToWait} end as has_to_wait
      from turn t cross join lateral (
        select o.owner, o.message_id, o.endpoint_id, o.trigger, o.lane, o.position, o.ctid as place
        from webhook_deliveries_open o
        where o.node is null and o.owner = t.owner and o.endpoint_id = t.id
          and o.due_at <= ${asOf}::timestamptz
        order by o.due_at limit t.quota
        for update skip locked
      ) o
      -- Never reached. Without it the planner expects a tenth of all that is due, and reads the whole table.
      limit 2 * ${count}::int
    )
    update webhook_deliveries_open o
    set epoch = o.epoch + 1,
      node = case when not p.has_to_wait then ${processId} end,
      lease_until = case when not p.has_to_wait then ${until}::timestamptz end,
      due_at = case when p.has_to_wait then ${waitingDueAt}::timestamptz else o.due_at end
    from picked p join webhook_messages m on m.owner = p.owner and m.id = p.message_id
    -- By their places, which the locks keep: joined by keys, PostgreSQL may read the whole table.
    where o.ctid = any(array(select place from picked)) and o.owner = p.owner
      and o.message_id = p.message_id and o.endpoint_id = p.endpoint_id and o.trigger = p.trigger
    returning p.has_to_wait, o.lane, o.message_id, o.endpoint_id, o.trigger, o.step,
      o.epoch, m.owner, m.type, m.operational, m.body, p.version, p.quota`,
  );
  const startBefore = request.startBefore.getTime();
  return {
    claimed: rows.flatMap(({ hasToWait, ...row }) =>
      hasToWait ? [] : { ...row, lease: null, startBefore },
    ),
    waiting: rows.flatMap(({ hasToWait, owner, endpointId, lane }) =>
      hasToWait && lane !== null ? { owner, endpointId, lane } : [],
    ),
  };
}

export interface Claim {
  readonly claimed: Claimed[];
  /** The lanes of due deliveries that have to wait for another one. Call `advanceLanes` with them. */
  readonly waiting: LaneKey[];
}

const scheduleRow = row('schedule of unclaimed deliveries', {
  isDue: boolean,
  nextAt: nullable(instant),
  isReplaying: boolean,
  hasLanes: boolean,
  lastOwner: nullable(text),
  lastEndpointId: nullable(text),
});

interface ScheduleRequest {
  readonly asOf: Date;
  /** Looks at the endpoints after this one, in the order of the index. */
  readonly after: EndpointKey;
  /** Looks at no more endpoints than this. */
  readonly count: number;
}

export interface Schedule {
  /** True if an unclaimed delivery to one of the endpoints is due. */
  readonly isDue: boolean;
  /** When the next delivery that is not due yet falls due; null if there is none. */
  readonly nextAt: Date | null;
  readonly isReplaying: boolean;
  /** True if there are open deliveries in lanes. */
  readonly hasLanes: boolean;
  /** The last endpoint that was looked at; null if none with open deliveries comes after it. */
  readonly stoppedAt: EndpointKey | null;
}

/**
 * Reads when unclaimed deliveries fall due, for a bounded number of endpoints that have some, and whether a
 * replay is unfinished.
 */
export async function readSchedule(db: Queryable, request: ScheduleRequest): Promise<Schedule> {
  const { asOf, after, count } = request;
  const { lastOwner, lastEndpointId, ...schedule } = await db.one(
    scheduleRow,
    sql`
    with recursive /* all partners */
    ${endpointsWithWork('ahead', sql`(o.owner, o.endpoint_id) > (${after.owner}, ${after.endpointId})`)},
    seen as materialized (
      select row_number() over () as place, owner, endpoint_id from ahead limit ${count}::int
    )
    select coalesce(bool_or(first.due_at <= ${asOf}::timestamptz), false) as is_due,
      min(next.due_at) as next_at,
      exists (select from webhook_replays where finished_at is null) as is_replaying,
      (select true from webhook_deliveries_open o where o.lane is not null
       order by o.owner, o.endpoint_id, o.lane limit 1) is not null as has_lanes,
      max(s.owner) filter (where s.place = ${count}::int) as last_owner,
      max(s.endpoint_id) filter (where s.place = ${count}::int) as last_endpoint_id
    from seen s
    left join lateral (
      select e.owner, e.id from webhook_endpoints e
      where e.owner = s.owner and e.id = s.endpoint_id and e.state = 'enabled'
      limit 1
    ) e on true
    left join lateral (
      select o.due_at from webhook_deliveries_open o
      where o.node is null and o.owner = e.owner and o.endpoint_id = e.id
      order by o.due_at limit 1
    ) first on true
    left join lateral (
      select o.due_at from webhook_deliveries_open o
      where o.node is null and o.owner = e.owner and o.endpoint_id = e.id
        and o.due_at > ${asOf}::timestamptz and o.due_at < ${waitingDueAt}::timestamptz
      order by o.due_at limit 1
    ) next on true`,
  );
  const isCutOff = lastOwner !== null && lastEndpointId !== null;
  return {
    ...schedule,
    stoppedAt: isCutOff ? { owner: lastOwner, endpointId: lastEndpointId } : null,
  };
}
