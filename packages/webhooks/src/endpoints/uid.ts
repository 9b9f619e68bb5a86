import { type Queryable, sql, type Tx } from '@svc/db';
import { EngineRefusal } from '../kernel/refusal.ts';

/** The id that an id or a uid stands for; what names no endpoint is answered as it is. */
export async function endpointIdOf(q: Queryable, owner: string, idOrUid: string): Promise<string> {
  if (idOrUid.startsWith('ep_')) return idOrUid;
  const found = await q.maybe<{ id: string }>(sql`
    select id from webhook_endpoints
    where owner = ${owner} and uid = ${idOrUid} and state <> 'deleted'`);
  return found?.id ?? idOrUid;
}

/** So that two transactions do not count, or look for a uid, before either has written. */
export async function lockEndpoints(tx: Tx, owner: string): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`webhook_endpoints ${owner}`}, 0))`,
  );
}

/** Locks: `lockEndpoints`. */
export async function refuseTakenUid(
  tx: Tx,
  owner: string,
  endpointId: string,
  uid: string | null,
): Promise<void> {
  if (uid === null) return;
  await lockEndpoints(tx, owner);
  const other = await tx.maybe<{ id: string }>(sql`
    select id from webhook_endpoints
    where owner = ${owner} and uid = ${uid} and state <> 'deleted' and id <> ${endpointId}`);
  if (!other) return;
  throw new EngineRefusal(
    'uid_taken',
    `The endpoint ${other.id} has this uid: choose another.`,
    'uid',
  );
}
