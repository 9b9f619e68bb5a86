import {
  bigint,
  instant,
  integer,
  json,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  raw,
  recordset,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { type EndpointRef, triggerColumn } from '../kernel/claimed.ts';
import { newId } from '../kernel/ids.ts';
import { retryAfterTime } from '../kernel/retry-after.ts';
import { nextAttemptAt } from '../kernel/retry-schedule.ts';
import type { Result } from '../messages/attempt-detail.ts';
import { attemptDetail, detailSchema } from '../messages/attempt-detail.ts';
import { errorClasses } from '../sending/describe-attempt.ts';
import type { DeliveryKey } from './write-successes.ts';

const resultRow = row('failed attempt', {
  owner: text,
  id: text,
  message_id: text,
  endpoint_id: text,
  trigger: triggerColumn,
  epoch: integer,
  lease_id: nullable(bigint),
  step: integer,
  verdict: oneOf('retry', 'exhausted', 'dropped'),
  started_at: instant,
  ended_at: instant,
  next_at: nullable(instant),
  status: nullable(integer),
  error_class: nullable(oneOf(...errorClasses)),
  detail: json(detailSchema),
});
export type FailureRow = RowOf<typeof resultRow>;

/** A delivery that is exhausted or, without a message, an endpoint that is to be disabled. */
const writtenRow = row('consequence of failures', {
  owner: text,
  message_id: nullable(text),
  endpoint_id: text,
});

interface RecordedFailures {
  /** Deliveries whose last scheduled attempt failed. */
  readonly exhausted: DeliveryKey[];
  /** Endpoints whose every attempt has failed since before the cutoff: they are to be disabled. */
  readonly failing: EndpointRef[];
}

/**
 * Returns the row to write for a failed attempt. Its verdict says what happens to the delivery: `retry` at
 * `next_at`, `exhausted` after the last scheduled attempt, or `dropped` for an extra attempt by a
 * replay, which never changes the schedule.
 */
export function failureRow(result: Result, schedule?: readonly number[]): FailureRow {
  const { claimed, outcome } = result;
  const scheduled = claimed.trigger === 'schedule';
  const nextAt = scheduled ? nextAttempt(result, schedule) : null;
  const last = scheduled ? 'exhausted' : 'dropped';
  return {
    owner: claimed.owner,
    id: newId('att', outcome.endedAt),
    message_id: claimed.messageId,
    endpoint_id: claimed.endpointId,
    trigger: claimed.trigger,
    epoch: claimed.epoch,
    lease_id: claimed.lease?.id ?? null,
    step: claimed.step + 1,
    verdict: nextAt ? 'retry' : last,
    started_at: outcome.startedAt,
    ended_at: outcome.endedAt,
    next_at: nextAt,
    status: outcome.status,
    error_class: outcome.errorClass,
    detail: attemptDetail(result),
  };
}

/**
 * Returns when the schedule allows the next attempt or, if the endpoint honors `Retry-After` and that time is
 * later, when it does. Null after the last attempt.
 */
function nextAttempt(
  { claimed, outcome, honorsRetryAfter }: Result,
  schedule?: readonly number[],
): Date | null {
  const { endedAt, responseHeaders } = outcome;
  const scheduled = nextAttemptAt(claimed.step + 1, endedAt, schedule);
  if (!scheduled || !honorsRetryAfter) return scheduled;
  const retryAfter = retryAfterTime(responseHeaders['retry-after'], endedAt);
  return retryAfter && retryAfter > scheduled ? retryAfter : scheduled;
}

/**
 * Writes failed attempts and what follows from them, in one statement and commit: the attempts, the
 * retries, the exhausted deliveries, and since when an endpoint has been failing.
 *
 * A failure changes its delivery only if the lease under which it was sent still stands. Otherwise
 * another process has claimed the delivery since, and its result counts. For a delivery with an
 * open row, that is a comparison of epochs. For one under a publish lease, the lease must still exist;
 * call `lockLeases` before, so that it cannot expire during this statement.
 *
 * Locks: rows of webhook_deliveries_open, webhook_deliveries_undelivered, webhook_endpoints.
 */
export async function writeFailures(
  q: Queryable,
  rows: readonly FailureRow[],
  failingCutoff: Date,
): Promise<RecordedFailures> {
  const written = await q.many(
    writtenRow,
    sql`
    /* planned each time */
    with result as materialized (
      select * from ${recordset(resultRow, rows, 'r')}
    ), ${storedAttempts}, ${changedOpenRows}, ${leftPublishLeases}, exhausted as (
      insert into webhook_deliveries_undelivered
        (owner, message_id, endpoint_id, state, ended_at)
      select owner, message_id, endpoint_id, 'exhausted', ended_at from ended where verdict = 'exhausted'
      union all
      select owner, message_id, endpoint_id, 'exhausted', ended_at from leased where verdict = 'exhausted'
      on conflict (message_id, owner, endpoint_id) do nothing
      returning owner, message_id, endpoint_id
    ), ${failingEndpoints(rows)}
    select owner, message_id, endpoint_id from exhausted
    union all
    select e.owner, null, e.id from webhook_endpoints e
    join failure f on f.owner = e.owner and f.endpoint_id = e.id
    where e.state = 'enabled' and e.failing_since <= ${failingCutoff}::timestamptz`,
  );
  return {
    exhausted: written.flatMap(({ owner, message_id, endpoint_id }) =>
      message_id === null ? [] : { owner, message_id, endpoint_id },
    ),
    failing: written.flatMap(({ owner, message_id, endpoint_id }) =>
      message_id === null ? { owner, endpointId: endpoint_id } : [],
    ),
  };
}

// The parts of the statement above. Each is one or two CTEs that read `result`.

/** A batch may be written twice, when the answer to its first commit was lost. */
const storedAttempts = raw(`attempt as (
      insert into webhook_attempts (owner, id, message_id, endpoint_id, trigger, started_at, status,
        error_class, next_attempt_at, detail)
      select owner, id, message_id, endpoint_id, trigger, started_at, status, error_class, next_at, detail
      from result
      on conflict (message_id, owner, id) do nothing
    )`);

/**
 * Deliveries with an open row: it is rescheduled or, after the last attempt, deleted. The verdicts
 * are listed, because with "<>" the planner expects many rows and does not look them up by key.
 */
const changedOpenRows = raw(`retried as (
      update webhook_deliveries_open o
      set step = r.step, due_at = r.next_at, node = null, lease_until = null
      from result r
      where r.verdict = 'retry' and r.lease_id is null and o.owner = r.owner
        and o.message_id = r.message_id
        and o.endpoint_id = r.endpoint_id and o.trigger = r.trigger and o.epoch = r.epoch
    ), ended as (
      delete from webhook_deliveries_open o using result r
      where r.verdict in ('exhausted', 'dropped') and r.lease_id is null
        and o.owner = r.owner and o.message_id = r.message_id
        and o.endpoint_id = r.endpoint_id and o.trigger = r.trigger and o.epoch = r.epoch
      returning o.owner, o.message_id, o.endpoint_id, r.verdict, r.ended_at
    )`);

/**
 * Deliveries under a publish lease that still stands: each retry gets an open row. A replay may have
 * delivered the message since; then there is nothing left to retry.
 */
const leftPublishLeases = raw(`leased as materialized (
      select r.* from result r where r.lease_id in (select id from webhook_leases)
        and not exists (
          select from webhook_attempts a where a.owner = r.owner and a.message_id = r.message_id
            and a.endpoint_id = r.endpoint_id and a.error_class is null offset 0)
    ), opened as (
      insert into webhook_deliveries_open (owner, message_id, endpoint_id, step, due_at)
      select owner, message_id, endpoint_id, step, next_at from leased where verdict = 'retry'
      on conflict (message_id, owner, endpoint_id, trigger) do nothing
    )`);

/**
 * `failing_since` is set by the first failure and cleared by the next success. The limit removes no
 * row. Without it the planner expects a hundred endpoints, because the rows come from JSON, and reads
 * the whole table: 7 to 20 ms for one failure among 10,000 endpoints, instead of 1 ms.
 */
function failingEndpoints(rows: readonly FailureRow[]): Sql {
  return sql`failure as materialized (
      select owner, endpoint_id, min(ended_at) as at from result group by 1, 2
      limit ${rows.length}
    ), failing as (
      -- locked in the order of the keys, so that two batches cannot deadlock
      update webhook_endpoints e set failing_since = l.at from (
        select e.owner, e.id, f.at from webhook_endpoints e
        join failure f on f.owner = e.owner and f.endpoint_id = e.id
        where e.failing_since is null
        order by e.owner, e.id for update of e) l
      where e.owner = l.owner and e.id = l.id
    )`;
}
