import { boolean, type Cluster, type Database, integer, row, sql, text } from '@svc/db';
import { type Clock, createLoop, type Log } from '@svc/runtime';

const everyMs = 1_000;
// The timeout of a check. Until we know that a server hangs, each call of its partners keeps a connection.
const answerMs = 3_000;
// How often the load limit learns which server holds each partner. A new or moved partner is known after this time.
const placesEveryMs = 5_000;

interface Watch {
  /** Runs the checks. */
  readonly db: Database;
  /** The clusters of all pools of this process. Their `outage` and `serverOf` are set. */
  readonly clusters: readonly Cluster[];
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a server stops answering, answers again, or is replaced by another one. */
  readonly changed: () => void;
}

/**
 * Checks every second whether each server of the cluster answers. While one does not, statements that look for work
 * of all partners leave out its partners (`isReachable`), and their calls are refused (`requireReachable`).
 * Otherwise one server would stop the jobs of all partners, and if it hangs, also their calls.
 */
export function watchServers({ db, clusters, clock, log, changed }: Watch): {
  stop(): Promise<void>;
} {
  let lost: readonly string[] = [];
  let placesAt = 0;

  async function turn(): Promise<number> {
    const servers = await db.many(
      serverRow,
      // All workers, because one that partners are moved away from still stores some. The coordinator is group 0.
      sql`
      select groupid as group, nodename as host, nodeport as port from pg_dist_node
      where isactive and groupid <> 0 and noderole = 'primary' order by groupid`,
    );
    const checked = servers.map(async (it) => ((await answers({ db, clock }, it)) ? [] : [it]));
    const down = (await Promise.all(checked)).flat();
    const names = down.map(({ host, port }) => `${host}:${port}`);
    const hasChanged = names.join() !== lost.join();
    logChanges(names);
    const now = clock.now().getTime();
    if (down.length > 0 || now - placesAt >= placesEveryMs) {
      const serverOf = await readPlaces(db);
      const groups = new Set(down.map(({ group }) => group));
      const reachable = [...serverOf].flatMap(([id, group]) => (groups.has(group) ? [] : [id]));
      for (const cluster of clusters) {
        cluster.serverOf = serverOf;
        cluster.outage = down.length === 0 ? undefined : { servers: names, reachable };
      }
      placesAt = now;
    } else {
      for (const cluster of clusters) cluster.outage = undefined;
    }
    if (hasChanged) changed();
    return everyMs;
  }

  function logChanges(names: readonly string[]): void {
    for (const server of names) {
      if (!lost.includes(server)) log.error({ server }, 'a server of the cluster does not answer');
    }
    for (const server of lost) {
      if (!names.includes(server)) log.info({ server }, 'the server of the cluster answers again');
    }
    lost = names;
  }

  const loop = createLoop({ clock, log, name: 'servers of the cluster', turn, retryMs: everyMs });
  loop.start();
  return loop;
}

const serverRow = row('server of the cluster', { group: integer, host: text, port: integer });

interface Server {
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

const answerRow = row('answer of a server', { answers: boolean });

/**
 * Returns whether the server commits a write in time. A server that waits for a lost standby answers every read, and
 * no write. Tries twice, because the connection of the coordinator may be from before a restart of the server.
 */
async function answers(
  { db, clock }: Pick<Watch, 'db' | 'clock'>,
  { host, port }: Server,
): Promise<boolean> {
  // A message in the log, which nothing reads, is the smallest write.
  const commit = `select pg_logical_emit_message(true, 'svc', '')`;
  const check = sql`(
    select success from master_run_on_worker(array[${host}::text], array[${port}::int], array[${commit}::text], false))`;
  let cancel = () => {};
  const timedOut = new Promise<boolean>((resolve) => {
    cancel = clock.after(answerMs, () => resolve(false));
  });
  const asked = db.one(answerRow, sql`select ${check} or ${check} as answers`).then(
    (it) => it.answers,
    () => false,
  );
  const answered = await Promise.race([asked, timedOut]);
  cancel();
  return answered;
}

const placeRow = row('server of a partner', { id: text, group: integer });

async function readPlaces(db: Database): Promise<ReadonlyMap<string, number>> {
  const places = await db.many(
    placeRow,
    sql`
    /* many rows: all partners, every five seconds and while a server is down */
    select p.id, t.groupid as group from partner p
      join pg_dist_placement t on t.shardid = get_shard_id_for_distribution_column('tenant', p.id)
    order by p.id`,
  );
  return new Map(places.map(({ id, group }) => [id, group]));
}
