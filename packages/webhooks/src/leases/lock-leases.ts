import { sql, type Tx } from '@svc/db';
import type { Claimed } from './claimed.ts';

/**
 * Before a replay's success and before a failure under a shared lease is written: whichever is second
 * waits, and sees what the first has written. Locks: rows of webhook_leases, in their order.
 */
export async function lockLeases(tx: Tx, written: readonly Claimed[]): Promise<void> {
  const shared = [...new Set(written.flatMap(({ lease }) => lease?.id ?? []))];
  const replayed = written.filter(({ trigger }) => trigger !== 'schedule');
  const messages = replayed.map(({ messageId }) => messageId);
  await tx.run(sql`
    select from webhook_leases
    where id = any(${shared}::bigint[]) or message_ids && ${messages}::text[]
    order by id for update`);
}
