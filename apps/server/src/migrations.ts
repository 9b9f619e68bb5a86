import { readFileSync } from 'node:fs';
import {
  type Database,
  loadMigrations,
  type MigrateOptions,
  type MigrationSource,
  migrate,
  readSchemaState,
} from '@svc/db';
import { tablePlacementOptions } from './operator/distribute.ts';
import type { Config } from './service-settings.ts';

/** The engine's migrations, then ours. The paths are the same from `src` and from `dist`. */
export const migrations: readonly MigrationSource[] = [
  { name: 'webhooks', folder: new URL('../../../packages/webhooks/migrations', import.meta.url) },
  { name: 'server', folder: new URL('../migrations', import.meta.url) },
];

/** The files as they were when this process started. */
export const migrationFiles = await loadMigrations(migrations);

/** The version of this service, such as 0.4.0. Migrations name the oldest version that can still run. */
export const version = readVersion();

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/**
 * Makes sure that this version can run on the database: applies what is missing where the settings
 * allow that.
 * @throws DatabaseTooOld when they do not, DatabaseTooNew, MigrationChanged, MigrationFailed
 */
export async function ensureSchema(
  db: Database,
  { migrateOnStart }: Pick<Config, 'migrateOnStart'>,
  options: MigrateOptions = {},
): Promise<void> {
  if (migrateOnStart) {
    await migrate(db, migrations, { ...options, ...tablePlacementOptions(db), version });
    return;
  }
  const { mismatch } = await readSchemaState(db, migrationFiles, version);
  if (mismatch) throw mismatch;
}

/** The commit that the archive was built from; `unknown` in a checkout. */
export const buildCommit = readCommit();

function readCommit(): string {
  try {
    // `<version> <commit>`, written by `npm run package`.
    const text = readFileSync(new URL('../../../VERSION', import.meta.url), 'utf8');
    return text.trim().split(' ')[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
