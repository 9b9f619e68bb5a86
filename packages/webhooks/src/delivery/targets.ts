import { createPrivateKey } from 'node:crypto';
import {
  boolean,
  bytes,
  instant,
  integer,
  json,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { Vault } from '@svc/runtime';
import { credentialContext, headersContext } from '../endpoints/credentials.ts';
import { secretContext } from '../endpoints/secrets.ts';
import { privateKeysContext, publicKeysSchema } from '../endpoints/signing-keys.ts';
import type { EndpointRef } from '../kernel/claimed.ts';
import { parseSecret, type SigningKey } from '../kernel/signature.ts';
import { plainHeaders, requestHead } from '../sending/request-headers.ts';

/** An endpoint's settings, decrypted and ready for sending. */
export interface Target {
  readonly endpointId: string;
  readonly owner: string;
  readonly url: string;
  readonly origin: string;
  readonly state: 'enabled' | 'disabled' | 'deleted';
  readonly version: number;
  readonly throttlePerSecond: number | null;
  readonly honorsRetryAfter: boolean;
  /** Secrets, newest first, and then private keys. */
  readonly keys: readonly SigningKey[];
  /** The beginning of every request: request line and all headers but the signature's. */
  readonly head: string;
  /** Names of the headers in `head` whose values are secret. */
  readonly hidden: readonly string[];
}

const targetRow = row('target', {
  id: text,
  owner: text,
  url: text,
  state: oneOf('enabled', 'disabled', 'deleted'),
  version: integer,
  throttle_per_second: nullable(integer),
  honor_retry_after: boolean,
  auth_type: oneOf('none', 'basic', 'header'),
  auth_name: nullable(text),
  sealed_auth: nullable(bytes),
  sealed_headers: nullable(bytes),
  public_keys: nullable(json(publicKeysSchema)),
  sealed_private_keys: nullable(bytes),
  sealed_secrets: listOf(bytes),
  secrets_expire_at: listOf(nullable(instant)),
});
type TargetRow = RowOf<typeof targetRow>;

/** Loads the current settings of these endpoints. Unknown ones are left out. */
export async function loadTargets(
  db: Queryable,
  vault: Vault,
  userAgent: string,
  endpoints: readonly EndpointRef[],
): Promise<Target[]> {
  const rows = await db.many(
    targetRow,
    sql`
    select e.id, e.owner, e.url, e.state, e.version, e.throttle_per_second, e.honor_retry_after,
      e.auth_type, e.auth_name, e.sealed_auth, e.sealed_headers,
      e.public_keys, e.sealed_private_keys,
      coalesce(array_agg(s.sealed order by s.ordinal desc) filter (where s.ordinal > 0), '{}')
        as sealed_secrets,
      coalesce(array_agg(s.expires_at order by s.ordinal desc) filter (where s.ordinal > 0), '{}')
        as secrets_expire_at
    from unnest(${endpoints.map(({ owner }) => owner)}::text[],
      ${endpoints.map(({ endpointId }) => endpointId)}::text[]) as requested(owner, id)
    join webhook_endpoints e on e.owner = requested.owner and e.id = requested.id
    left join webhook_secrets s on s.owner = e.owner and s.endpoint_id = e.id
    group by e.owner, e.id`,
  );
  return rows.map((row) => unseal(row, vault, userAgent));
}

function unseal(row: TargetRow, vault: Vault, userAgent: string): Target {
  const secretHeaders = { ...authorization(row, vault), ...customHeaders(row, vault) };
  const url = new URL(row.url);
  return {
    endpointId: row.id,
    owner: row.owner,
    url: row.url,
    origin: url.origin,
    state: row.state,
    version: row.version,
    throttlePerSecond: row.throttle_per_second,
    honorsRetryAfter: row.honor_retry_after,
    keys: [...secrets(row, vault), ...privateKeys(row, vault)],
    head: requestHead(url, { ...plainHeaders(userAgent), ...secretHeaders }),
    hidden: Object.keys(secretHeaders),
  };
}

function secrets(row: TargetRow, vault: Vault): SigningKey[] {
  return row.sealed_secrets.map((sealed, index) => ({
    key: parseSecret(vault.open(sealed, secretContext(row.id))),
    expiresAt: row.secrets_expire_at[index] ?? null,
  }));
}

function privateKeys({ id, public_keys, sealed_private_keys }: TargetRow, vault: Vault) {
  if (public_keys === null || sealed_private_keys === null) return [];
  const encoded: string[] = JSON.parse(vault.open(sealed_private_keys, privateKeysContext(id)));
  return encoded.map((base64, index): SigningKey => {
    const key = createPrivateKey({
      key: Buffer.from(base64, 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
    const expiresAt = public_keys[index]?.expires_at ?? null;
    return { key, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
  });
}

function authorization(row: TargetRow, vault: Vault): Record<string, string> {
  if (row.sealed_auth === null || row.auth_name === null) return {};
  const value = vault.open(row.sealed_auth, credentialContext(row.id));
  if (row.auth_type === 'header') return { [row.auth_name.toLowerCase()]: value };
  const pair = Buffer.from(`${row.auth_name}:${value}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

function customHeaders(row: TargetRow, vault: Vault): Record<string, string> {
  if (row.sealed_headers === null) return {};
  return JSON.parse(vault.open(row.sealed_headers, headersContext(row.id)));
}
