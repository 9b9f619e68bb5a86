import { bigint, boolean, nullable, oneOf, row, sql, type Tx, text } from '@svc/db';
import {
  endpointDisabled,
  endpointNotFound,
  messageExpunged,
  messageNotFound,
} from '../kernel/refusal.ts';
import { lockReplaying } from '../messages/lock-replaying.ts';

const endpointRow = row('endpoint to replay to', {
  state: oneOf('enabled', 'disabled'),
  ordered: boolean,
});
const messageRow = row('message to replay', {
  expunged: boolean,
  subject: nullable(text),
  sequence: bigint,
});

/**
 * Requests one extra attempt to send a message to an endpoint, whatever the state of its delivery, also
 * if the endpoint was not subscribed. The attempt is outside of the schedule: a failure leaves a
 * pending retry as it is, a success cancels it. A second request before the attempt has no effect. At an
 * ordered endpoint, it is sent before the later messages with its subject that are still open.
 * After the commit call `engine.wake()`.
 *
 * Takes the owner's replay lock, shared, so that the message is not expunged until the commit. Then locks
 * the endpoint's row, shared, so that it is not disabled or deleted before the attempt is requested.
 */
export async function replayMessage(
  tx: Tx,
  owner: string,
  messageId: string,
  endpointId: string,
  now: Date,
): Promise<void> {
  await lockReplaying(tx, owner, 'shared');
  const endpoint = await tx.maybe(
    endpointRow,
    sql`
    select state, ordered from webhook_endpoints
    where owner = ${owner} and id = ${endpointId} and state <> 'deleted' for share`,
  );
  if (!endpoint) throw endpointNotFound();
  const message = await tx.maybe(
    messageRow,
    sql`
    select expunged_at is not null as expunged, subject, sequence from webhook_messages
    where owner = ${owner} and id = ${messageId}`,
  );
  if (!message) throw messageNotFound();
  if (message.expunged) throw messageExpunged();
  if (endpoint.state === 'disabled') throw endpointDisabled();
  await tx.run(sql`
    insert into webhook_deliveries_undelivered
      (owner, message_id, endpoint_id, state, reason, ended_at)
    select ${owner}, ${messageId}, ${endpointId}, 'skipped', 'not_subscribed', ${now}::timestamptz
    where not exists (
      select from webhook_deliveries
      where owner = ${owner} and message_id = ${messageId} and endpoint_id = ${endpointId})
    on conflict (message_id, owner, endpoint_id) do nothing`);
  const lane = endpoint.ordered ? message.subject : null;
  await tx.run(sql`
    insert into webhook_deliveries_open (owner, message_id, endpoint_id, trigger, due_at, lane, position)
    values (${owner}, ${messageId}, ${endpointId}, 'manual', ${now}::timestamptz, ${lane},
      ${lane === null ? null : message.sequence}::bigint)
    on conflict (message_id, owner, endpoint_id, trigger) do nothing`);
}
