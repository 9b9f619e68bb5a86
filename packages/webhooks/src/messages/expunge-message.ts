import { boolean, instant, nullable, row, sql, type Tx, text } from '@svc/db';
import { type Trigger, triggerColumn } from '../kernel/claimed.ts';
import { EngineRefusal, messageNotFound } from '../kernel/refusal.ts';
import { getMessage, type MessageDetail } from './list-messages.ts';
import { lockReplaying } from './lock-replaying.ts';

export interface ExpungeInput {
  /** Cancels the deliveries and replays that could still send it, instead of refusing. */
  readonly cancel?: boolean;
}

const messageRow = row('message to expunge', { expunged_at: nullable(instant) });

/**
 * Erases the body of one message for good, and the response bodies of its attempts, because receivers
 * may repeat it. Its deliveries and attempts stay readable. A second call has no effect. Takes the
 * owner's replay lock exclusively, so that no replay picks the message until the commit, and then locks
 * the message's row.
 *
 * @throws EngineRefusal `message_in_use` while something could still send it; with `cancel`, only while
 * an attempt is in flight.
 */
export async function expungeMessage(
  tx: Tx,
  owner: string,
  messageId: string,
  { cancel = false }: ExpungeInput,
  now: Date,
): Promise<MessageDetail> {
  await lockReplaying(tx, owner, 'exclusive');
  const message = await tx.maybe(
    messageRow,
    sql`
    select expunged_at from webhook_messages
    where owner = ${owner} and id = ${messageId} for update`,
  );
  if (!message) throw messageNotFound();
  if (message.expunged_at === null) {
    if (cancel) await cancelDeliveries(tx, owner, messageId, now);
    await refuseInUse(tx, owner, messageId, cancel);
    await erase(tx, owner, messageId, now);
  }
  return getMessage(tx, owner, messageId);
}

const canceledRow = row('canceled delivery', { endpoint_id: text, trigger: triggerColumn });

async function cancelDeliveries(
  tx: Tx,
  owner: string,
  messageId: string,
  now: Date,
): Promise<void> {
  const canceled = await tx.many(
    canceledRow,
    sql`
    delete from webhook_deliveries_open
    where owner = ${owner} and message_id = ${messageId} and node is null
    returning endpoint_id, trigger`,
  );
  const endpointsOf = (kind: Trigger) =>
    canceled.filter(({ trigger }) => trigger === kind).map(({ endpoint_id }) => endpoint_id);
  await tx.run(sql`
    insert into webhook_deliveries_undelivered
      (owner, message_id, endpoint_id, state, reason, ended_at)
    select ${owner}, ${messageId}, unnest(${endpointsOf('schedule')}::text[]),
      'skipped', 'expunged', ${now}::timestamptz
    on conflict (message_id, owner, endpoint_id) do nothing`);
  await tx.run(sql`
    with replay as (
      select id, endpoint_id from webhook_replays where owner = ${owner} and finished_at is null
    ), left_out as (
      delete from webhook_replay_messages i using replay r
      where i.owner = ${owner} and i.replay_id = r.id and i.message_id = ${messageId}
        and (i.sent_at is null or r.endpoint_id = any(${endpointsOf('recover')}::text[]))
      returning i.replay_id, i.sent_at
    )
    update webhook_replays set replayed = replayed - 1 from left_out l
    where owner = ${owner} and id = l.replay_id and l.sent_at is not null`);
}

const usageRow = row('use of a message', { in_flight: boolean, open: boolean });
const replayRow = row('replay id', { id: text });

async function refuseInUse(tx: Tx, owner: string, id: string, cancel: boolean): Promise<void> {
  const { in_flight, open } = await tx.one(
    usageRow,
    sql`
    select coalesce(bool_or(o.node is not null), false) as in_flight, count(*) > 0 as open
    from (
      select endpoint_id, node from webhook_deliveries_open
      where owner = ${owner} and message_id = ${id}
      union all
      select endpoint_id, node from webhook_deliveries_leased
      where owner = ${owner} and message_id = ${id}
    ) o
    join webhook_endpoints e
      on e.owner = ${owner} and e.id = o.endpoint_id and e.state <> 'deleted'`,
  );
  if (in_flight) {
    throw inUse(
      'An attempt to send the message is in flight: try again when it has ended, within a minute.',
    );
  }
  if (cancel) return;
  if (open) {
    throw inUse(
      'The message is still to be sent: wait, or pass "cancel": true to skip its deliveries.',
    );
  }
  // The replay's states are not compared: the message may be in one of them when the replay gets there.
  const replay = await tx.maybe(
    replayRow,
    sql`
    select r.id from webhook_replays r join webhook_messages m on m.owner = r.owner and m.id = ${id}
    where r.owner = ${owner} and r.finished_at is null and r.state <> 'canceled' and (
      exists (select from webhook_replay_messages i
        where i.owner = r.owner and i.replay_id = r.id and i.message_id = m.id)
      or m.created_at >= r.since and m.created_at < r.until and not m.test
        and (r.reached is null or r.reached <> 'all' and r.reached < m.id)
        and (r.event_types is null or m.type = any(r.event_types)
          or regexp_replace(m.type, '[^.]*$', '*') = any(r.event_types)))
    order by r.id limit 1`,
  );
  if (replay) {
    throw inUse(
      `The replay ${replay.id} could still send the message: wait for its end, cancel it, or pass "cancel": true to leave this message out.`,
    );
  }
}

function inUse(message: string): EngineRefusal {
  return new EngineRefusal('message_in_use', message, 'cancel');
}

async function erase(tx: Tx, owner: string, id: string, now: Date): Promise<void> {
  await tx.run(sql`
    update webhook_messages set body = '', expunged_at = ${now}::timestamptz
    where owner = ${owner} and id = ${id}`);
  await tx.run(sql`
    update webhook_attempts set detail = (
      select json_object_agg(key, value) from json_each(detail) where key not in ('body', 'cut'))
    where owner = ${owner} and message_id = ${id}`);
}
