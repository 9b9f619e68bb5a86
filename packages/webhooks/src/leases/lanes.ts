import { bigint, nullable, type Queryable, raw, row, type Sql, sql, text } from '@svc/db';
import { type LaneKey, waitingDueAt } from '../kernel/claimed.ts';

/**
 * A condition on the delivery `o`, which has a lane: it has to wait, because an earlier one is open or
 * another one is in flight. "offset 0" makes PostgreSQL look up a row instead of reading the table.
 */
export const hasToWait = sql`(exists (
      select from webhook_deliveries_open earlier
      where earlier.owner = o.owner and earlier.endpoint_id = o.endpoint_id and earlier.lane = o.lane
        and (earlier.position, earlier.trigger) < (o.position, o.trigger) offset 0)
    or ${hasLeased(raw('o'))})`;

function hasLeased(laneOf: Sql): Sql {
  return sql`exists (
      select from webhook_deliveries_open leased
      where leased.owner = ${laneOf}.owner and leased.endpoint_id = ${laneOf}.endpoint_id
        and leased.lane = ${laneOf}.lane and leased.node is not null offset 0)`;
}

/**
 * Makes the first delivery of each lane due, unless it is due already or one of the lane is in flight. Call
 * it after the commit of whatever ended a delivery of the lane or made one wait. Of two such commits, the
 * call after the second one sees both, so no lane is left without a due delivery. Returns how many became due.
 * Locks: rows of webhook_deliveries_open. A locked row is skipped, because its holder moves the lane on or
 * ends the row.
 */
export async function advanceLanes(
  q: Queryable,
  lanes: readonly LaneKey[],
  now: Date,
): Promise<number> {
  if (lanes.length === 0) return 0;
  return q.run(sql`
    /* planned each time */
    with lane as materialized (
      select distinct owner, endpoint_id, lane
      from unnest(${lanes.map(({ owner }) => owner)}::text[],
        ${lanes.map(({ endpointId }) => endpointId)}::text[],
        ${lanes.map(({ lane }) => lane)}::text[]) as given(owner, endpoint_id, lane)
      -- Removes nothing. Without it the planner expects a hundred lanes.
      limit ${lanes.length}::int
    ), ${headsToAdvance}
    ${makeHeadsDue(now)}`);
}

/** Part of a `with` list after `lane`: the places of the deliveries that become due. */
const headsToAdvance = sql`head as materialized (
      select o.ctid as place
      from lane l cross join lateral (
        select first.message_id, first.trigger, first.due_at from webhook_deliveries_open first
        where first.owner = l.owner and first.endpoint_id = l.endpoint_id and first.lane = l.lane
        order by first.owner, first.endpoint_id, first.lane, first.position, first.trigger limit 1
      ) head
      join webhook_deliveries_open o on o.owner = l.owner and o.message_id = head.message_id
        and o.endpoint_id = l.endpoint_id and o.trigger = head.trigger
      where head.due_at = ${waitingDueAt}::timestamptz and o.due_at = ${waitingDueAt}::timestamptz
        and not ${hasLeased(raw('l'))}
      for update of o skip locked
    )`;

const makeHeadsDue = (now: Date) => sql`
    update webhook_deliveries_open set due_at = ${now}::timestamptz
    where ctid = any(array(select place from head))`;

const repairRow = row('repaired lanes', {
  advanced: bigint,
  lastOwner: nullable(text),
  lastEndpointId: nullable(text),
  lastLane: nullable(text),
});

/** Comes before every lane. */
export const noLane: LaneKey = { owner: '', endpointId: '', lane: '' };

interface RepairRequest {
  readonly now: Date;
  /** Looks at the lanes after this one, in the order of the index. */
  readonly after: LaneKey;
  /** Looks at no more lanes than this. */
  readonly count: number;
}

interface Repaired {
  /** Deliveries that became due. */
  readonly advanced: number;
  /** The last lane that was looked at; `noLane` if none comes after it. */
  readonly stoppedAt: LaneKey;
}

/**
 * Advances lanes that nothing else would: the process that ended their last delivery was killed before it
 * advanced them, or the delivery was withdrawn. Looks at a bounded number of lanes, skipping from one to
 * the next in the index.
 */
export async function repairLanes(
  q: Queryable,
  { now, after, count }: RepairRequest,
): Promise<Repaired> {
  const { advanced, lastOwner, lastEndpointId, lastLane } = await q.one(
    repairRow,
    sql`
    /* planned each time */
    with recursive /* all partners */ found(owner, endpoint_id, lane) as (
      ${nextLane(sql`(o.owner, o.endpoint_id, o.lane)
        > (${after.owner}, ${after.endpointId}, ${after.lane})`)}
      union all
      select next.owner, next.endpoint_id, next.lane
      from found f cross join lateral ${nextLane(sql`(o.owner, o.endpoint_id, o.lane)
        > (f.owner, f.endpoint_id, f.lane)`)} next
    ), lane as materialized (
      select row_number() over () as place, owner, endpoint_id, lane from found limit ${count}::int
    ), ${headsToAdvance}, moved as (${makeHeadsDue(now)} returning 1)
    select (select count(*) from moved) as advanced, max(owner) as last_owner,
      max(endpoint_id) as last_endpoint_id, max(lane) as last_lane
    from lane where place = ${count}::int`,
  );
  const isCutOff = lastOwner !== null && lastEndpointId !== null && lastLane !== null;
  const last = isCutOff && { owner: lastOwner, endpointId: lastEndpointId, lane: lastLane };
  return { advanced, stoppedAt: last || noLane };
}

const nextLane = (range: Sql) => sql`(
      select o.owner, o.endpoint_id, o.lane from webhook_deliveries_open o
      where o.lane is not null and ${range}
      order by o.owner, o.endpoint_id, o.lane limit 1)`;
