import { sql, type Tx } from '@svc/db';
import { endpointNotFound } from '../kernel/refusal.ts';

/**
 * Deletes an endpoint. No new attempt starts, and its open deliveries are `skipped`. Its row stays,
 * without secrets, because its attempts can still be read.
 *
 * A publish or a claim at the same time may have read the endpoint as enabled. Attempts read its state
 * again before they send, at most 1 s old, and upkeep skips the open rows that are left.
 */
export async function deleteEndpoint(
  tx: Tx,
  owner: string,
  endpointId: string,
  now: Date,
): Promise<void> {
  const touched = await tx.run(sql`
    update webhook_endpoints set state = 'deleted', disabled_reason = null,
      auth_type = 'none', auth_name = null, sealed_auth = null,
      header_names = '{}', sealed_headers = null, public_keys = null, sealed_private_keys = null,
      version = version + 1, updated_at = ${now}::timestamptz
    where owner = ${owner} and id = ${endpointId} and state <> 'deleted'`);
  if (touched === 0) throw endpointNotFound();
  await tx.run(sql`
    delete from webhook_secrets where owner = ${owner} and endpoint_id = ${endpointId}`);
}
