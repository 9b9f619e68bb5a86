import { sql, type Tx } from '@svc/db';
import {
  endpointDisabled,
  endpointNotFound,
  messageExpunged,
  messageNotFound,
} from '../kernel/refusal.ts';
import { lockReplaying } from '../messages/lock-replaying.ts';

/**
 * One extra attempt, whatever became of the message before, also to an endpoint it was never meant
 * for. It is outside the schedule: failing leaves a pending retry as it is, succeeding cancels it.
 * Asking again before it was made is the same request. Call `engine.wake()` afterwards.
 */
export async function replayMessage(
  tx: Tx,
  owner: string,
  messageId: string,
  endpointId: string,
  now: Date,
): Promise<void> {
  await lockReplaying(tx, owner, 'shared');
  const endpoint = await tx.maybe<{ state: string }>(sql`
    select state from webhook_endpoints
    where id = ${endpointId} and owner = ${owner} and state <> 'deleted' for share`);
  if (!endpoint) throw endpointNotFound();
  const message = await tx.maybe<{ expunged: boolean }>(sql`
    select expunged_at is not null as expunged from webhook_messages
    where id = ${messageId} and owner = ${owner}`);
  if (!message) throw messageNotFound();
  if (message.expunged) throw messageExpunged();
  if (endpoint.state === 'disabled') throw endpointDisabled();
  await tx.run(sql`
    insert into webhook_deliveries_undelivered (message_id, endpoint_id, state, reason, ended_at)
    select ${messageId}, ${endpointId}, 'skipped', 'not_subscribed', ${now}::timestamptz
    where not exists (
      select from webhook_deliveries
      where message_id = ${messageId} and endpoint_id = ${endpointId})
    on conflict (message_id, endpoint_id) do nothing`);
  await tx.run(sql`
    insert into webhook_deliveries_open (message_id, endpoint_id, trigger, due_at)
    values (${messageId}, ${endpointId}, 'manual', ${now}::timestamptz)
    on conflict (message_id, endpoint_id, trigger) do nothing`);
}
