import { sql, type Tx } from '@svc/db';

/**
 * Until the transaction's end: `shared` by everything that hands messages over for sending again,
 * `exclusive` for what must not meet such a one. Take it before any row.
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
