import { boolean, type Database, raw, row, sql, sqlState } from '@svc/db';
import type { Log } from '@svc/runtime';
import { firstId } from '../kernel/ids.ts';
import { limitLockWaits, lockPartitions } from './create-partitions.ts';
import { defaultOf, listPartitions, partitionedTables } from './list-partitions.ts';

/** Rows per statement; few enough that its locks are never held for long. */
const chunkRows = 500;

/**
 * Deletes a chunk of the expired rows that dropping partitions does not remove: those in the default
 * partitions, and the undelivered deliveries of dropped messages. Needs no ownership of the tables, so
 * upkeep does it with every role.
 */
export async function deleteStray(db: Database, cutoff: Date): Promise<'done' | 'more'> {
  if ((await deleteFromDefault(db, firstId('evt', cutoff))) === chunkRows) return 'more';
  const oldest = (await listAll(db))[0]?.from ?? null;
  if (oldest !== null && (await deleteUndelivered(db, oldest)) === chunkRows) return 'more';
  return 'done';
}

/**
 * Drops the oldest partitions whose messages are all from before `cutoff`, and deletes expired rows that
 * are in none. Needs a role that owns the tables. A partition stays while one of its messages may still be
 * sent to an enabled endpoint. Deliveries that a disabled endpoint holds expire with their message.
 * Returns `more` to be called again at once, or `blocked` if it did not get the locks, which is logged.
 */
export async function dropExpired(
  db: Database,
  log: Log,
  cutoff: Date,
): Promise<'done' | 'more' | 'blocked'> {
  const expired = firstId('evt', cutoff);
  const partitions = await listAll(db);
  const end = partitions.map(({ to }) => to).filter((to) => to <= expired)[0];
  if ((await deleteStray(db, cutoff)) === 'more') return 'more';
  if (end === undefined) return 'done';
  if ((await deleteHeld(db, end)) === chunkRows) return 'more';
  try {
    return (await dropUntil(db, log, end)) ? 'more' : 'done';
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    log.warn(
      { err: error },
      'Expired webhook messages could not be dropped, because another transaction holds the table: end that transaction if this lasts. They are dropped with the next attempt.',
    );
    return 'blocked';
  }
}

async function listAll(db: Database) {
  const lists = [];
  for (const table of partitionedTables) {
    for (const partition of await listPartitions(db, table)) lists.push({ ...partition, table });
  }
  return lists.sort((one, other) => (one.to < other.to ? -1 : one.to > other.to ? 1 : 0));
}

const lockedRow = row('partition lock', { locked: boolean });
const usageRow = row('use of expired messages', { used: boolean });

/**
 * Drops all partitions that end at `end` or before. The tables are locked before looking for open
 * deliveries, so that no replay can open one in between: it has either committed, and is seen, or it
 * waits and then does not find the message. Locks: webhook_messages and webhook_attempts, exclusively,
 * for milliseconds.
 */
async function dropUntil(db: Database, log: Log, end: string): Promise<boolean> {
  const dropped = await db.transaction(async (tx) => {
    await limitLockWaits(tx);
    await tx.one(lockedRow, lockPartitions());
    for (const { name } of partitionedTables) {
      await tx.run(raw(`lock table only ${name} in access exclusive mode`));
    }
    const { used } = await tx.one(
      usageRow,
      sql`
      select /* all partners */ exists (
          select from webhook_deliveries_open where message_id < ${end})
        or exists (
          select from webhook_deliveries_leased where message_id < ${end}) as used`,
    );
    if (used) return [];
    await tx.run(sql`
      delete /* all partners */ from webhook_replay_messages
      where message_id < ${end} and sent_at is null`);
    const names = [];
    for (const table of partitionedTables) {
      for (const { name, to } of await listPartitions(tx, table)) {
        if (to > end) continue;
        await tx.run(raw(`alter table ${table.name} detach partition ${name}`));
        await tx.run(raw(`drop table ${name}`));
        names.push(name);
      }
    }
    return names;
  });
  for (const name of dropped) log.info({ partition: name }, 'expired webhook messages dropped');
  return dropped.length > 0;
}

/** Deletes a chunk of what disabled endpoints hold, of messages before `end`. Returns how many. */
function deleteHeld(db: Database, end: string): Promise<number> {
  return db.run(sql`
    delete /* all partners */ from webhook_deliveries_open o using (
      select o.owner, o.message_id, o.endpoint_id, o.trigger
      from webhook_deliveries_open o
      join webhook_endpoints e on e.owner = o.owner and e.id = o.endpoint_id
      where o.message_id < ${end} and o.node is null and e.state = 'disabled'
      limit ${chunkRows} for update of o skip locked) held
    where o.owner = held.owner and o.message_id = held.message_id
      and o.endpoint_id = held.endpoint_id and o.trigger = held.trigger`);
}

/** Deletes a chunk of the deliveries of messages that were dropped. Returns how many. */
function deleteUndelivered(db: Database, oldest: string): Promise<number> {
  return db.run(sql`
    delete /* all partners */ from webhook_deliveries_undelivered
    where (message_id, owner, endpoint_id) in (
      select message_id, owner, endpoint_id from webhook_deliveries_undelivered
      where message_id < ${oldest} limit ${chunkRows})`);
}

/**
 * Deletes a chunk of expired rows from the default partitions, which have some only if messages were
 * stored with ids of a time before the oldest partition. Returns how many, of the table with the most.
 */
async function deleteFromDefault(db: Database, expired: string): Promise<number> {
  const counts = [];
  for (const table of partitionedTables) {
    const name = raw(defaultOf(table));
    const key = raw(table.key);
    counts.push(
      await db.run(sql`
        delete /* all partners */ from ${name} where ctid in (
          select ctid from ${name} d where ${key} < ${expired} and not exists (
            select from webhook_deliveries_open o
            where o.owner = d.owner and o.message_id = d.${key})
          limit ${chunkRows})`),
    );
  }
  return Math.max(...counts);
}
