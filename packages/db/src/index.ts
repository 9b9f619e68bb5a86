export { textColumn, timeColumn } from './columns.ts';
export { type DatabaseClock, startDatabaseClock } from './database-clock.ts';
export {
  CommitUnknown,
  DatabaseLost,
  DatabaseTooNew,
  DatabaseUnreachable,
  DataFolderLocked,
  DataFolderUnusable,
  isUniqueViolation,
  MigrationChanged,
  NestedDatabaseUse,
  sqlState,
  UnsafeInteger,
} from './errors.ts';
export { migrate, migrationsAtHead } from './migrate.ts';
export { type OpenOptions, openDatabase } from './open.ts';
export type { MigrationSource } from './read-migrations.ts';
export type { Limits } from './session/session.ts';
export { raw, sql } from './sql.ts';
export type {
  Database,
  DatabaseLog,
  DatabaseTarget,
  Queryable,
  Sql,
  TransactionOptions,
  Tx,
} from './types.ts';
