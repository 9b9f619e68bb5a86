import type { Row } from './row.ts';
import type { Sql } from './sql.ts';

export type { Sql };

/**
 * Runs one statement per call. Values have the same types on both databases: int8 is a number (an
 * unsafe one throws), date is `YYYY-MM-DD`, timestamptz is a Date, bytea is a Buffer, json is parsed.
 *
 * A statement whose rows are read names the row it returns, declared by `row`. A column that is
 * missing, unknown or of another type is a `RowMismatch`.
 */
export interface Queryable {
  /**
   * The cluster over whose servers the tables are distributed; null on one PostgreSQL. It is read when the database
   * is opened.
   */
  readonly cluster: Cluster | null;
  /** Returns all rows. */
  many<T extends object>(row: Row<T>, statement: Sql): Promise<T[]>;
  /** Returns the only row. Any other number of rows is an assertion error. */
  one<T extends object>(row: Row<T>, statement: Sql): Promise<T>;
  /** Returns the row, or undefined. More than one row is an assertion error. */
  maybe<T extends object>(row: Row<T>, statement: Sql): Promise<T | undefined>;
  /** Runs a statement without reading rows. Returns the number of affected rows. */
  run(statement: Sql): Promise<number>;
}

/** A Citus cluster. Each of its servers stores the rows of some partners. */
export interface Cluster {
  /** Set by the service while a server does not answer. All statements of the database share it. */
  outage: ClusterOutage | undefined;
  /** The group id of the server that stores a partner's rows. Set by the service; a new partner may be missing. */
  serverOf: ReadonlyMap<string, number>;
}

export interface ClusterOutage {
  /** The servers that do not answer, as `host:port`. */
  readonly servers: readonly string[];
  /** The partners whose rows are on other servers. */
  readonly reachable: readonly string[];
}

/**
 * A running transaction. Use it for SQL only: no HTTP, no timers. BEGIN is sent with the first
 * statement. Statements run in the order of the calls. A server receives each at once, so a statement
 * that does not need an earlier result does not have to wait for it.
 */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /**
   * Runs statements without beginning the transaction. Before BEGIN each one commits separately;
   * after it they belong to the transaction. For a read before the lock, or for a command's only write.
   */
  readonly alone: Queryable;
  /**
   * Sends a write without waiting for its answer. If the write fails, the transaction fails with its error,
   * and nothing is committed.
   */
  send(statement: Sql): void;
}

/** Options for long work, such as a migration. */
export interface TransactionOptions {
  readonly timeoutMs?: number;
}

export interface Database extends Queryable {
  /** `embedded` is PGlite in this process: one session, no LISTEN. */
  readonly kind: 'embedded' | 'server';
  /**
   * Runs `work` in a transaction with isolation level read committed. Retries it as a whole, at most
   * 5 times, on 40001 and 40P01, so `work` must be repeatable. Throws `CommitUnknown` if COMMIT got no
   * answer. `timeoutMs` replaces the limit of each statement and lock wait.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs `work` on one connection, outside a transaction and without limits for statements and lock
   * waits. For migrations: `begin` and `commit` are statements there, and advisory locks and settings
   * end with the connection, which is closed afterwards. Uses the direct URL, if the target has one.
   */
  session<T>(work: (session: Queryable) => Promise<T>): Promise<T>;
  /** Receives NOTIFY on a dedicated connection. Does nothing on `embedded`. Returns a stop function. */
  listen(channel: string, notified: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The log of this package; a pino logger fits. */
export interface DatabaseLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Called after each statement or transaction of the pool. A transaction is also reported as failed if
 * its work threw an unrelated error; use `isOutage` to recognize failures of the database.
 */
export interface DatabaseObserver {
  succeeded(): void;
  failed(error: unknown): void;
  /** A caller got a connection after this many seconds. */
  connected?(waitedSeconds: number): void;
  /** A statement was answered, or failed, after this many seconds. */
  statementEnded?(seconds: number): void;
  /** Called once for each pool, when it opens. */
  poolOpened?(connections: () => PoolConnections): void;
}

/** The connections of a pool at this moment. */
export interface PoolConnections {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** The database to open: a PostgreSQL server, or a folder that only this process uses. */
export type DatabaseTarget = ServerTarget | FolderTarget;

export interface FolderTarget {
  readonly dataDir: string;
  /** A file that `packSnapshot` has written. A new folder starts as a copy of it, instead of empty. */
  readonly snapshot?: string | undefined;
}

export interface ServerTarget {
  readonly url: string;
  /** The URL of the server itself, for LISTEN and sessions, when `url` leads to a pooler. */
  readonly directUrl?: string | undefined;
}
