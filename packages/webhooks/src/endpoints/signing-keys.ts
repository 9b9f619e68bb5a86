import {
  bytes,
  type JsonSchema,
  json,
  nullable,
  type Queryable,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import type { Vault } from '@svc/runtime';
import type { EndpointRef } from '../kernel/claimed.ts';
import { EngineRefusal, endpointNotFound } from '../kernel/refusal.ts';
import { newKeyPair } from '../kernel/signature.ts';
import { checkOverlap, refuseTooMany, type Sealing } from './secrets.ts';

/** A public key that verifies an endpoint's `v1a` signatures. */
export interface PublicKey {
  /** `whpk_` and the base64 of the 32 bytes of an ed25519 key. */
  readonly public_key: string;
  /** When its private key stops signing. Null for the current one. */
  readonly expires_at: string | null;
}

export const publicKeysSchema: JsonSchema<PublicKey[]> = {
  '~standard': {
    validate: (value) =>
      (value as PublicKey[]).every(({ public_key }) => public_key.startsWith('whpk_'))
        ? {}
        : { issues: [{ message: 'a public key does not begin with whpk_' }] },
  },
};

export function privateKeysContext(endpointId: string): string {
  return `webhook-private-keys:${endpointId}`;
}

/** Returns the keys that sign at this time or later. They come first: no key signs longer than a newer one. */
export function livePublicKeys(keys: readonly PublicKey[], now: Date): PublicKey[] {
  return keys.filter(({ expires_at }) => expires_at === null || new Date(expires_at) > now);
}

/** Creates the first key pair of an endpoint, or deletes all of them. The caller has locked its row. */
export async function switchSigningKeys(
  tx: Tx,
  { vault }: Sealing,
  owner: string,
  endpointId: string,
  isOn: boolean,
): Promise<void> {
  const pair = isOn ? newKeyPair() : null;
  const publicKeys = pair && [{ public_key: pair.publicKey, expires_at: null }];
  await tx.run(sql`
    update webhook_endpoints set
      public_keys = ${publicKeys && JSON.stringify(publicKeys)}::jsonb,
      sealed_private_keys = ${pair && sealPrivateKeys(vault, endpointId, [pair.privateKey])}::bytea
    where owner = ${owner} and id = ${endpointId}`);
}

const storedRow = row('signing keys', {
  public_keys: nullable(json(publicKeysSchema)),
  private_keys: nullable(bytes),
});

/**
 * Creates a new key pair. The old one signs in addition until the overlap ends; with 0, all old ones end at
 * once. Returns the public keys, newest first. Locks: the endpoint's row.
 */
export async function rotateSigningKey(
  tx: Tx,
  { vault }: Sealing,
  owner: string,
  endpointId: string,
  { overlap_seconds }: { readonly overlap_seconds?: number },
  now: Date,
): Promise<PublicKey[]> {
  const overlap = checkOverlap(overlap_seconds);
  const stored = await lockKeys(tx, owner, endpointId);
  if (!stored) throw endpointNotFound();
  if (stored.public_keys === null || stored.private_keys === null) {
    throw new EngineRefusal(
      'no_signing_key',
      'This endpoint has no key pair. Set asymmetric_signature to true to create one.',
    );
  }
  const until = new Date(now.getTime() + overlap * 1000).toISOString();
  const ending = stored.public_keys.map(({ public_key, expires_at }) => ({
    public_key,
    expires_at: expires_at === null || expires_at > until ? until : expires_at,
  }));
  const kept = livePublicKeys(ending, now);
  refuseTooMany(kept.length);
  const privateKeys = openPrivateKeys(vault, endpointId, stored.private_keys);
  const pair = newKeyPair();
  const publicKeys = [{ public_key: pair.publicKey, expires_at: null }, ...kept];
  const sealed = sealPrivateKeys(vault, endpointId, [
    pair.privateKey,
    ...privateKeys.slice(0, kept.length),
  ]);
  await tx.run(sql`
    update webhook_endpoints set public_keys = ${JSON.stringify(publicKeys)}::jsonb,
      sealed_private_keys = ${sealed}::bytea, version = version + 1, updated_at = ${now}::timestamptz
    where owner = ${owner} and id = ${endpointId}`);
  return publicKeys;
}

function lockKeys(tx: Tx, owner: string, endpointId: string) {
  return tx.maybe(
    storedRow,
    sql`
    select public_keys, sealed_private_keys as private_keys from webhook_endpoints
    where owner = ${owner} and id = ${endpointId} and state <> 'deleted' for update`,
  );
}

function openPrivateKeys(vault: Vault, endpointId: string, sealed: Buffer): string[] {
  return JSON.parse(vault.open(sealed, privateKeysContext(endpointId)));
}

function sealPrivateKeys(vault: Vault, endpointId: string, privateKeys: readonly string[]) {
  return vault.seal(JSON.stringify(privateKeys), privateKeysContext(endpointId));
}

const expiredRow = row('endpoint with an expired key', { owner: text, endpointId: text });

/** Returns at most 100 endpoints with a key pair that has stopped signing, ordered by when it stopped. */
export function findExpiredKeys(q: Queryable, now: Date): Promise<EndpointRef[]> {
  return q.many(
    expiredRow,
    sql`
    select /* all partners */ owner, id as endpoint_id from webhook_endpoints
    where (public_keys -> -1 ->> 'expires_at') collate "C" <= ${now.toISOString()}
    -- Without an order, the planner expects matches everywhere and reads the table.
    order by (public_keys -> -1 ->> 'expires_at') collate "C" limit 100`,
  );
}

/** Deletes key pairs that have stopped signing, so that no private key is kept without a use. */
export async function deleteExpiredKeys(
  tx: Tx,
  { vault }: Sealing,
  { owner, endpointId }: EndpointRef,
  now: Date,
): Promise<void> {
  const stored = await lockKeys(tx, owner, endpointId);
  // The endpoint was deleted, or has lost its key pairs.
  if (!stored?.public_keys || !stored.private_keys) return;
  const live = livePublicKeys(stored.public_keys, now);
  const privateKeys = openPrivateKeys(vault, endpointId, stored.private_keys);
  const sealed = sealPrivateKeys(vault, endpointId, privateKeys.slice(0, live.length));
  await tx.run(sql`
    update webhook_endpoints set public_keys = ${JSON.stringify(live)}::jsonb,
      sealed_private_keys = ${sealed}::bytea
    where owner = ${owner} and id = ${endpointId}`);
}

const publicRow = row('public keys', { public_keys: json(publicKeysSchema) });

/** Returns the public keys of an endpoint that sign now. Empty if there are none, or no such endpoint. */
export async function listPublicKeys(
  q: Queryable,
  owner: string,
  endpointId: string,
  now: Date,
): Promise<PublicKey[]> {
  const found = await q.maybe(
    publicRow,
    sql`
    select public_keys from webhook_endpoints
    where owner = ${owner} and id = ${endpointId} and state <> 'deleted' and public_keys is not null`,
  );
  return found ? livePublicKeys(found.public_keys, now) : [];
}
