import { boolean, listOf, nullable, oneOf, type RowOf, row, sql, type Tx, text } from '@svc/db';
import { parseEndpointUrl } from '../addresses/address-guard.ts';
import { waitingDueAt } from '../kernel/claimed.ts';
import { EngineRefusal, endpointNotFound } from '../kernel/refusal.ts';
import { disabledReason, type EndpointDeps, type EndpointInput, seal } from './create-endpoint.ts';
import { checkCredentials, checkHeaders } from './credentials.ts';
import { checkFilter } from './payload-filter.ts';
import {
  checkChannels,
  checkDescription,
  checkEventTypes,
  checkMetadata,
  checkThrottle,
  checkUid,
} from './settings.ts';
import { switchSigningKeys } from './signing-keys.ts';
import { refuseTakenUid } from './uid.ts';
import { type EndpointView, getEndpoint } from './view-endpoint.ts';

/** Settings to change. Others stay as they are. `auth`, `headers` and `metadata` are replaced as a whole. */
export interface EndpointChange extends Partial<Omit<EndpointInput, 'secret'>> {
  /** Enabling sends the held messages (`release`, the default) or skips them. */
  readonly held?: 'release' | 'skip';
}

/** Changes an endpoint. If the URL changes, await `checkUrl` before the transaction. Locks: its row. */
export async function updateEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  owner: string,
  endpointId: string,
  change: EndpointChange,
  now: Date,
): Promise<EndpointView> {
  const present = await tx.maybe(
    presentRow,
    sql`
    select auth_type, auth_name, header_names, state, ordered, public_keys is not null as signs from webhook_endpoints
    where owner = ${owner} and id = ${endpointId} and state <> 'deleted' for update`,
  );
  if (!present) throw endpointNotFound();
  if (change.url !== undefined) parseEndpointUrl(change.url, deps.policy);
  if (change.held === 'skip' && present.state === 'disabled')
    await skipHeld(tx, owner, endpointId, now);
  await refuseTakenUid(tx, owner, endpointId, checkUid(change.uid));
  await changePlainSettings(tx, owner, endpointId, change, now);
  await changeSecretSettings(tx, deps, owner, endpointId, change, present);
  const { asymmetric_signature: signs = present.signs } = change;
  if (signs !== present.signs) await switchSigningKeys(tx, deps, owner, endpointId, signs);
  if (change.ordered !== undefined && change.ordered !== present.ordered) {
    await (change.ordered
      ? formLanes(tx, owner, endpointId)
      : dissolveLanes(tx, owner, endpointId, now));
  }
  if (change.state !== undefined && change.state !== present.state) {
    await setState(tx, owner, endpointId, change.state);
  }
  return getEndpoint(tx, owner, endpointId);
}

const presentRow = row('present settings', {
  auth_type: oneOf('none', 'basic', 'header'),
  auth_name: nullable(text),
  header_names: listOf(text),
  state: oneOf('enabled', 'disabled'),
  ordered: boolean,
  signs: boolean,
});
type Present = RowOf<typeof presentRow>;

async function changePlainSettings(
  tx: Tx,
  owner: string,
  id: string,
  change: EndpointChange,
  now: Date,
): Promise<void> {
  const {
    disable_on_gone: gone = null,
    honor_retry_after: retryAfter = null,
    ordered = null,
  } = change;
  await tx.run(sql`
    update webhook_endpoints set
      version = version + 1,
      updated_at = ${now}::timestamptz,
      url = coalesce(${change.url ?? null}, url),
      disable_on_gone = coalesce(${gone}::boolean, disable_on_gone),
      honor_retry_after = coalesce(${retryAfter}::boolean, honor_retry_after),
      ordered = coalesce(${ordered}::boolean, ordered),
      description = case when ${change.description === undefined} then description
        else ${checkDescription(change.description)} end,
      event_types = case when ${change.event_types === undefined} then event_types
        else ${checkEventTypes(change.event_types)}::text[] end,
      channels = case when ${change.channels === undefined} then channels
        else ${checkChannels(change.channels)}::text[] end,
      filter = case when ${change.filter === undefined} then filter
        else ${checkFilter(change.filter)}::jsonb end,
      metadata = case when ${change.metadata === undefined} then metadata
        else ${checkMetadata(change.metadata)}::jsonb end,
      uid = case when ${change.uid === undefined} then uid else ${checkUid(change.uid)} end,
      throttle_per_second = case when ${change.throttle_per_second === undefined}
        then throttle_per_second else ${checkThrottle(change.throttle_per_second)}::int end
    where owner = ${owner} and id = ${id}`);
}

