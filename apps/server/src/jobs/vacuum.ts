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
      // One table a minute, because every other query of the embedded database waits for it.
      return 0;
    },
  };
}

/**
 * Gives the planner statistics of a young database. Until a table has been analyzed, an index on the
 * partner looks as good as one on the partner and the tenant, and a cached plan keeps that choice:
 * portal_info then read every tenant of the partner, and its rate fell from 0.6 to 0.36 of the bare
 * route's. Statistics from when a table was almost empty are as bad: the history of one tenant took four
 * seconds. Autovacuum comes only once a minute.
 */
export function statisticsLane(db: Database): Lane {
  return {
    name: 'statistics',
    everyMs: 5_000,
    async batch() {
      await analyzeGrown(db);
      return 0;
    },
  };
}

const tableRow = row('table', { name: text });

/**
 * Analyzes the tables whose rows have doubled since they were analyzed, or were never analyzed. Returns their
 * names. Only a table's owner may analyze it; other roles leave it to autovacuum. The view pg_stat_user_tables
 * also adds up the indexes of every table, which took 5.8 ms.
 */
export async function analyzeGrown(db: Database): Promise<string[]> {
  const tables = await db.many(
    tableRow,
    sql`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and pg_stat_get_live_tuples(c.oid) >= greatest(50, 2 * c.reltuples)
      and pg_has_role(c.relowner, 'usage')`,
  );
  const names = tables.map((it) => it.name);
  if (names.length > 0) await db.run(raw(`analyze (skip_locked) ${names.join(', ')}`));
  return names;
}

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
