import pg from 'pg';

/** The data folder is open in another process, or already in this one. */
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

/** The database at the URL did not answer, refused the connection, or is too old. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
}

/**
 * No connection could be opened: the server is down, refuses connections, or accepts no writes. The
 * message comes from the driver and contains no credentials.
 */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  // Node leaves the message empty when a name has several addresses and all of them fail.
  return message || (code ?? 'unknown error');
}

/** A new session is read-only: the server is a standby, or is configured to refuse writes. */
export class DatabaseReadOnly extends Error {
  override readonly name = 'DatabaseReadOnly';
  constructor({ standby }: { readonly standby: boolean }) {
    super(
      standby
        ? 'the server is a standby, which accepts no writes; DATABASE_URL must name the primary, or all hosts as postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write'
        : 'the database is read-only',
    );
  }
}

/** One host of several could not be connected to, or accepts no writes. */
export class HostFailed extends Error {
  override readonly name = 'HostFailed';
  constructor(host: string, cause: unknown) {
    const reason = cause instanceof DatabaseReadOnly ? 'accepts no writes' : messageOf(cause);
    super(`${host}: ${reason}`, { cause });
  }
}

/** Every host of the database URL failed. */
export class NoUsableHost extends Error {
  override readonly name = 'NoUsableHost';
  readonly failures: readonly HostFailed[];
  constructor(failures: readonly HostFailed[]) {
    const reasons = failures.map(({ message }) => message).join('; ');
    super(
      `none of its hosts accepts connections and writes (${reasons}); check that one of them is the primary and can be reached, or promote a standby`,
    );
    this.failures = failures;
  }
}

/** The embedded database died. Every acknowledged commit is on disk. The process must restart. */
export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
}

/** The connection broke while COMMIT was in flight, so the outcome is unknown. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  constructor(options: ErrorOptions) {
    super(
      'The database did not answer COMMIT: the transaction may or may not have been committed.',
      options,
    );
  }
}

/** `db` was used inside a running transaction, where a single session would wait for itself forever. */
export class NestedDatabaseUse extends Error {
  override readonly name = 'NestedDatabaseUse';
  constructor() {
    super('`db` was used inside a transaction: use the `tx` that the callback receives.');
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

/** A stored int8 that a JavaScript number cannot represent exactly. */
export class UnsafeInteger extends Error {
  override readonly name = 'UnsafeInteger';
}

/** The SQLSTATE of an error that PostgreSQL reported; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Returns whether this is SQLSTATE 23505 (of the given constraint, if any). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false;
  return constraint === undefined || error.constraint === constraint;
}

/** Returns whether a prepared statement was refused because a migration changed its columns. */
export function isStalePlan(error: unknown): boolean {
  // The state alone is not enough: it also means that PostgreSQL lacks a feature.
  return (
    sqlState(error) === '0A000' && /cached plan must not change/.test((error as Error).message)
  );
}

/**
 * Returns whether the connection can be used again after this error. It cannot after a refused write (25006): after
 * a failover the session is still on the old server, or keeps the read-only default with which it was opened, even
 * when the database accepts writes again.
 */
export function connectionSurvives(error: unknown): boolean {
  if (error instanceof UnsafeInteger) return true;
  const state = sqlState(error);
  return state !== undefined && !/^(08|57P|25P0[34]|25006)/.test(state);
}

/** Returns whether this is SQLSTATE 53100: the server's disk is full. It may still answer reads. */
export function isDiskFull(error: unknown): boolean {
  return sqlState(error) === '53100';
}

/**
 * Returns whether the database is down, unreachable, out of resources, or refuses writes. The statement is not the
 * cause, so the same call may succeed later.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionFailed || error instanceof DatabaseLost) return true;
  if (error instanceof CommitUnknown) return true;
  const state = sqlState(error);
  if (state !== undefined) return /^(08|53|57P|25006)/.test(state) || isWorkerLost(error);
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return brokenSocketCodes.includes(code ?? '') || brokenConnection.test(message);
}

/**
 * Returns whether a server of a Citus cluster ended its connection to the coordinator, which reports that as an
 * internal error.
 */
function isWorkerLost(error: unknown): boolean {
  return sqlState(error) === 'XX000' && brokenBetweenServers.test((error as Error).message);
}

// Messages for a broken connection between servers: one of Citus, and those of libpq, which have no SQLSTATE.
const brokenBetweenServers =
  /^(failure on connection marked as essential|server closed the connection|SSL connection has been closed|SSL SYSCALL error|could not (send|receive) data|connection not open|no connection to the server|invalid socket)/;

// A connection that breaks while a statement is running fails with a bare Error of node-postgres.
const brokenSocketCodes = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];
const brokenConnection = /^(Connection terminated|Query read timeout|.*not queryable)/;
