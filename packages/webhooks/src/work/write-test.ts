import { type Database, sql } from '@svc/db';
import type { TestMessage } from '../engine.ts';
import { newId } from '../messages/new-id.ts';
import { type AttemptView, viewAttempt } from '../messages/view-attempt.ts';
import type { Result } from '../record.ts';
import { attemptColumns } from './write-results.ts';

/** Stores a test send with its one attempt: readable by its id, absent from lists and counts. */
export async function writeTest(
  db: Database,
  owner: string,
  endpointId: string,
  message: TestMessage,
  exchange: Omit<Result, 'claimed' | 'disableOnGone'>,
): Promise<AttemptView> {
  const { startedAt, endedAt, errorClass } = exchange.outcome;
  const columns = attemptColumns(exchange);
  const attemptId = newId('att', endedAt);
  await db.run(sql`
    with message as (
      insert into webhook_messages (id, owner, type, body, test, created_at)
      values (${message.id}, ${owner}, ${message.type}, ${message.body}, true,
        ${startedAt}::timestamptz)
    ), closed as (
      insert into webhook_deliveries_closed (message_id, endpoint_id, state, closed_at)
      values (${message.id}, ${endpointId}, ${errorClass === null ? 'delivered' : 'exhausted'},
        ${endedAt}::timestamptz)
    )
    insert into webhook_attempts
      (id, message_id, endpoint_id, trigger, started_at, status, error_class, error, url,
       request_headers, svix_headers, response_headers, response_body, response_truncated,
       dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
    select ${attemptId}, ${message.id}, ${endpointId}, 'test', a.*
    from json_to_record(${JSON.stringify(columns)}::json) as a(
      started_at timestamptz, status int, error_class text, error text, url text,
      request_headers json, svix_headers boolean, response_headers json, response_body text,
      response_truncated boolean, dns_ms real, connect_ms real, tls_ms real, first_byte_ms real,
      total_ms real)`);
  return viewAttempt({
    ...columns,
    id: attemptId,
    message_id: message.id,
    endpoint_id: endpointId,
    number: 1,
    trigger: 'test',
    started_at: startedAt,
    next_attempt_at: null,
  });
}
