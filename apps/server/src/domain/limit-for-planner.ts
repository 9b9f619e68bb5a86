import { raw, type Sql } from '@svc/db';

/**
 * `limit 1` for a single row. The planner estimates every set made from JSON at 100 rows, and to
 * join so many it may read a whole table.
 */
export function limitForPlanner(rows: readonly unknown[]): Sql {
  return raw(rows.length === 1 ? 'limit 1' : '');
}
