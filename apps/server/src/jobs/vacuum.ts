import { type Database, raw, row, sql, text } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log } from '../context.ts';

const everyMs = 60_000;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** What autovacuum does on a server, for the embedded database, which has none. */
export function startVacuuming(deps: Deps): { stop(): Promise<void> } {
  if (deps.db.kind !== 'embedded') return { stop: async () => undefined };
  let running: Promise<unknown> = Promise.resolve();
  let cancel = () => {};
  let stopped = false;
  const later = () => {
    if (stopped) return;
    cancel = deps.clock.after(everyMs, () => {
      running = vacuumWorst(deps.db)
        .catch((error: unknown) => deps.log.error({ err: error }, 'vacuum failed'))
        .then(later);
    });
  };
  later();
  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}

const tableRow = row('table', { name: text });

/**
 * Vacuums and analyzes the table that changed most since it last was, when it changed by more than
 * a fifth. One at a time, because everybody else waits meanwhile. Answers its name.
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