async function changeSecretSettings(
  tx: Tx,
  deps: EndpointDeps,
  owner: string,
  id: string,
  change: EndpointChange,
  present: Present,
): Promise<void> {
  const { auth } = change;
  if (auth) checkCredentials(auth);
  const effectiveAuth = auth ?? presentAuth(present);
  const headers = change.headers && checkHeaders(change.headers, effectiveAuth);
  if (!headers) refuseSharedName(effectiveAuth, present.header_names);
  const sealed = seal(deps, id, auth ?? { type: 'none' }, headers ?? {});
  if (auth) {
    await tx.run(sql`
      update webhook_endpoints set auth_type = ${auth.type}, auth_name = ${sealed.authName},
        sealed_auth = ${sealed.auth}::bytea
      where owner = ${owner} and id = ${id}`);
  }
  if (headers) {
    await tx.run(sql`
      update webhook_endpoints set header_names = ${Object.keys(headers)}::text[],
        sealed_headers = ${sealed.headers}::bytea
      where owner = ${owner} and id = ${id}`);
  }
}

/** Enables or disables the endpoint. Earlier failures do not count towards disabling it again. */
async function setState(
  tx: Tx,
  owner: string,
  id: string,
  state: 'enabled' | 'disabled',
): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints
    set state = ${state}, disabled_reason = ${disabledReason(state)}, failing_since = null
    where owner = ${owner} and id = ${id}`);
}

function presentAuth(present: Present): { type: Present['auth_type']; name: string } {
  return { type: present.auth_type, name: present.auth_name ?? '' };
}

function refuseSharedName(
  auth: { type: Present['auth_type']; name?: string },
  headerNames: readonly string[],
): void {
  const name = auth.type === 'basic' ? 'authorization' : (auth.name ?? '').toLowerCase();
  if (auth.type === 'none' || !headerNames.includes(name)) return;
  throw new EngineRefusal(
    'invalid_header',
    `The header ${name} is already among the custom headers: replace those too.`,
    'auth.name',
  );
}

/**
 * Puts the open deliveries of an endpoint that becomes ordered into lanes. Each keeps its due time, until a
 * claim finds that it has to wait. An attempt in flight, and its retries, stay outside of the lanes.
 */
async function formLanes(tx: Tx, owner: string, endpointId: string): Promise<void> {
  await tx.run(sql`
    /* many rows: all open deliveries of one endpoint, when its order is switched on */
    update webhook_deliveries_open o set lane = m.subject, position = m.sequence
    from webhook_messages m
    where o.owner = ${owner} and o.endpoint_id = ${endpointId} and o.node is null
      and m.owner = ${owner} and m.id = o.message_id and m.subject is not null`);
}

/** Takes the endpoint's open deliveries out of their lanes. Those that waited for others are due at once. */
async function dissolveLanes(tx: Tx, owner: string, endpointId: string, now: Date): Promise<void> {
  await tx.run(sql`
    /* many rows: all open deliveries of one endpoint, when its order is switched off */
    update webhook_deliveries_open set lane = null, position = null,
      due_at = case when due_at = ${waitingDueAt}::timestamptz then ${now}::timestamptz else due_at end
    where owner = ${owner} and endpoint_id = ${endpointId} and node is null and lane is not null`);
}

/**
 * Skips the deliveries held for a disabled endpoint. The caller has locked the endpoint's row, so it is
 * not enabled before the commit. Deliveries of a publish that commits later are not skipped.
 */
async function skipHeld(tx: Tx, owner: string, endpointId: string, now: Date): Promise<void> {
  await tx.run(sql`
    with skipped as (
      delete from webhook_deliveries_open
      where node is null and owner = ${owner} and endpoint_id = ${endpointId}
      returning owner, message_id, endpoint_id, trigger
    )
    insert into webhook_deliveries_undelivered
      (owner, message_id, endpoint_id, state, reason, ended_at)
    select owner, message_id, endpoint_id, 'skipped', 'held_and_skipped', ${now}::timestamptz
    from skipped where trigger = 'schedule'
    on conflict (message_id, owner, endpoint_id) do nothing`);
}
