import { type Database, integer, raw, row } from '@svc/db';

const waitingRow = row('waiting', { count: integer });

const waiting = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** Counts the statements that wait for a lock, on all servers of a cluster. */
export async function countWaiting(db: Database): Promise<number> {
  if (!db.cluster) return (await db.one(waitingRow, raw(waiting))).count;
  const { count } = await db.one(
    waitingRow,
    raw(`
    select sum(result::int)::int as count from run_command_on_all_nodes($all$${waiting}$all$)`),
  );
  return count;
}
