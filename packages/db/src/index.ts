export { textColumn, timeColumn } from './columns.ts';
export { createServerDatabase } from './create-server-database.ts';
export { type DatabaseClock, startDatabaseClock } from './database-clock.ts';
export { createSnapshot } from './embedded/create-snapshot.ts';
export { isFolderLocked } from './embedded/lock-folder.ts';
export {
  CommitUnknown,
  ConnectionFailed,
  DatabaseLost,
  DatabaseTooNew,
  DatabaseTooOld,
  DatabaseUnreachable,
  DataFolderLocked,
  DataFolderUnusable,
  isDiskFull,
  isOutage,
  isUniqueViolation,
  MigrationChanged,
  MigrationFailed,
  NestedDatabaseUse,
  sqlState,
  UnsafeInteger,
} from './errors.ts';
export { lockMigrations, type MigrateOptions, migrate } from './migrate.ts';
export { type OpenOptions, openDatabase } from './open.ts';
export { mayMaintain, ownsTable } from './privileges.ts';
export type { Migration, MigrationSource } from './read-migrations.ts';
export { readReplicaLag } from './replica-lag.ts';
export {
  bigint,
  boolean,
  bytes,
  type Column,
  date,
  double,
  instant,
  integer,
  type JsonSchema,
  json,
  listOf,
  nullable,
  oneOf,
  type Row,
  RowMismatch,
  type RowOf,
  recordset,
  row,
  text,
} from './row.ts';
export {
  type BackfillProgress,
  describeProgress,
  findMigrating,
  loadMigrations,
  type MigrationFiles,
  probeWrite,
  readBackfills,
  readSchemaState,
  type SchemaState,
} from './schema-state.ts';
export {
  databaseUrlProblem,
  describeDatabaseUrl,
  isUnencrypted,
  refusesWrites,
} from './session/hosts.ts';
export type { Limits } from './session/session.ts';
export { raw, type SqlValue, sql } from './sql.ts';
export type {
  Cluster,
  ClusterOutage,
  Database,
  DatabaseLog,
  DatabaseObserver,
  DatabaseTarget,
  FolderTarget,
  PoolConnections,
  Queryable,
  Sql,
  TransactionOptions,
  Tx,
} from './types.ts';
