import { bigint, integer, type Queryable, type RowOf, row, sql } from '@svc/db';
import { getEndpoint } from '../endpoints/view-endpoint.ts';
import { EngineRefusal } from '../kernel/refusal.ts';
import { defaultTuning } from '../kernel/tuning.ts';
import { type Counted, quantile } from './duration-class.ts';

export interface ActivityBucket {
  readonly at: string;
  readonly delivered: number;
  readonly failed: number;
  /** Half of all attempts, delivered or failed, ended within this time. Null without attempts. */
  readonly p50_ms: number | null;
  /** 95 % of all attempts ended within this time. Both are estimates, and at most the deadline. */
  readonly p95_ms: number | null;
}

export interface Activity {
  readonly step_seconds: number;
  /** At most 120 buckets without gaps, oldest first. */
  readonly buckets: ActivityBucket[];
}

export interface ActivityQuery {
  /** Default: all endpoints of the owner. */
  readonly endpoint_id?: string;
  readonly since: Date;
  readonly until: Date;
}

const { deadlineMs } = defaultTuning;
// In seconds.
const minute = 60;
const hour = 3_600;
const day = 86_400;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7].map((days) => days * day),
];
const mostBuckets = 120;
/** How long counts by the minute are kept, in milliseconds. */
export const minutesKeptMs = 2 * day * 1000;

/** Counts attempts over time, without test sends. A crash of a process loses up to a second of counts. */
export async function listActivity(
  q: Queryable,
  owner: string,
  query: ActivityQuery,
  now: Date,
): Promise<Activity> {
  const { endpoint_id, since, until } = query;
  if (endpoint_id !== undefined) await getEndpoint(q, owner, endpoint_id);
  const step = stepFor(query, now);
  const first = Math.floor(since.getTime() / 1000 / step) * step;
  const end = until.getTime() / 1000;
  const rows = await q.many(
    countRow,
    sql`
    select floor(extract(epoch from a.at) / ${step}::int)::bigint * ${step}::int as second,
      a.duration, sum(a.delivered)::bigint as delivered, sum(a.failed)::bigint as failed
    from webhook_endpoints e join webhook_activity a on a.owner = e.owner and a.endpoint_id = e.id
    where e.owner = ${owner} and a.step_seconds = ${storedStepFor(step)}
      and (${endpoint_id ?? null}::text is null or e.id = ${endpoint_id ?? null})
      and a.at >= ${new Date(first * 1000)}::timestamptz and a.at < ${until}::timestamptz
    group by 1, 2`,
  );
  const found = bySecond(rows);
  const buckets: ActivityBucket[] = [];
  for (let second = first; second < end; second += step) {
    buckets.push(toBucket(second, found.get(second) ?? []));
  }
  return { step_seconds: step, buckets };
}

const countRow = row('activity count', {
  second: bigint,
  duration: integer,
  delivered: bigint,
  failed: bigint,
});
type CountRow = RowOf<typeof countRow>;

function bySecond(rows: readonly CountRow[]): Map<number, CountRow[]> {
  const found = new Map<number, CountRow[]>();
  for (const row of rows) found.set(row.second, [...(found.get(row.second) ?? []), row]);
  return found;
}

function toBucket(second: number, rows: readonly CountRow[]): ActivityBucket {
  const counts: Counted[] = rows.map(({ duration, delivered, failed }) => ({
    duration,
    count: delivered + failed,
  }));
  return {
    at: new Date(second * 1000).toISOString(),
    delivered: rows.reduce((sum, { delivered }) => sum + delivered, 0),
    failed: rows.reduce((sum, { failed }) => sum + failed, 0),
    p50_ms: quantile(counts, 0.5, deadlineMs),
    p95_ms: quantile(counts, 0.95, deadlineMs),
  };
}

function stepFor({ since, until }: ActivityQuery, now: Date): number {
  const seconds = (until.getTime() - since.getTime()) / 1000;
  const minStep = now.getTime() - since.getTime() > minutesKeptMs ? hour : minute;
  const step = steps.find((each) => each >= minStep && seconds / each + 1 <= mostBuckets);
  if (seconds > 0 && step !== undefined) return step;
  throw new EngineRefusal(
    'invalid_window',
    'since must be before until, and at most two years before it.',
  );
}

/** Returns the stored step, in seconds, whose counts are summed into buckets of `step` seconds. */
function storedStepFor(step: number): number {
  if (step < hour) return minute;
  return step < day ? hour : day;
}
