import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { boolean, type Database, migrate, openDatabase, row, sql } from '@svc/db';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../context.ts';
import { migrations } from '../migrations.ts';

interface OpenForCommand {
  readonly log: Log;
  /** Make the database if there is none. Without it only the service does. */
  readonly createDatabase: boolean;
}

/**
 * Opens the database that the settings name, for one command of the operator. A command with other
 * settings than the service's must not leave a second database behind: its keys would be valid
 * nowhere.
 * @throws ConfigError when there is no database, or no service has ever used it
 */
export async function openForCommand(
  config: Config,
  { log, createDatabase }: OpenForCommand,
): Promise<Database> {
  if (!createDatabase && 'dataDir' in config.database && !hasFiles(config.database.dataDir)) {
    throw new ConfigError(
      `There is no database in the data folder ${config.dataDir}. Set SVC_DATA_DIR to the folder of your service (or DATABASE_URL, if it has one), or start the service there first. ${orCreate}`,
    );
  }
  const db = await openDatabase(config.database, { log });
  try {
    if (!createDatabase && !(await isSetUp(db))) {
      throw new ConfigError(
        `No service has used ${placeOf(config)} yet. Check DATABASE_URL and SVC_DATA_DIR, or start the service first. ${orCreate}`,
      );
    }
    await migrate(db, migrations);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

const orCreate = 'To make a new database without the service, add --create-database.';

/** The data folder, or the server's host and database without credentials. */
export function placeOf({ database }: Pick<Config, 'database'>): string {
  if ('dataDir' in database) return `the data folder ${database.dataDir}`;
  const { host, pathname } = new URL(database.url);
  return `the database ${host}${pathname}`;
}

function hasFiles(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

const tableRow = row('installation table', { found: boolean });

/** Whether a service has written its environment and its key's fingerprint. */
async function isSetUp(db: Database): Promise<boolean> {
  const { found } = await db.one(
    tableRow,
    sql`select to_regclass('installation') is not null as found`,
  );
  if (!found) return false;
  return (await db.run(sql`select from installation`)) > 0;
}
