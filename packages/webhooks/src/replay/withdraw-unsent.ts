import { sql, type Tx } from '@svc/db';

/** Takes back the deliveries that a replay has opened and no process has claimed: they are listed again. */
export async function withdrawUnsent(tx: Tx, replayId: string, endpointId: string): Promise<void> {
  await tx.run(sql`
    with waiting as (
      delete from webhook_deliveries_open o using webhook_replay_messages i
      where i.replay_id = ${replayId} and i.sent_at is not null and o.message_id = i.message_id
        and o.endpoint_id = ${endpointId} and o.trigger = 'recover' and o.node is null
      returning o.message_id
    ), kept as (
      update webhook_replay_messages i set sent_at = null from waiting w
      where i.replay_id = ${replayId} and i.message_id = w.message_id
      returning i.message_id
    )
    update webhook_replays set replayed = replayed - (select count(*) from kept)
    where id = ${replayId}`);
}
