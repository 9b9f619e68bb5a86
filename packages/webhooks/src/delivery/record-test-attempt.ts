import { type Database, sql } from '@svc/db';
import type { TestMessage } from '../kernel/engine-deps.ts';
import { newId } from '../kernel/ids.ts';
import { attemptDetail, type Exchange } from '../messages/attempt-detail.ts';
import { type AttemptView, viewAttempt } from '../messages/view-attempt.ts';

/** Stores a test message with its one attempt. It can be read by its id; lists and counts leave it out. */
export async function recordTestAttempt(
  db: Database,
  owner: string,
  endpointId: string,
  message: TestMessage,
  exchange: Exchange,
): Promise<AttemptView> {
  const { startedAt, endedAt, errorClass, status } = exchange.outcome;
  const attemptId = newId('att', endedAt);
  const detail = attemptDetail(exchange);
  await db.run(sql`
    with message as (
      insert into webhook_messages (id, owner, type, body, test, created_at)
      values (${message.id}, ${owner}, ${message.type}, ${message.body}, true,
        ${startedAt}::timestamptz)
    )
    insert into webhook_attempts
      (owner, id, message_id, endpoint_id, trigger, started_at, status, error_class, detail)
    values (${owner}, ${attemptId}, ${message.id}, ${endpointId}, 'test', ${startedAt}::timestamptz,
      ${status}::smallint, ${errorClass}, ${JSON.stringify(detail)}::json)`);
  return viewAttempt({
    id: attemptId,
    message_id: message.id,
    endpoint_id: endpointId,
    number: 1,
    trigger: 'test',
    started_at: startedAt,
    status,
    error_class: errorClass,
    next_attempt_at: null,
    detail,
  });
}
