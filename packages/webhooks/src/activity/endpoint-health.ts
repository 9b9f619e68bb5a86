import {
  instant,
  integer,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { type ErrorClass, errorClasses } from '../sending/describe-attempt.ts';

export interface EndpointHealth {
  readonly endpoint_id: string;
  /** The last 24 hours by the clock, including the current one, oldest first. */
  readonly hours: { readonly at: string; readonly delivered: number; readonly failed: number }[];
  readonly last_failure: {
    readonly at: string;
    readonly error_class: ErrorClass;
    readonly status: number | null;
    readonly hint: string;
  } | null;
}

const hourMs = 3_600_000;
const hoursShown = 24;

/** The last 24 hours of each of the owner's endpoints, oldest endpoint first, without test sends. */
export async function listEndpointHealth(
  q: Queryable,
  owner: string,
  now: Date,
): Promise<EndpointHealth[]> {
  const first = (Math.floor(now.getTime() / hourMs) - hoursShown + 1) * hourMs;
  const rows = await q.many(
    healthRow,
    sql`
    select e.id, f.at, f.error_class, f.status, f.hint,
      h.starts, h.delivered, h.failed
    from webhook_endpoints e left join webhook_last_failures f
      on f.owner = e.owner and f.endpoint_id = e.id
    cross join lateral (
      select coalesce(array_agg(c.at), '{}') as starts,
        coalesce(array_agg(c.delivered), '{}') as delivered,
        coalesce(array_agg(c.failed), '{}') as failed
      from (
        select a.at, sum(a.delivered)::int as delivered, sum(a.failed)::int as failed
        from webhook_activity a
        where a.owner = e.owner and a.endpoint_id = e.id and a.step_seconds = 3600
          and a.at >= ${new Date(first)}::timestamptz
        group by a.at) c) h
    where e.owner = ${owner} and e.state <> 'deleted' order by e.id`,
  );
  return rows.map((row) => view(row, first));
}

const healthRow = row('endpoint health', {
  id: text,
  at: nullable(instant),
  error_class: nullable(oneOf(...errorClasses)),
  status: nullable(integer),
  hint: nullable(text),
  // The hours with attempts: their starts and counts, one below the other.
  starts: listOf(instant),
  delivered: listOf(integer),
  failed: listOf(integer),
});

function view(found: RowOf<typeof healthRow>, first: number): EndpointHealth {
  const { id, starts, at, error_class, status, hint } = found;
  const positions = new Map(starts.map((start, index) => [start.getTime(), index]));
  const hasFailed = at !== null && error_class !== null && hint !== null;
  return {
    endpoint_id: id,
    hours: Array.from({ length: hoursShown }, (_, index) => {
      const start = first + index * hourMs;
      const position = positions.get(start) ?? -1;
      return {
        at: new Date(start).toISOString(),
        delivered: found.delivered[position] ?? 0,
        failed: found.failed[position] ?? 0,
      };
    }),
    last_failure: hasFailed ? { at: at.toISOString(), error_class, status, hint } : null,
  };
}
