import {
  DatabaseUnreachable,
  describeDatabaseUrl,
  openDatabase,
  readReplicaLag,
  readSchemaState,
  startDatabaseClock,
} from '@svc/db';
import { type Log, systemClock } from '@svc/runtime';
import { migrationFiles, version } from '../migrations.ts';
import type { Config } from '../service-settings.ts';
import { type OpenedDatabase, openForCommand } from './open-for-command.ts';

interface Report extends OpenedDatabase {
  /**
   * A sentence for the operator about the server that the report is read from. Undefined without
   * DATABASE_REPLICA_URL.
   */
  readonly source: string | undefined;
  /** True if this is a replica, so that nothing can be written through it. */
  readonly isReplica: boolean;
}

/** Reports are read from a replica that is at most this far behind. */
const maxLagSeconds = 30;

/**
 * Opens the replica for a report that may be some seconds old, or the primary if there is no replica,
 * if it does not answer, or if it lags. Nothing can be written through a replica's connections.
 * @throws ConfigError as `openForCommand` does
 */
export async function openForReport(
  config: Config,
  { log, maxLag = maxLagSeconds }: { readonly log: Log; readonly maxLag?: number },
): Promise<Report> {
  const { replicaUrl } = config;
  if (replicaUrl === undefined) {
    return { ...(await openPrimary()), source: undefined, isReplica: false };
  }
  const name = `replica ${describeDatabaseUrl(replicaUrl)}`;
  const opened = await openReplica(replicaUrl, { log, maxLag });
  if (typeof opened !== 'string') {
    return { ...opened, source: `Read from the ${name}.`, isReplica: true };
  }
  return {
    ...(await openPrimary()),
    source: `Read from the primary, because the ${name} ${opened}.`,
    isReplica: false,
  };

  function openPrimary(): Promise<OpenedDatabase> {
    return openForCommand(config, { log, createDatabase: false });
  }
}

/** Opens the replica. If it cannot be used, resolves with the reason as the end of a sentence. */
async function openReplica(
  url: string,
  { log, maxLag }: { readonly log: Log; readonly maxLag: number },
): Promise<OpenedDatabase | string> {
  try {
    const db = await openDatabase({ url }, { log, readOnly: true });
    const lag = await readReplicaLag(db);
    const { mismatch } = await readSchemaState(db, migrationFiles, version);
    if (lag === undefined || lag > maxLag || mismatch) {
      await db.close();
      if (lag === undefined) return 'has replayed no commit since it started';
      return mismatch ? 'has another schema' : `is ${Math.round(lag)} s behind`;
    }
    const clock = await startDatabaseClock({ db, clock: systemClock, log });
    return {
      db,
      clock,
      async close() {
        clock.stop();
        await db.close();
      },
    };
  } catch (error) {
    if (error instanceof DatabaseUnreachable) return 'cannot be used';
    throw error;
  }
}
