import { bigint, bytes, instant, nullable, type Queryable, row, sql, type Tx } from '@svc/db';
import type { EngineDeps } from '../kernel/engine-deps.ts';
import { limits } from '../kernel/limits.ts';
import { EngineRefusal, endpointNotFound } from '../kernel/refusal.ts';
import { newSecret, parseSecret } from '../kernel/signature.ts';

export interface SecretView {
  /** `whsec_…`, the current secret. */
  readonly secret: string;
  /** Older secrets that still sign. */
  readonly previous: { readonly expires_at: string }[];
}

export type Sealing = Pick<EngineDeps, 'vault'>;

export function secretContext(endpointId: string): string {
  return `webhook-secret:${endpointId}`;
}

const secretRow = row('secret', { sealed: bytes, expires_at: nullable(instant) });

/** Returns the signing secret in clear text. The caller has to decide who may see it. */
export async function revealSecret(
  q: Queryable,
  deps: Sealing,
  owner: string,
  endpointId: string,
  now: Date,
): Promise<SecretView> {
  const rows = await q.many(
    secretRow,
    sql`
    select s.sealed, s.expires_at
    from webhook_secrets s
    join webhook_endpoints e on e.owner = s.owner and e.id = s.endpoint_id
    where e.owner = ${owner} and e.id = ${endpointId} and e.state <> 'deleted'
      and (s.expires_at is null or s.expires_at > ${now}::timestamptz)
    order by s.ordinal desc`,
  );
  const [current, ...previous] = rows;
  if (!current) throw endpointNotFound();
  return {
    secret: deps.vault.open(current.sealed, secretContext(endpointId)),
    previous: previous.map(({ expires_at }) => ({ expires_at: expires_at?.toISOString() ?? '' })),
  };
}

export interface RotateInput {
  /** How long the current secret signs in addition to the new one; 0 revokes it at once. */
  readonly overlap_seconds?: number;
  /** A secret to import. Default: a new one is generated. */
  readonly secret?: string;
}

/** Replaces the current secret. Locks: the endpoint's row. */
export async function rotateSecret(
  tx: Tx,
  deps: Sealing,
  owner: string,
  endpointId: string,
  input: RotateInput,
  now: Date,
): Promise<SecretView> {
  const overlap = checkOverlap(input.overlap_seconds);
  const secret = input.secret ?? newSecret();
  parseSecret(secret);
  const touched = await tx.run(sql`
    update webhook_endpoints set version = version + 1, updated_at = ${now}::timestamptz
    where owner = ${owner} and id = ${endpointId} and state <> 'deleted'`);
  if (touched === 0) throw endpointNotFound();
  await retire(tx, owner, endpointId, now, new Date(now.getTime() + overlap * 1000));
  await insertSecret(tx, deps, owner, endpointId, secret, now);
  return revealSecret(tx, deps, owner, endpointId, now);
}

export function checkOverlap(seconds = 86_400): number {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= limits.overlapSeconds) return seconds;
  throw new EngineRefusal(
    'invalid_overlap',
    'overlap_seconds is a whole number from 0 (revoke at once) to 604800 (7 days).',
    'overlap_seconds',
  );
}

/** @param live how many older secrets or keys still sign */
export function refuseTooMany(live: number): void {
  if (live < limits.liveSecrets) return;
  throw new EngineRefusal(
    'too_many_secrets',
    `${limits.liveSecrets} secrets still sign: wait for the oldest to expire, or rotate with overlap_seconds 0.`,
    'overlap_seconds',
  );
}

export async function insertSecret(
  tx: Tx,
  deps: Sealing,
  owner: string,
  endpointId: string,
  secret: string,
  now: Date,
): Promise<void> {
  const sealed = deps.vault.seal(secret, secretContext(endpointId));
  await tx.run(sql`
    insert into webhook_secrets (owner, endpoint_id, ordinal, sealed, created_at)
    select ${owner}, ${endpointId}, coalesce(max(ordinal), 0) + 1, ${sealed}::bytea,
      ${now}::timestamptz
    from webhook_secrets where owner = ${owner} and endpoint_id = ${endpointId}`);
}

const liveRow = row('count of secrets', { live: bigint });

/** Sets when the current secret expires. Revoking it at once also ends secrets of earlier rotations. */
async function retire(
  tx: Tx,
  owner: string,
  endpointId: string,
  now: Date,
  until: Date,
): Promise<void> {
  await tx.run(sql`
    delete from webhook_secrets
    where owner = ${owner} and endpoint_id = ${endpointId} and expires_at <= ${now}::timestamptz`);
  await tx.run(sql`
    update webhook_secrets set expires_at = least(expires_at, ${until}::timestamptz)
    where owner = ${owner} and endpoint_id = ${endpointId}`);
  await tx.run(sql`
    delete from webhook_secrets
    where owner = ${owner} and endpoint_id = ${endpointId} and expires_at <= ${now}::timestamptz
      and ordinal < (
        select max(ordinal) from webhook_secrets
        where owner = ${owner} and endpoint_id = ${endpointId})`);
  const { live } = await tx.one(
    liveRow,
    sql`
    select count(*) as live from webhook_secrets
    where owner = ${owner} and endpoint_id = ${endpointId}`,
  );
  refuseTooMany(live);
}
