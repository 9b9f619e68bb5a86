import { type Queryable, sql } from '@svc/db';
import { newId } from '../messages/new-id.ts';
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
    attempt_id: newId('att', outcome.endedAt),
    message_id: claimed.messageId,
    endpoint_id: claimed.endpointId,
    trigger: claimed.trigger,
    epoch: claimed.epoch,
    step: claimed.step + 1,
    verdict,
    next_at: nextAt?.toISOString() ?? null,
    ...attemptColumns(result),
    ended_at: outcome.endedAt.toISOString(),
  };
}

export function attemptColumns(result: Omit<Result, 'claimed' | 'disableOnGone'>) {
  const { outcome } = result;
  return {
    started_at: outcome.startedAt.toISOString(),
    status: outcome.status,
    error_class: outcome.errorClass,
    error: outcome.error,
    url: result.url,
    request_headers: result.requestHeaders,
    svix_headers: result.svixHeaders,
    response_headers: redactResponse(outcome.responseHeaders),
    response_body: outcome.responseBody,
    response_truncated: outcome.responseTruncated,
    dns_ms: outcome.times.dns,
    connect_ms: outcome.times.connect,
    tls_ms: outcome.times.tls,
    first_byte_ms: outcome.times.firstByte,
    total_ms: outcome.times.total,
  };
}

/**
 * All in one statement, so one commit: the attempts, the deliveries that ended, the retries that
 * follow, and since when an endpoint fails. A 2xx is a fact and counts whoever holds the lease now;
 * a failure changes a delivery only while its lease is still the one it was sent under (epoch).
 * Locks: rows of webhook_deliveries_open, webhook_deliveries_closed, webhook_endpoints.
 */
export async function writeResults(
  q: Queryable,
  rows: readonly ResultRow[],
  failingCutoff: Date,
): Promise<RecordedEvent[]> {
  return q.many<RecordedEvent>(sql`
    with result as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        attempt_id text, message_id text, endpoint_id text, trigger text, epoch int, step int,
        verdict text, next_at timestamptz, started_at timestamptz, ended_at timestamptz,
        status int, error_class text, error text, url text, request_headers json,
        svix_headers boolean, response_headers json, response_body text,
        response_truncated boolean, dns_ms real, connect_ms real, tls_ms real,
        first_byte_ms real, total_ms real)
    ), attempt as (
      insert into webhook_attempts
        (id, message_id, endpoint_id, trigger, started_at, status, error_class, error, url,
         request_headers, svix_headers, response_headers, response_body, response_truncated,
         dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, next_attempt_at)
      select attempt_id, message_id, endpoint_id, trigger, started_at, status, error_class, error,
        url, request_headers, svix_headers, response_headers, response_body, response_truncated,
        dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, next_at
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
      where r.verdict <> 'retry' and o.message_id = r.message_id
        and o.endpoint_id = r.endpoint_id
        and case when r.verdict = 'delivered' then o.trigger in (r.trigger, 'schedule')
          else o.trigger = r.trigger and o.epoch = r.epoch end
      returning o.message_id, o.endpoint_id, r.verdict
    ), before as materialized (
      select c.message_id, c.endpoint_id
      from result r join webhook_deliveries_closed c
        on c.message_id = r.message_id and c.endpoint_id = r.endpoint_id
      where r.verdict = 'delivered' and c.state = 'exhausted'
    ), closing as (
      insert into webhook_deliveries_closed (message_id, endpoint_id, state, closed_at)
      select r.message_id, r.endpoint_id, r.verdict, r.ended_at from result r
      where r.verdict = 'delivered' or (r.verdict = 'exhausted' and exists (
        select from ended x
        where x.message_id = r.message_id and x.endpoint_id = r.endpoint_id))
      on conflict (message_id, endpoint_id) do update
        set state = excluded.state, reason = null, closed_at = excluded.closed_at
        where excluded.state = 'delivered' and webhook_deliveries_closed.state <> 'delivered'
      returning message_id, endpoint_id, state
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
    select 'exhausted' as kind, message_id, endpoint_id from closing where state = 'exhausted'
    union all
    select 'recovered', b.message_id, b.endpoint_id
    from before b join closing c using (message_id, endpoint_id)
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
