import { bigint, instant, nullable, type Queryable, row, sql } from '@svc/db';
import { timeOf } from '../kernel/ids.ts';
import { listPartitions, partitionedTables } from '../partitions/list-partitions.ts';

/** The state of deliveries over all owners and processes, for an operator's graphs. */
export interface Backlog {
  /** Messages ever stored. May include a few that were rolled back. */
  readonly accepted: number;
  /** Open deliveries. Exact up to 100,000, which means that many or more. */
  readonly open: {
    readonly pending: number;
    readonly delivering: number;
    readonly retrying: number;
    readonly held: number;
  };
  /** Exhausted and skipped deliveries, estimated from the database's statistics. */
  readonly undelivered: number;
  /** Seconds since the oldest delivery that could be sent fell due; 0 if none waits. */
  readonly due_lag_seconds: number;
  /** Seconds until new messages or attempts have no partition; negative once they have none. */
  readonly partitioned_seconds: number;
  readonly replays: number;
  readonly failing_endpoints: number;
  readonly disabled_endpoints: number;
}

const mostCounted = 100_000;

/** Measures the backlog. Takes milliseconds whatever the tables' size, so it can run every few seconds. */
export async function measureBacklog(q: Queryable, now: Date): Promise<Backlog> {
  const measured = await q.one(
    measuredRow,
    sql`
    with /* all partners */ open as (
      select o.node is not null as leased, o.step, e.state
      from (
        (select owner, endpoint_id, node, step from webhook_deliveries_open limit ${mostCounted})
        union all select owner, endpoint_id, node, 0 from webhook_deliveries_leased
      ) o
      join webhook_endpoints e on e.owner = o.owner and e.id = o.endpoint_id
    ), due as (
      select min(d.due_at) as at
      from webhook_endpoints e cross join lateral (
        select o.due_at from webhook_deliveries_open o
        where o.node is null and o.owner = e.owner and o.endpoint_id = e.id
        order by o.due_at limit 1) d
      where e.state = 'enabled'
    )
    select
      coalesce(pg_sequence_last_value(
        pg_get_serial_sequence('webhook_messages', 'sequence')::regclass), 0) as accepted,
      count(*) filter (where leased) as delivering,
      count(*) filter (where not leased and state = 'disabled') as held,
      count(*) filter (where not leased and state = 'enabled' and step = 0) as pending,
      count(*) filter (where not leased and state = 'enabled' and step > 0) as retrying,
      (select greatest(reltuples, 0)::bigint from pg_class
       where oid = 'webhook_deliveries_undelivered'::regclass) as undelivered,
      (select at from due) as due_at,
      (select count(*) from webhook_replays
       where finished_at is null and state = 'running') as replays,
      (select count(*) from webhook_endpoints
       where state = 'enabled' and failing_since is not null) as failing_endpoints,
      (select count(*) from webhook_endpoints where state = 'disabled') as disabled_endpoints
    from open`,
  );
  const { pending, delivering, retrying, held, due_at, ...rest } = measured;
  const lag = due_at ? (now.getTime() - due_at.getTime()) / 1000 : 0;
  return {
    ...rest,
    open: { pending, delivering, retrying, held },
    due_lag_seconds: Math.max(0, lag),
    partitioned_seconds: ((await partitionedUntil(q)) - now.getTime()) / 1000,
  };
}

/** Returns when the first of the tables runs out of partitions, in milliseconds since 1970. */
async function partitionedUntil(q: Queryable): Promise<number> {
  const ends = [];
  for (const table of partitionedTables) {
    ends.push((await listPartitions(q, table)).at(-1)?.to);
  }
  return Math.min(...ends.map((end) => (end === undefined ? 0 : timeOf(end).getTime())));
}

const measuredRow = row('backlog', {
  accepted: bigint,
  delivering: bigint,
  held: bigint,
  pending: bigint,
  retrying: bigint,
  undelivered: bigint,
  due_at: nullable(instant),
  replays: bigint,
  failing_endpoints: bigint,
  disabled_endpoints: bigint,
});
