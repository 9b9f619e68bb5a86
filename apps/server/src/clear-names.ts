import { boolean, type Queryable, row, sql } from '@svc/db';

const clearNamesRow = row('clear names', { kept: boolean });

/**
 * Returns whether tenants' names and addresses are also stored in clear text, because a service before 0.3.0 may run
 * on the same database. Each process reads this once, when it starts. "svc-admin tenant seal" turns it off for good.
 */
export async function readClearNames(db: Queryable): Promise<boolean> {
  const { kept } = await db.one(clearNamesRow, sql`select clear_names as kept from installation`);
  return kept;
}
