import { sql, type Tx } from '@svc/db';

const lock = sql`hashtextextended('books', 0)`;

/**
 * Takes the exclusive lock: until the transaction ends, nothing else matches, imports or closes. Without it, a match
 * that commits during a close could be missing from the close's list and from the list of open items, too.
 */
export async function lockBooks(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${lock})`);
}

/** Takes the shared lock: others can still match by hand, but no rule, import or close runs. */
export async function shareBooks(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${lock})`);
}
