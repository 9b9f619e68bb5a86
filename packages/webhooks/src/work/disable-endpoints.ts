import { sql, type Tx } from '@svc/db';

export interface DisabledEndpoint {
  readonly id: string;
  readonly owner: string;
  readonly reason: 'failing' | 'gone';
}

/** Endpoints of which every attempt has failed since before `cutoff`. */
export async function disableFailing(
  tx: Tx,
  endpointIds: readonly string[],
  cutoff: Date,
  now: Date,
): Promise<DisabledEndpoint[]> {
  if (endpointIds.length === 0) return [];
  return tx.many<DisabledEndpoint>(sql`
    update webhook_endpoints set state = 'disabled', disabled_reason = 'failing',
      version = version + 1, updated_at = ${now}::timestamptz
    where id = any(${endpointIds}::text[]) and state = 'enabled'
      and failing_since <= ${cutoff}::timestamptz
    returning id, owner, disabled_reason as reason`);
}

/** Endpoints that answered 410 and asked for this. */
export async function disableGone(
  tx: Tx,
  endpointIds: readonly string[],
  now: Date,
): Promise<DisabledEndpoint[]> {
  if (endpointIds.length === 0) return [];
  return tx.many<DisabledEndpoint>(sql`
    update webhook_endpoints set state = 'disabled', disabled_reason = 'gone',
      version = version + 1, updated_at = ${now}::timestamptz
    where id = any(${endpointIds}::text[]) and state = 'enabled' and disable_on_gone
    returning id, owner, disabled_reason as reason`);
}
