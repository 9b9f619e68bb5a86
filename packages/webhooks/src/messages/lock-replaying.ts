import { sql, type Tx } from '@svc/db';

/**
 * Locks replaying of the owner's messages until the end of the transaction. Everything that sends
 * messages again takes it `shared`. Expunging a message takes it `exclusive`, so that no replay can
 * pick the message between the check that none does and its erasure. Take it before locking any row.
 */
export async function lockReplaying(
  tx: Tx,
  owner: string,
  how: 'shared' | 'exclusive',
): Promise<void> {
  const key = sql`hashtextextended(${`webhook_replaying ${owner}`}, 0)`;
  await tx.run(
    how === 'shared'
      ? sql`select pg_advisory_xact_lock_shared(${key})`
      : sql`select pg_advisory_xact_lock(${key})`,
  );
}
