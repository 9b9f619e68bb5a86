import { type Queryable, raw, sql } from '@svc/db';
import type { Claimed } from '../kernel/claimed.ts';

export interface ClaimRequest {
  readonly node: string;
  /** Deliveries due at this time or before. */
  readonly asOf: Date;
  /** When the lease ends. */
  readonly until: Date;
  readonly startBefore: Date;
  /** At most about this many, spread evenly over the endpoints that have something due. */
  readonly count: number;
  /** How many more of an endpoint this process wants, and of those that are not named. */
  readonly rooms: ReadonlyMap<string, number>;
  readonly roomOfOthers: number;
  /** Endpoints after this one come first, so that none is served first for ever. */
  readonly after: string;
}

// Seconds of a throttled endpoint's work that may wait in memory, well within the lease.
const throttledSeconds = 10;

/**
 * The endpoints that have open deliveries, by hopping through the index: its cost follows the
 * number of endpoints, not of deliveries, so one with a huge backlog costs the others nothing.
 */
const endpointsWithWork = raw(`
  recursive busy(endpoint_id) as (
    (select endpoint_id from webhook_deliveries_open
     where node is null order by endpoint_id limit 1)
    union all
    select (select o.endpoint_id from webhook_deliveries_open o
            where o.node is null and o.endpoint_id > b.endpoint_id
            order by o.endpoint_id limit 1)
    from busy b where b.endpoint_id is not null
  )`);

/**
 * Leases due deliveries to `node`, in one short transaction of its own. Locks: rows of
 * webhook_deliveries_open, skipping those that another process is claiming.
 */
export async function claim(db: Queryable, request: ClaimRequest): Promise<Claimed[]> {
  const { asOf, until, node, count, rooms, roomOfOthers, after } = request;
  const rows = await db.many<Omit<Claimed, 'startBefore' | 'lease'>>(sql`
    with ${endpointsWithWork}, relaxed as materialized (
      -- a claim that a crash of the database forgets is only made again: no need to wait for fsync
      select set_config('synchronous_commit', 'off', true) as setting
    ), ready as materialized (
      select e.id, e.version,
        least(coalesce(r.room, ${roomOfOthers}::int), e.throttle_per_second * ${throttledSeconds})
          as room
      from busy b
      join webhook_endpoints e on e.id = b.endpoint_id and e.state = 'enabled'
      left join unnest(${[...rooms.keys()]}::text[], ${[...rooms.values()]}::int[])
        as r(endpoint_id, room) on r.endpoint_id = e.id
      where exists (
        select from webhook_deliveries_open o
        where o.node is null and o.endpoint_id = e.id and o.due_at <= ${asOf}::timestamptz)
    ), turn as materialized (
      select id, version,
        least(room, ceil(${count}::int::numeric / count(*) over ()))::int as quota
      from ready cross join relaxed where room > 0
      order by id > ${after} desc, id
      limit ${count}::int
    ), picked as materialized (
      select due.message_id, due.endpoint_id, due.trigger,
        t.version, t.quota
      from turn t cross join lateral (
        select o.message_id, o.endpoint_id, o.trigger from webhook_deliveries_open o
        where o.node is null and o.endpoint_id = t.id and o.due_at <= ${asOf}::timestamptz
        order by o.due_at limit t.quota
        for update skip locked
      ) due
    )
    update webhook_deliveries_open o
    set node = ${node}, lease_until = ${until}::timestamptz, epoch = o.epoch + 1
    from picked p join webhook_messages m on m.id = p.message_id
    where o.message_id = p.message_id and o.endpoint_id = p.endpoint_id and o.trigger = p.trigger
    returning o.message_id as "messageId", o.endpoint_id as "endpointId", o.trigger, o.step,
      o.epoch, m.owner, m.type, m.operational, m.body, p.version, p.quota`);
  const startBefore = request.startBefore.getTime();
  return rows.map((row) => ({ ...row, lease: null, startBefore }));
}

/** When the next delivery that nobody holds falls due after `asOf`, or null. */
export async function nextDue(db: Queryable, asOf: Date): Promise<Date | null> {
  const { due } = await db.one<{ due: Date | null }>(sql`
    with ${endpointsWithWork}
    select min(next.due_at) as due
    from busy b
    join webhook_endpoints e on e.id = b.endpoint_id and e.state = 'enabled'
    cross join lateral (
      select o.due_at from webhook_deliveries_open o
      where o.node is null and o.endpoint_id = e.id and o.due_at > ${asOf}::timestamptz
      order by o.due_at limit 1
    ) next`);
  return due;
}
