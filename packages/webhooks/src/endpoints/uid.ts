import { type Queryable, row, sql, type Tx, text } from '@svc/db';
import { EngineRefusal } from '../kernel/refusal.ts';

const idRow = row('endpoint id', { id: text });

/** Returns the id for a uid. Returns any other text unchanged, so that its use fails as not found. */
export async function endpointIdOf(q: Queryable, owner: string, idOrUid: string): Promise<string> {
  if (idOrUid.startsWith('ep_')) return idOrUid;
  const found = await q.maybe(
    idRow,
    sql`
    select id from webhook_endpoints
    where owner = ${owner} and uid = ${idOrUid} and state <> 'deleted'`,
  );
  return found?.id ?? idOrUid;
}

/**
 * Locks the set of the owner's endpoints. Otherwise two transactions could both pass the limit of
 * endpoints, or both find a uid free, before either has written.
 */
export async function lockEndpoints(tx: Tx, owner: string): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`webhook_endpoints ${owner}`}, 0))`,
  );
}

/** @throws EngineRefusal `uid_taken`. Locks: the set of the owner's endpoints. */
export async function refuseTakenUid(
  tx: Tx,
  owner: string,
  endpointId: string,
  uid: string | null,
): Promise<void> {
  if (uid === null) return;
  await lockEndpoints(tx, owner);
  const other = await tx.maybe(
    idRow,
    sql`
    select id from webhook_endpoints
    where owner = ${owner} and uid = ${uid} and state <> 'deleted' and id <> ${endpointId}`,
  );
  if (!other) return;
  throw new EngineRefusal(
    'uid_taken',
    `The endpoint ${other.id} has this uid: choose another.`,
    'uid',
  );
}
