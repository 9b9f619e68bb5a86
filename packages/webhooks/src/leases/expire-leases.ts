import { bigint, type Database, row, type Sql, sql, type Tx } from '@svc/db';

/**
 * Ends stale leases, those past `lease_until`: their deliveries are due again. This covers a process
 * that is alive but has lost track of a delivery. Reads small tables in full. Returns the number of
 * deliveries.
 */
export async function expireStaleLeases(db: Database, now: Date): Promise<number> {
  return db.transaction((tx) => expireLeases(tx, sql`lease_until <= ${now}::timestamptz`, now));
}

/**
 * Ends the leases of dead processes and deletes the rows of these processes. Their deliveries are due
 * at once, and the interrupted attempts do not count. Two processes may do this at the same time: the
 * second waits for the locks of the first, and then finds nothing left. Returns the number of deliveries.
 */
export async function expireLeasesOfDead(
  db: Database,
  dead: readonly string[] | 'all',
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    if (dead === 'all') {
      const freed = await expireLeases(tx, sql`true`, now);
      await tx.run(sql`delete from webhook_nodes`);
      return freed;
    }
    const freed = await expireLeases(tx, sql`node = any(${dead}::text[])`, now);
    await tx.run(sql`delete from webhook_nodes where id = any(${dead}::text[])`);
    return freed;
  });
}

const leaseRow = row('lease', { id: bigint });

/** Locks: rows of webhook_leases in the order of their ids, then rows of webhook_deliveries_open. */
async function expireLeases(tx: Tx, which: Sql, now: Date): Promise<number> {
  // Results are written under a lock on their lease. Waiting for that lock here means that the next
  // statement sees every result written so far, and that results written later find no lease.
  const leases = await tx.many(
    leaseRow,
    sql`
    select id from webhook_leases where ${which} order by id for update`,
  );
  const ids = leases.map(({ id }) => id);
  // webhook_deliveries_leased leaves out deliveries with a stored attempt or their own row.
  const opened = await tx.run(sql`
    insert /* all partners */ into webhook_deliveries_open
      (owner, message_id, endpoint_id, due_at, interrupted)
    select owner, message_id, endpoint_id, due_at, 1 from webhook_deliveries_leased
    where lease_id = any(${ids}::bigint[])
    on conflict (message_id, owner, endpoint_id, trigger) do nothing`);
  await tx.run(sql`delete from webhook_leases where id = any(${ids}::bigint[])`);
  const freed = await tx.run(sql`
    /* many rows: all leases of dead processes */
    update /* all partners */ webhook_deliveries_open set ${countInterruption(now)}
    where node is not null and ${which}`);
  return opened + freed;
}

// If processes die again and again, one delivery may be what kills them. After this many interruptions
// in a row, a delivery waits between two tries, longer each time, so that the others go first. It is
// never given up because of interruptions.
const freeInterruptions = 5;
const mostDoublings = 6;

/** Makes a delivery wait a minute after the sixth interruption in a row, two after the seventh, up to about an hour. */
function countInterruption(now: Date): Sql {
  return sql`node = null, lease_until = null, interrupted = least(interrupted + 1, 100),
    due_at = case when interrupted < ${freeInterruptions}::int then due_at
      else ${now}::timestamptz
        + interval '1 minute' * 2 ^ least(interrupted - ${freeInterruptions}::int, ${mostDoublings}::int)
      end`;
}
