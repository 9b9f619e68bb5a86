import { bytes, integer, nullable, type Queryable, row, type Sql, sql } from '@svc/db';
import type { Vault } from '@svc/runtime';
import { Refusal } from '../domain/refusal.ts';
import { RefusalWithHeaders } from './problem.ts';

export interface Stored {
  readonly status: number;
  readonly body: string;
  /** The body to store for a repeated call if `body` has a secret that is shown once. */
  readonly storedBody?: string;
}

/** The Idempotency-Key of one request, and the digests of its input by each key of the vault. */
export interface Claim {
  readonly partnerId: string;
  /** `<owner> <method> <path>`; the owner is a partner or one of its tenants. */
  readonly scope: string;
  readonly key: string;
  /**
   * An HMAC, because bodies hold numbers that could be guessed from a plain hash, such as a card's. The
   * first one is stored; a stored one may be any of them.
   */
  readonly bodyDigests: readonly [Buffer, ...Buffer[]];
}

const retentionMs = 24 * 3_600_000;
// Longer than any call that does HTTP: a claim this old was left by a process that died.
const abandonedMs = 60_000;
/** Longer than one call to the processor. The steps of a longer request renew their claim. */
export const stepsAbandonedMs = 20_000;

/** @throws Refusal `invalid_idempotency_key` */
export function readClaim(
  vault: Vault,
  scope: Pick<Claim, 'partnerId' | 'scope'>,
  header: string,
  input: unknown,
): Claim {
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) throw new Refusal('invalid_idempotency_key');
  const [stored, ...others] = vault.digests(canonicalJson(input));
  // Services before 0.3.0 stored a digest that depends on the order of keys. Keys are kept for a day.
  const older = vault.digests(JSON.stringify(input));
  return { ...scope, key: header, bodyDigests: [stored, ...others, ...older] };
}

/** Returns JSON with sorted keys, so that the order in which an object was written makes no difference. */
function canonicalJson(input: unknown): string {
  return JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/**
 * Claims the key, or returns the answer stored for it. While another transaction has claimed the key
 * and is not committed, the insert waits for its row lock.
 * @throws Refusal `idempotency_key_reused`, `idempotency_key_in_progress`
 */
export async function claimKey(
  q: Queryable,
  vault: Vault,
  claim: Claim,
  now: Date,
  abandonedAfterMs = abandonedMs,
): Promise<Stored | undefined> {
  const { partnerId, scope, key, bodyDigests } = claim;
  const taken = await q.run(sql`
    insert into idempotency_key as present (partner_id, scope, key, body_sha256, created_at)
    values (${partnerId}, ${scope}, ${key}, ${bodyDigests[0]}, ${now})
    on conflict (partner_id, scope, key) do update
      set body_sha256 = excluded.body_sha256, created_at = excluded.created_at,
        status = null, body_sealed = null
      where present.created_at <= ${subtractMs(now, retentionMs)}::timestamptz
        or (present.status is null and present.created_at <= ${subtractMs(now, abandonedAfterMs)}::timestamptz)`);
  return taken === 1 ? undefined : findStored(q, vault, claim, now);
}

const storedRow = row('stored answer', {
  body_sha256: bytes,
  status: nullable(integer),
  sealed: nullable(bytes),
});

/** The answer to an earlier request with this key; undefined if there was none. */
export async function findStored(
  q: Queryable,
  vault: Vault,
  { partnerId, scope, key, bodyDigests }: Claim,
  now: Date,
): Promise<Stored | undefined> {
  const row = await q.maybe(
    storedRow,
    sql`
    select body_sha256, status, body_sealed as sealed from idempotency_key
    where partner_id = ${partnerId} and scope = ${scope} and key = ${key}
      and created_at > ${subtractMs(now, retentionMs)}::timestamptz`,
  );
  if (!row) return undefined;
  if (!bodyDigests.some((digest) => row.body_sha256.equals(digest)))
    throw new Refusal('idempotency_key_reused');
  if (row.status === null || row.sealed === null) throw keyInProgress();
  return { status: row.status, body: vault.open(row.sealed, answerContext({ scope, key })) };
}

/** A statement that stores the answer of the request which has claimed the key. */
export function storeAnswer(
  vault: Vault,
  claim: Claim,
  { status, body, storedBody = body }: Stored,
): Sql {
  return sql`
    update idempotency_key set status = ${status},
      body_sealed = ${vault.seal(storedBody, answerContext(claim))}
    where partner_id = ${claim.partnerId} and scope = ${claim.scope} and key = ${claim.key}`;
}

export async function releaseKey(q: Queryable, { partnerId, scope, key }: Claim): Promise<void> {
  await q.run(sql`
    delete from idempotency_key
    where partner_id = ${partnerId} and scope = ${scope} and key = ${key} and status is null`);
}

/** Keeps a claim from counting as abandoned, while its request still works. */
export async function renewClaim(q: Queryable, claim: Claim, now: Date): Promise<void> {
  await q.run(sql`
    update idempotency_key set created_at = greatest(created_at, ${now}::timestamptz)
    where partner_id = ${claim.partnerId} and scope = ${claim.scope} and key = ${claim.key}
      and status is null`);
}

/** Returns whether the answer is stored. Refusals that the caller can fix, or that may be temporary, are not. */
export function isStored(status: number): boolean {
  return status < 500 && ![400, 401, 413, 415, 422, 429].includes(status);
}

export function keyInProgress(): Refusal {
  return new RefusalWithHeaders('idempotency_key_in_progress', { 'retry-after': '1' });
}

/** The context with which a stored answer is sealed. */
export function answerContext({ scope, key }: Pick<Claim, 'scope' | 'key'>): string {
  return `idempotency ${scope} ${key}`;
}

function subtractMs(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
