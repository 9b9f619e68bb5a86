import { sql, type Tx } from '@svc/db';

interface ReplayRef {
  readonly owner: string;
  readonly id: string;
  readonly endpoint_id: string;
}

/**
 * Withdraws the deliveries that a replay has opened and no process has claimed: their messages are
 * listed again, to be sent when the replay resumes. A claim that runs at the same time either commits
 * first, and the delivery stays, or finds its row gone.
 */
export async function withdrawUnsent(tx: Tx, { owner, id, endpoint_id }: ReplayRef): Promise<void> {
  await tx.run(sql`
    with waiting as (
      delete from webhook_deliveries_open o using webhook_replay_messages i
      where i.owner = ${owner} and i.replay_id = ${id} and i.sent_at is not null
        and o.owner = ${owner} and o.message_id = i.message_id and o.endpoint_id = ${endpoint_id}
        and o.trigger = 'recover' and o.node is null
      returning o.message_id
    ), kept as (
      update webhook_replay_messages i set sent_at = null from waiting w
      where i.owner = ${owner} and i.replay_id = ${id} and i.message_id = w.message_id
      returning i.message_id
    )
    update webhook_replays set replayed = replayed - (select count(*) from kept)
    where owner = ${owner} and id = ${id}`);
}
