import { type Queryable, row, sql, text } from '@svc/db';
import { messageNotFound } from '../kernel/refusal.ts';
import { type AttemptView, attemptColumns, attemptRow, viewAttempt } from './view-attempt.ts';

const messageRow = row('message id', { id: text });

/**
 * Lists every attempt of one message, oldest first. `number` counts per endpoint over all triggers, in
 * the order in which the attempts ended.
 */
export async function listAttempts(
  q: Queryable,
  owner: string,
  messageId: string,
): Promise<AttemptView[]> {
  const message = await q.maybe(
    messageRow,
    sql`
    select id from webhook_messages where owner = ${owner} and id = ${messageId}`,
  );
  if (!message) throw messageNotFound();
  const rows = await q.many(
    attemptRow,
    sql`
    select ${attemptColumns}, row_number() over (partition by a.endpoint_id order by a.id)::int as number
    from webhook_attempts a
    where a.owner = ${owner} and a.message_id = ${messageId} order by a.id`,
  );
  return rows.map(viewAttempt);
}
