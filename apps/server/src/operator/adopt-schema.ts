import {
  type Database,
  DatabaseTooOld,
  integer,
  lockMigrations,
  type Migration,
  nullable,
  type RowOf,
  readSchemaState,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { migrationFiles, version } from '../migrations.ts';
import { ConfigError } from '../service-settings.ts';
import { recordAdoption } from './grant-to-service.ts';
import type { Operator } from './record-by-operator.ts';
import { lastUnreleasedCommit, replacedBy, unreleasedMigrations } from './unreleased-migrations.ts';

const appliedRow = row('applied migration', {
  number: integer,
  name: text,
  checksum: text,
  oldestService: nullable(text),
});
type Applied = RowOf<typeof appliedRow>;

/**
 * Replaces the rows of the unreleased builds' migrations by those of the files that replaced them, in one
 * transaction under the migration lock. Both make the same schema, so only a database that has every old
 * file, with its checksum, can be adopted. Returns the names of the new rows; none if no row is old.
 * @throws ConfigError when the database is not that of the last unreleased build
 */
export function adoptSchema(
  db: Database,
  { by, where }: { readonly by: Operator; readonly where: string },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockMigrations(tx);
    const files = migrationFiles.get('server') ?? [];
    const rows = await tx.many(
      appliedRow,
      sql`
      select number, name, checksum, oldest_service from svc_migration
      where source = 'server' and number >= ${replacedBy.first} order by number`,
    );
    const isOld = ({ number, name }: Applied) => (files[number - 1]?.name ?? name) !== name;
    if (!rows.some(isOld)) return [];
    refuseOtherBuilds(rows, where);
    const replacing = files.slice(replacedBy.first - 1, replacedBy.last);
    await replaceRows(tx, rows, replacing);
    const adopted = replacing.map(({ name }) => `server/${name}`);
    await recordAdoption(tx, by, { migrations: adopted, version });
    // Throws, and so rolls everything back, if a released file also differs from the one that was applied.
    const { mismatch } = await readSchemaState(tx, migrationFiles, version);
    if (mismatch && !(mismatch instanceof DatabaseTooOld)) throw mismatch;
    return adopted;
  });
}

function refuseOtherBuilds(rows: readonly Applied[], where: string): void {
  const other = rows.find(({ name, checksum }) => unreleasedMigrations.get(name) !== checksum);
  if (other) {
    throw new ConfigError(
      `Nothing was changed: ${where} has server/${other.name}, which is not that of the last unreleased build, so its schema is unknown. Start with an empty database.`,
    );
  }
  const applied = new Set(rows.map(({ name }) => name));
  const missing = [...unreleasedMigrations.keys()].find((name) => !applied.has(name));
  if (missing !== undefined) {
    throw new ConfigError(
      `Nothing was changed: ${where} lacks server/${missing} of the last unreleased build. Run "svc-admin migrate apply" of commit ${lastUnreleasedCommit}, then this command again, or start with an empty database.`,
    );
  }
}

/** "tenant seal" and "terms apply" raise this in one row, so that older services refuse to run. */
const raisedOldestService = '0.3.0';

async function replaceRows(
  tx: Tx,
  old: readonly Applied[],
  files: readonly Migration[],
): Promise<void> {
  const isRaised = old.some(({ oldestService }) => oldestService === raisedOldestService);
  await tx.run(sql`
    delete from svc_migration where source = 'server' and number >= ${replacedBy.first}`);
  for (const { source, number, name, checksum, oldestService = null } of files) {
    await tx.run(sql`
      insert into svc_migration (source, number, name, checksum, oldest_service)
      values (${source}, ${number}, ${name}, ${checksum}, ${isRaised ? raisedOldestService : oldestService})`);
  }
}
