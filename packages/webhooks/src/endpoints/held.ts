import { sql, type Tx } from '@svc/db';
import { endpointNotFound } from '../refusal.ts';

/** Enables the endpoint; what it was holding is sent by its schedule. Answers how many that are. */
export async function releaseHeld(
  tx: Tx,
  owner: string,
  endpointId: string,
  now: Date,
): Promise<number> {
  const endpoint = await lockEndpoint(tx, owner, endpointId);
  if (endpoint.state === 'enabled') return 0;
  await tx.run(sql`
    update webhook_endpoints set state = 'enabled', disabled_reason = null, failing_since = null,
      version = version + 1, updated_at = ${now}::timestamptz
    where id = ${endpointId}`);
  const { held } = await tx.one<{ held: number }>(sql`
    select count(*) as held from webhook_deliveries_open
    where node is null and endpoint_id = ${endpointId} and trigger = 'schedule'`);
  return held;
}

/** Gives up what a disabled endpoint is holding; it stays disabled. Answers how many that were. */
export async function skipHeld(
  tx: Tx,
  owner: string,
  endpointId: string,
  now: Date,
): Promise<number> {
  const endpoint = await lockEndpoint(tx, owner, endpointId);
  if (endpoint.state === 'enabled') return 0;
  return tx.run(sql`
    with given_up as (
      delete from webhook_deliveries_open where node is null and endpoint_id = ${endpointId}
      returning message_id, endpoint_id, trigger
    )
    insert into webhook_deliveries_undelivered (message_id, endpoint_id, state, reason, ended_at)
    select message_id, endpoint_id, 'skipped', 'held_and_skipped', ${now}::timestamptz
    from given_up where trigger = 'schedule'
    on conflict (message_id, endpoint_id) do nothing`);
}

async function lockEndpoint(tx: Tx, owner: string, id: string): Promise<{ state: string }> {
  const row = await tx.maybe<{ state: string }>(sql`
    select state from webhook_endpoints
    where id = ${id} and owner = ${owner} and state <> 'deleted' for update`);
  if (!row) throw endpointNotFound();
  return row;
}
