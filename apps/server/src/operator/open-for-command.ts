import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  boolean,
  createServerDatabase,
  type Database,
  describeDatabaseUrl,
  openDatabase,
  row,
  sql,
  startDatabaseClock,
} from '@svc/db';
import { type Clock, type Log, systemClock } from '@svc/runtime';
import { ensureSchema } from '../migrations.ts';
import { type Config, ConfigError } from '../service-settings.ts';

interface OpenOptions {
  readonly log: Log;
  /** Create the database if there is none. If false, only the service creates one. */
  readonly createDatabase: boolean;
  /** The clock of this process; the system clock when left out. */
  readonly processClock?: Clock;
}

export interface OpenedDatabase {
  readonly db: Database;
  /** The database's time, by which the service's processes judge what is due or expired. */
  readonly clock: Clock;
  close(): Promise<void>;
}

/**
 * Opens the database that the settings name, for one command of the operator. Refuses a database
 * without our tables: with settings other than the service's, a command would create a second
 * database, whose keys are valid nowhere.
 * @throws ConfigError when there is no database, or it has none of our tables
 */
export async function openForCommand(
  config: Config,
  { log, createDatabase, processClock = systemClock }: OpenOptions,
): Promise<OpenedDatabase> {
  refuseMissingFolder(config, createDatabase);
  if (createDatabase) await ensureDatabase(config, log);
  const db = await openDatabase(config.database, { log });
  try {
    if (!createDatabase && !(await isSetUp(db))) {
      throw new ConfigError(
        `No service has used ${describeDatabase(config)} yet. Check DATABASE_URL and SVC_DATA_DIR, or start the service first. ${createDatabaseHint}`,
      );
    }
    await ensureSchema(db, { migrateOnStart: config.migrateOnStart || createDatabase });
    const clock = await startDatabaseClock({ db, clock: processClock, log });
    return {
      db,
      clock,
      async close() {
        clock.stop();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Creates the database on the server if it does not exist. The embedded one is created when it is opened. */
export async function ensureDatabase({ database }: Config, log: Log): Promise<void> {
  if ('url' in database) await createServerDatabase(database.directUrl ?? database.url, { log });
}

/** @throws ConfigError when the settings name a data folder without a database */
export function refuseMissingFolder(config: Config, createDatabase: boolean): void {
  if (!createDatabase && 'dataDir' in config.database && !hasFiles(config.database.dataDir)) {
    throw new ConfigError(
      `There is no database in the data folder ${config.dataDir}. Set SVC_DATA_DIR to the data folder of your service, or DATABASE_URL if the service uses one, or start the service there first. ${createDatabaseHint}`,
    );
  }
}

export const createDatabaseHint =
  'To create a new database without the service, add --create-database.';

/** Names the database for a message, without its credentials. */
export function describeDatabase({ database }: Pick<Config, 'database'>): string {
  if ('dataDir' in database) return `the data folder ${database.dataDir}`;
  return `the database ${describeDatabaseUrl(database.url)}`;
}

function hasFiles(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

const tableRow = row('installation table', { found: boolean });

/** Returns whether a service, or `migrate apply --create-database`, has created our tables in the database. */
async function isSetUp(db: Database): Promise<boolean> {
  const { found } = await db.one(
    tableRow,
    sql`select to_regclass('installation') is not null as found`,
  );
  return found;
}
