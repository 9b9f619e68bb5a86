import { double, nullable, row } from './row.ts';
import { sql } from './sql.ts';
import type { Queryable } from './types.ts';

const lagRow = row('replica lag', { seconds: nullable(double) });

/**
 * Returns how many seconds this server is behind its primary: 0 on a primary, and on a standby that has replayed
 * everything and is connected. Otherwise it is the time since the last commit that the standby replayed, which is
 * too long while the primary commits nothing. Undefined if the standby has replayed no commit since it started.
 */
export async function readReplicaLag(db: Queryable): Promise<number | undefined> {
  const { seconds } = await db.one(
    lagRow,
    sql`
      select case
        when not pg_is_in_recovery() then 0::float8
        when exists (select from pg_stat_wal_receiver)
          and pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0::float8
        else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
        end as seconds`,
  );
  return seconds ?? undefined;
}
