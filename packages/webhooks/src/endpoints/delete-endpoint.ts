import { sql, type Tx } from '@svc/db';
import { endpointNotFound } from '../kernel/refusal.ts';

/**
 * No new attempt starts; what was still to be sent is `skipped`. The attempts stay readable, so the
 * row stays too, without its secrets.
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
      header_names = '{}', sealed_headers = null,
      version = version + 1, updated_at = ${now}::timestamptz
    where id = ${endpointId} and owner = ${owner} and state <> 'deleted'`);
  if (touched === 0) throw endpointNotFound();
  await tx.run(sql`delete from webhook_secrets where endpoint_id = ${endpointId}`);
}
