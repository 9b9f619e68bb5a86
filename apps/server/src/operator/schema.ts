import {
  type Database,
  instant,
  openDatabase,
  readSchemaState,
  row,
  type SchemaState,
  sql,
} from '@svc/db';
import { migrationFiles, version } from '../migrations.ts';
import { ConfigError } from '../service-settings.ts';
import type { SchemaContext } from './command.ts';
import { keepPartitions, type PartitionChanges } from './keep-partitions.ts';
import {
  createDatabaseHint,
  describeDatabase,
  ensureDatabase,
  refuseMissingFolder,
} from './open-for-command.ts';

export interface Schema {
  readonly db: Database;
  readonly state: SchemaState;
  /** Names the database in messages, without its credentials. */
  readonly where: string;
}

/**
 * Opens the database for a command that works on its schema, and closes it afterwards.
 * @throws ConfigError when no service has used it yet, unless the command may create it
 */
export async function withSchema<R>(
  { config, createDatabase, log }: SchemaContext,
  run: (schema: Schema) => Promise<R>,
): Promise<R> {
  refuseMissingFolder(config, createDatabase);
  if (createDatabase) await ensureDatabase(config, log);
  const db = await openDatabase(config.database, { log });
  try {
    const state = await readSchemaState(db, migrationFiles, version);
    const where = describeDatabase(config);
    if (!createDatabase && state.applied.length === 0) {
      throw new ConfigError(
        `No service has used ${where} yet. Check DATABASE_URL and SVC_DATA_DIR. ${createDatabaseHint}`,
      );
    }
    return await run({ db, state, where });
  } finally {
    await db.close();
  }
}

/** @throws ConfigError when the schema is older than this version needs */
export function refusePending({ state: { pending }, where }: Schema): void {
  if (pending.length === 0) return;
  throw new ConfigError(
    `Some migrations are not applied to ${where}. Run "svc-admin migrate apply" first.`,
  );
}

const nowRow = row('time of the database', { now: instant });

/** Creates partitions ahead and drops expired ones, judged by the database's time. */
export async function partition(
  db: Database,
  { config, by }: SchemaContext,
): Promise<PartitionChanges> {
  // This machine's clock may be wrong, and it would decide what has expired.
  const { now } = await db.one(nowRow, sql`select clock_timestamp() as now`);
  return keepPartitions(db, { now, retentionDays: config.webhookRetentionDays, by });
}

export function describePartitions({
  created,
  dropped,
  notes,
  complete,
}: PartitionChanges): string {
  const lines = [
    ...created.map((name) => `Created ${name}.`),
    ...dropped.map((name) => `Dropped ${name}.`),
    ...notes,
  ];
  if (complete && created.length + dropped.length === 0) {
    lines.push('All partitions exist, and none has expired.');
  }
  return lines.map((line) => `${line}\n`).join('');
}
