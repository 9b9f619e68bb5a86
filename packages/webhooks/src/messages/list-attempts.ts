import { type Queryable, sql } from '@svc/db';
import { messageNotFound } from '../kernel/refusal.ts';
import { type AttemptRow, type AttemptView, viewAttempt } from './view-attempt.ts';

/**
 * Every attempt of one message, oldest first. `number` counts per endpoint over all triggers, in
 * the order in which the attempts ended.
 */
export async function listAttempts(
  q: Queryable,
  owner: string,
  messageId: string,
): Promise<AttemptView[]> {
  const message = await q.maybe(sql`
    select from webhook_messages where id = ${messageId} and owner = ${owner}`);
  if (!message) throw messageNotFound();
  const rows = await q.many<AttemptRow>(sql`
    select a.*, row_number() over (partition by a.endpoint_id order by a.id)::int as number
    from webhook_attempts a where a.message_id = ${messageId} order by a.id`);
  return rows.map(viewAttempt);
}
