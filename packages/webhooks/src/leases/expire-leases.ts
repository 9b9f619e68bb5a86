import { type Database, type Sql, sql, type Tx } from '@svc/db';

/** Ends leases that were outlived: their deliveries are due as before. Reads whole, small tables. */
export async function endExpiredLeases(db: Database, now: Date): Promise<number> {
  return db.transaction((tx) => interrupt(tx, sql`lease_until <= ${now}::timestamptz`, now));
}

/**
 * Ends the leases of dead processes, or of every other one with `null`: the deliveries are due at
 * once and use up none of their attempts.
 */
export async function takeOver(
  db: Database,
  dead: readonly string[] | null,
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const freed = await interrupt(tx, dead ? sql`node = any(${dead}::text[])` : sql`true`, now);
    if (dead) await tx.run(sql`delete from webhook_nodes where id = any(${dead}::text[])`);
    else await tx.run(sql`delete from webhook_nodes`);
    return freed;
  });
}

/** Locks: rows of webhook_leases, in their order, and of webhook_deliveries_open. */
async function interrupt(tx: Tx, which: Sql, now: Date): Promise<number> {
  // Who is just writing results under a lease is waited for; the next statement sees them.
  const leases = await tx.many<{ id: string }>(sql`
    select id::text from webhook_leases where ${which} order by id for update`);
  const ids = leases.map(({ id }) => id);
  const opened = await tx.run(sql`
    insert into webhook_deliveries_open (message_id, endpoint_id, due_at, interrupted)
    select message_id, endpoint_id, due_at, 1 from webhook_deliveries_leased
    where lease_id = any(${ids}::bigint[])
    on conflict (message_id, endpoint_id, trigger) do nothing`);
  await tx.run(sql`delete from webhook_leases where id = any(${ids}::bigint[])`);
  const freed = await tx.run(sql`
    update webhook_deliveries_open set ${interruption(now)} where node is not null and ${which}`);
  return opened + freed;
}

// Processes that die again and again may do so of one delivery: from here on it waits between two of
// them, longer each time, and lets the others go first. It is never given up for that.
const freeInterruptions = 5;
const longestDoubling = 6;

/** A minute after the sixth in a row, two after the seventh, and so on up to about an hour. */
function interruption(now: Date): Sql {
  return sql`node = null, lease_until = null, interrupted = least(interrupted + 1, 100),
    due_at = case when interrupted < ${freeInterruptions}::int then due_at
      else ${now}::timestamptz
        + interval '1 minute' * 2 ^ least(interrupted - ${freeInterruptions}::int, ${longestDoubling}::int)
      end`;
}
