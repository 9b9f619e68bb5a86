import { type Database, raw, type Tx } from '@svc/db';

/**
 * Runs statements that create triggers or switch them off. Citus refuses them on distributed tables without this
 * setting, and a single PostgreSQL ignores it.
 */
export async function changeTriggers(
  db: Database,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(raw('set local citus.enable_unsafe_triggers = on'));
    await work(tx);
  });
}
