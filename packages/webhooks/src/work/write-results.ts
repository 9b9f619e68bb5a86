import { type Queryable, sql } from '@svc/db';
import { newId } from '../messages/new-id.ts';
import type { AttemptDetail } from '../messages/view-attempt.ts';
import type { Result, Verdict } from '../record.ts';

/** What a batch of results did beyond itself. */
export type RecordedEvent =
  | {
      readonly kind: 'exhausted' | 'recovered';
      readonly message_id: string;
      readonly endpoint_id: string;
    }
  | { readonly kind: 'failing'; readonly endpoint_id: string };

export type ResultRow = ReturnType<typeof resultRow>;

export function resultRow(result: Result, { verdict, nextAt }: Verdict) {
  const { claimed, outcome } = result;
  return {
    id: newId('att', outcome.endedAt),
    message_id: claimed.messageId,
    endpoint_id: claimed.endpointId,
    trigger: claimed.trigger,
    epoch: claimed.epoch,
    step: claimed.step + 1,
    verdict,
    started_at: outcome.startedAt,
    ended_at: outcome.endedAt,
    next_at: nextAt,
    status: outcome.status,
    error_class: outcome.errorClass,
    detail: attemptDetail(result),
  };
}

/** What people are shown of an attempt beside its outcome. */
export function attemptDetail(result: Omit<Result, 'claimed' | 'disableOnGone'>): AttemptDetail {
  const { error, responseHeaders, responseBody, responseTruncated, times } = result.outcome;
  return {
    error,
    url: result.url,
    request_headers: result.requestHeaders,
    svix_headers: result.svixHeaders,
    response_headers: redactResponse(responseHeaders),
    response_body: responseBody,
    response_truncated: responseTruncated,
    timing_in_ms: {
      dns: rounded(times.dns),
      connect: rounded(times.connect),
      tls: rounded(times.tls),
      first_byte: rounded(times.firstByte),
      total: rounded(times.total) ?? 0,
    },
  };
}

/**
 * All in one statement, so one commit: the attempts, the deliveries that ended, the retries that
 * follow, and since when an endpoint fails. A 2xx is a fact and counts whoever holds the lease now;
 * a failure changes a delivery only while its lease is still the one it was sent under (epoch).
 * Locks: rows of webhook_deliveries_open, webhook_deliveries_undelivered, webhook_endpoints.
 */
export async function writeResults(
  q: Queryable,
  rows: readonly ResultRow[],
  failingCutoff: Date,
): Promise<RecordedEvent[]> {
  // "verdict in (…)" and not "<>": the planner then expects few rows and looks them up by key.
  return q.many<RecordedEvent>(sql`
    with result as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        id text, message_id text, endpoint_id text, trigger text, epoch int, step int,
        verdict text, started_at timestamptz, ended_at timestamptz, next_at timestamptz,
        status smallint, error_class text, detail json)
    ), attempt as (
      insert into webhook_attempts (id, message_id, endpoint_id, trigger, started_at, status,
        error_class, next_attempt_at, detail)
      select id, message_id, endpoint_id, trigger, started_at, status, error_class, next_at, detail
      from result
      on conflict (message_id, id) do nothing
    ), retried as (
      update webhook_deliveries_open o
      set step = r.step, due_at = r.next_at, node = null, lease_until = null
      from result r
      where r.verdict = 'retry' and o.message_id = r.message_id
        and o.endpoint_id = r.endpoint_id and o.trigger = r.trigger and o.epoch = r.epoch
    ), ended as (
      delete from webhook_deliveries_open o using result r
      where r.verdict in ('delivered', 'exhausted', 'dropped') and o.message_id = r.message_id
        and o.endpoint_id = r.endpoint_id
        and case when r.verdict = 'delivered' then o.trigger in (r.trigger, 'schedule')
          else o.trigger = r.trigger and o.epoch = r.epoch end
      returning o.message_id, o.endpoint_id, r.verdict, r.ended_at
    ), exhausted as (
      insert into webhook_deliveries_undelivered (message_id, endpoint_id, state, ended_at)
      select message_id, endpoint_id, 'exhausted', ended_at from ended where verdict = 'exhausted'
      on conflict (message_id, endpoint_id) do nothing
      returning message_id, endpoint_id
    ), made_up as (
      delete from webhook_deliveries_undelivered u using result r
      where r.verdict = 'delivered' and u.message_id = r.message_id
        and u.endpoint_id = r.endpoint_id
      returning u.message_id, u.endpoint_id, u.state
    ), health as materialized (
      select endpoint_id, bool_or(verdict = 'delivered') as well, min(ended_at) as at
      from result group by endpoint_id
    ), recovering as (
      update webhook_endpoints e set failing_since = null from health h
      where e.id = h.endpoint_id and h.well and e.failing_since is not null
    ), failing as (
      update webhook_endpoints e set failing_since = h.at from health h
      where e.id = h.endpoint_id and not h.well and e.failing_since is null
    )
    select 'exhausted' as kind, message_id, endpoint_id from exhausted
    union all
    select 'recovered', message_id, endpoint_id from made_up where state = 'exhausted'
    union all
    select 'failing', null, e.id from webhook_endpoints e join health h on h.endpoint_id = e.id
    where not h.well and e.state = 'enabled' and e.failing_since <= ${failingCutoff}::timestamptz`);
}

const secretResponseHeaders = new Set(['set-cookie', 'authorization']);

function redactResponse(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    secretResponseHeaders.has(name) ? '[redacted]' : value.replaceAll('\0', ''),
  ]);
  return Object.fromEntries(shown);
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
