import { bigint, row, sql, type Tx } from '@svc/db';
import { parseEndpointUrl } from '../addresses/address-guard.ts';
import type { EngineDeps } from '../kernel/engine-deps.ts';
import { newId } from '../kernel/ids.ts';
import { limits } from '../kernel/limits.ts';
import { EngineRefusal } from '../kernel/refusal.ts';
import { newSecret, parseSecret } from '../kernel/signature.ts';
import {
  type Credentials,
  checkCredentials,
  checkHeaders,
  credentialContext,
  headersContext,
} from './credentials.ts';
import { checkFilter, type PayloadFilter } from './payload-filter.ts';
import { insertSecret } from './secrets.ts';
import {
  checkChannels,
  checkDescription,
  checkEventTypes,
  checkMetadata,
  checkThrottle,
  checkUid,
} from './settings.ts';
import { switchSigningKeys } from './signing-keys.ts';
import { lockEndpoints, refuseTakenUid } from './uid.ts';
import { type EndpointView, getEndpoint } from './view-endpoint.ts';

export interface EndpointInput {
  readonly url: string;
  readonly description?: string | null;
  /** Exact names, and groups such as `plan.*`. Null or left out: every type. */
  readonly event_types?: readonly string[] | null;
  /** Only messages with one of these channels. Null or left out: all messages. */
  readonly channels?: readonly string[] | null;
  /** Only messages whose body matches. Null or left out: all messages. */
  readonly filter?: PayloadFilter | null;
  /** The owner's name for the endpoint, which can be used instead of its id. */
  readonly uid?: string | null;
  readonly auth?: Credentials;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
  readonly throttle_per_second?: number | null;
  readonly disable_on_gone?: boolean;
  /** True if a failed response's `Retry-After` lengthens the wait before the next attempt. Default: false. */
  readonly honor_retry_after?: boolean;
  /**
   * True if messages with the same subject are sent one after another, in the order in which they were
   * published. Default: false.
   */
  readonly ordered?: boolean;
  /** True if attempts are also signed with an ed25519 key pair of the endpoint (`v1a`). Default: false. */
  readonly asymmetric_signature?: boolean;
  /** `enabled` (the default) sends messages; `disabled` holds them until the endpoint is enabled. */
  readonly state?: 'enabled' | 'disabled';
  /** The owner's own data, which the engine only stores. Null or left out: none. */
  readonly metadata?: Readonly<Record<string, string>> | null;
}

export type EndpointDeps = Pick<EngineDeps, 'vault' | 'policy'>;

/** Creates an endpoint. Await `checkUrl` before the transaction, because it queries DNS. */
export async function createEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  owner: string,
  input: EndpointInput,
  now: Date,
): Promise<EndpointView> {
  parseEndpointUrl(input.url, deps.policy);
  const id = newId('ep', now);
  const auth = input.auth ?? { type: 'none' };
  const secret = input.secret ?? newSecret();
  parseSecret(secret);
  checkCredentials(auth);
  const headers = checkHeaders(input.headers ?? {}, auth);
  const uid = checkUid(input.uid);
  await refuseAboveLimit(tx, owner);
  await refuseTakenUid(tx, owner, id, uid);
  const sealed = seal(deps, id, auth, headers);
  const { state = 'enabled' } = input;
  await tx.run(sql`
    insert into webhook_endpoints
      (id, owner, uid, url, description, event_types, channels, filter, auth_type, auth_name, sealed_auth, header_names,
       sealed_headers, throttle_per_second, disable_on_gone, honor_retry_after, ordered, metadata,
       state, disabled_reason, created_at, updated_at)
    values (${id}, ${owner}, ${uid}, ${input.url}, ${checkDescription(input.description)},
      ${checkEventTypes(input.event_types)}::text[], ${checkChannels(input.channels)}::text[],
      ${checkFilter(input.filter)}::jsonb, ${auth.type}, ${sealed.authName},
      ${sealed.auth}::bytea, ${Object.keys(headers)}::text[], ${sealed.headers}::bytea,
      ${checkThrottle(input.throttle_per_second)}::int, ${input.disable_on_gone ?? false},
      ${input.honor_retry_after ?? false}, ${input.ordered ?? false}, ${checkMetadata(input.metadata)}::jsonb,
      ${state}, ${disabledReason(state)}, ${now}::timestamptz, ${now}::timestamptz)`);
  if (input.asymmetric_signature === true) await switchSigningKeys(tx, deps, owner, id, true);
  await insertSecret(tx, deps, owner, id, secret, now);
  return getEndpoint(tx, owner, id);
}

interface SealedSettings {
  readonly authName: string | null;
  readonly auth: Buffer | null;
  readonly headers: Buffer | null;
}

/** Encrypts the secret parts of the settings and binds them to the endpoint's row. */
export function seal(
  deps: EndpointDeps,
  id: string,
  auth: Credentials,
  headers: Readonly<Record<string, string>>,
): SealedSettings {
  const { vault } = deps;
  const context = credentialContext(id);
  const empty = Object.keys(headers).length === 0;
  return {
    authName: authName(auth),
    auth:
      auth.type === 'basic'
        ? vault.seal(auth.password, context)
        : auth.type === 'header'
          ? vault.seal(auth.value, context)
          : null,
    headers: empty ? null : vault.seal(JSON.stringify(headers), headersContext(id)),
  };
}

/** The reason that is stored when the owner sets the state. */
export function disabledReason(state: 'enabled' | 'disabled'): 'by_owner' | null {
  return state === 'disabled' ? 'by_owner' : null;
}

function authName(auth: Credentials): string | null {
  if (auth.type === 'basic') return auth.username;
  return auth.type === 'header' ? auth.name : null;
}

const countRow = row('count of endpoints', { count: bigint });

async function refuseAboveLimit(tx: Tx, owner: string): Promise<void> {
  await lockEndpoints(tx, owner);
  const { count } = await tx.one(
    countRow,
    sql`
    select count(*) from webhook_endpoints where owner = ${owner} and state <> 'deleted'`,
  );
  if (count < limits.endpointsPerOwner) return;
  throw new EngineRefusal(
    'too_many_endpoints',
    `There are ${limits.endpointsPerOwner} endpoints already: delete one first.`,
  );
}
