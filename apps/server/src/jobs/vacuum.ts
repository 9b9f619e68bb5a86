import { type Database, raw, row, sql, text } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log } from '../context.ts';
import { type Repeating, repeat } from './repeat.ts';

const everyMs = 60_000;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Does the work of autovacuum for the embedded database, which has none. */
export function startVacuuming(deps: Deps): Repeating {
  if (deps.db.kind !== 'embedded') return { stop: async () => undefined };
  const turn = () => vacuumWorst(deps.db);
  return repeat({ ...deps, everyMs, firstAfterMs: everyMs, name: 'vacuum', turn });
}

const tableRow = row('table', { name: text });

/**
 * Vacuums and analyzes the table with the most changes since its last vacuum, if more than a fifth of
 * its rows changed. One table per turn, because every other query of the embedded database waits
 * meanwhile. Returns the table's name.
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
