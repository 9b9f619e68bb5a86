import { type Database, raw, row, sql, text } from '@svc/db';
import type { Lane } from './lane.ts';

const everyMs = 60_000;

/** Does the work of autovacuum for the embedded database, which has none. */
export function vacuumLane(db: Database): Lane {
  return {
    name: 'vacuum',
    everyMs,
    firstAfterMs: everyMs,
    async batch() {
      await vacuumWorst(db);
      // One table a minute, because every other query of the embedded database waits meanwhile.
      return 0;
    },
  };
}

const tableRow = row('table', { name: text });

/**
 * Vacuums and analyzes the table with the most changes since its last vacuum, if more than a fifth of
 * its rows changed. Returns the table's name.
 */
export async function vacuumWorst(db: Database): Promise<string | undefined> {
  const worst = await db.maybe(
    tableRow,
    sql`
    select relid::regclass::text as name from pg_stat_user_tables
    where n_dead_tup + n_mod_since_analyze > 500 + 0.2 * n_live_tup
    order by n_dead_tup + n_mod_since_analyze desc limit 1`,
  );
  if (worst) await db.run(raw(`vacuum (analyze) ${worst.name}`));
  return worst?.name;
}
