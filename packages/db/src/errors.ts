import pg from 'pg';

/** Another process (or this one, twice) has the data folder open. */
export class DataFolderLocked extends Error {
  override readonly name = 'DataFolderLocked';
  readonly pid: number | undefined;
  constructor(folder: string, pid: number | undefined) {
    const owner = pid === undefined ? 'another process' : `process ${pid}`;
    super(`The data folder ${folder} is in use by ${owner}: stop it, or choose another folder.`);
    this.pid = pid;
  }
}

/** The data folder cannot be created, written or opened. */
export class DataFolderUnusable extends Error {
  override readonly name = 'DataFolderUnusable';
  constructor(folder: string, reason: string, options?: ErrorOptions) {
    super(`The data folder ${folder} cannot be used: ${reason}.`, options);
  }
}

/** No database answered at the URL, or it refused us. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
}

/**
 * No connection could be opened: the server is down, refused us, or accepts no writes. `message` is
 * the driver's, without credentials.
 */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    // Node leaves the message empty when a name has several addresses and all of them fail.
    super(message || (code ?? 'unknown error'), { cause });
  }
}

/** A new session is read-only: the server is a standby, or somebody made it refuse writes. */
export class DatabaseReadOnly extends Error {
  override readonly name = 'DatabaseReadOnly';
  constructor() {
    super('the database is read-only');
  }
}

/** The embedded database died; everything acknowledged is on disk, the process must restart. */
export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
}

/** The connection broke while COMMIT was under way: it may or may not have happened. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  constructor(options: ErrorOptions) {
    super('The database did not answer COMMIT: the transaction may or may not stand.', options);
  }
}

/** `db` was used inside a running transaction, where one session would wait for itself. */
export class NestedDatabaseUse extends Error {
  override readonly name = 'NestedDatabaseUse';
  constructor() {
    super('`db` was used inside a transaction: use the `tx` that the transaction was given.');
  }
}

/** A migration file differs from the one applied, or the numbering is broken. */
export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged';
}

/** The database has a migration that needs a later version of this code. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

/** The database lacks migrations of this code, and this process does not apply them. */
export class DatabaseTooOld extends Error {
  override readonly name = 'DatabaseTooOld';
}

/** A migration could not be applied. The message says what is left of it and what to do. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

/** A stored int8 is beyond what a JavaScript number holds exactly. */
export class UnsafeInteger extends Error {
  override readonly name = 'UnsafeInteger';
}

/** SQLSTATE of an error the database itself reported, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** True for SQLSTATE 23505, of the named constraint when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false;
  return constraint === undefined || error.constraint === constraint;
}

/** True when a prepared statement would answer other columns than before: a migration ran. */
export function isStalePlan(error: unknown): boolean {
  // The state alone also stands for features that PostgreSQL does not have.
  return (
    sqlState(error) === '0A000' && /cached plan must not change/.test((error as Error).message)
  );
}

/**
 * True when the statement failed but the connection is as good as before. A session that refuses a
 * write (25006) is not: after a failover it stays with the old server, or keeps the read-only
 * default it was opened with, even after the database accepts writes again.
 */
export function connectionSurvives(error: unknown): boolean {
  if (error instanceof UnsafeInteger) return true;
  const state = sqlState(error);
  return state !== undefined && !/^(08|57P|25P0[34]|25006)/.test(state);
}

/** True for SQLSTATE 53100: the server has no space left for new rows. It may still answer reads. */
export function isDiskFull(error: unknown): boolean {
  return sqlState(error) === '53100';
}

/**
 * True when the database is down, unreachable, out of resources, or refuses writes: the cause is not
 * the statement, and the same call may succeed later.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionFailed || error instanceof DatabaseLost) return true;
  if (error instanceof CommitUnknown) return true;
  const state = sqlState(error);
  if (state !== undefined) return /^(08|53|57P|25006)/.test(state);
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return brokenSocketCodes.includes(code ?? '') || brokenConnection.test(message);
}

// A connection that breaks while a statement is running fails with a bare Error of node-postgres.
const brokenSocketCodes = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];
const brokenConnection = /^(Connection terminated|Query read timeout|.*not queryable)/;
