import { type Queryable, sql } from '@svc/db';
import type { ErrorClass } from '../sending/describe-attempt.ts';

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
  const rows = await q.many<HealthRow>(sql`
    select e.id, f.at, f.error_class, f.status, f.hint,
      array(
        select json_build_array(extract(epoch from a.at), sum(a.delivered), sum(a.failed))
        from webhook_activity a
        where a.endpoint_id = e.id and a.step_seconds = 3600
          and a.at >= ${new Date(first)}::timestamptz
        group by a.at) as hours
    from webhook_endpoints e left join webhook_last_failures f on f.endpoint_id = e.id
    where e.owner = ${owner} and e.state <> 'deleted' order by e.id`);
  return rows.map((row) => view(row, first));
}

interface HealthRow {
  id: string;
  at: Date | null;
  error_class: ErrorClass;
  status: number | null;
  hint: string;
  hours: [second: number, delivered: number, failed: number][];
}

function view({ id, hours, at, error_class, status, hint }: HealthRow, first: number) {
  const found = new Map(hours.map(([second, ...counts]) => [second * 1000, counts]));
  return {
    endpoint_id: id,
    hours: Array.from({ length: hoursShown }, (_, index) => {
      const start = first + index * hourMs;
      const [delivered, failed] = found.get(start) ?? [0, 0];
      return { at: new Date(start).toISOString(), delivered, failed };
    }),
    last_failure: at && { at: at.toISOString(), error_class, status, hint },
  };
}
