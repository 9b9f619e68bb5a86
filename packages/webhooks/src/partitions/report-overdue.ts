import { type Database, ownsTable } from '@svc/db';
import type { Log } from '@svc/runtime';
import { firstId } from '../kernel/ids.ts';
import { listPartitions, partitionedTables } from './list-partitions.ts';
import { partitionsAhead, periodStart } from './periods.ts';

/** Returns whether the service's role may create and drop partitions itself. */
export async function ownsPartitions(db: Database): Promise<boolean> {
  for (const { name } of partitionedTables) if (!(await ownsTable(db, name))) return false;
  return true;
}

// The command that drops expired partitions runs once a month.
const dropsEveryMs = 35 * 86_400_000;

const advice =
  'the database role of the service does not own the tables, so run "svc-admin migrate partitions" every month as the role that does.';

/**
 * Logs which partitions `svc-admin migrate partitions` should have created or dropped, for a service whose
 * role does not own the tables. Each problem is one line when it begins; one more says when none is left.
 */
export function createOverdueReport(
  db: Database,
  log: Log,
): { check(now: Date, cutoff: Date): Promise<void> } {
  let reported = new Set<string>();
  return {
    async check(now, cutoff) {
      const found = await findOverdue(db, now, cutoff);
      for (const problem of found) if (!reported.has(problem)) log.warn({}, problem);
      if (found.length === 0 && reported.size > 0) {
        log.info({}, 'the partitions of webhook messages are complete again');
      }
      reported = new Set(found);
    },
  };
}

/** Describes each problem in a sentence, which does not change while the problem lasts. */
async function findOverdue(db: Database, now: Date, cutoff: Date): Promise<string[]> {
  const found = [];
  const goal = firstId('evt', periodStart(now, partitionsAhead + 1));
  const overdue = firstId('evt', new Date(cutoff.getTime() - dropsEveryMs));
  for (const table of partitionedTables) {
    const { name } = table;
    const partitions = await listPartitions(db, table);
    const [oldest, newest] = [partitions[0], partitions.at(-1)];
    if (newest !== undefined && newest.to < goal) {
      found.push(
        `${name} has no partition after ${newest.name}; ${advice} Rows without one are kept in ${name}_default, and nothing is lost.`,
      );
    }
    if (oldest !== undefined && oldest.to <= overdue) {
      found.push(
        `${oldest.name} holds only rows that expired more than a month ago, and was not dropped; ${advice}`,
      );
    }
  }
  return found;
}
