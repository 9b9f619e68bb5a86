import { sql, type Tx } from '@svc/db';

/** Gives up what a disabled endpoint is holding. The caller holds the endpoint's row. */
export async function skipHeld(tx: Tx, endpointId: string, now: Date): Promise<void> {
  await tx.run(sql`
    with given_up as (
      delete from webhook_deliveries_open where node is null and endpoint_id = ${endpointId}
      returning message_id, endpoint_id, trigger
    )
    insert into webhook_deliveries_undelivered (message_id, endpoint_id, state, reason, ended_at)
    select message_id, endpoint_id, 'skipped', 'held_and_skipped', ${now}::timestamptz
    from given_up where trigger = 'schedule'
    on conflict (message_id, endpoint_id) do nothing`);
}
