import type { Row } from './row.ts';
import type { Sql } from './sql.ts';

export type { Sql };

/**
 * Runs one statement at a time. Values have the same types on every driver: int8 is a number (an
 * unsafe one throws), date is `YYYY-MM-DD`, timestamptz is a Date, bytea is a Buffer, json is parsed.
 *
 * A statement whose rows are read names the row it returns, declared by `row`. A column that is
 * missing, unknown or of another type is a `RowMismatch`.
 */
export interface Queryable {
  /** Returns all rows. */
  many<T extends object>(row: Row<T>, statement: Sql): Promise<T[]>;
  /** @deprecated Nothing checks the asserted type: pass a declared row, `many(chargeRow, sql)`. */
  many<T>(statement: Sql): Promise<T[]>;
  /** Returns exactly one row; any other number is an assertion error. */
  one<T extends object>(row: Row<T>, statement: Sql): Promise<T>;
  /** @deprecated Nothing checks the asserted type: pass a declared row, `one(chargeRow, sql)`. */
  one<T>(statement: Sql): Promise<T>;
  /** Returns one row or undefined; more than one is an assertion error. */
  maybe<T extends object>(row: Row<T>, statement: Sql): Promise<T | undefined>;
  /** @deprecated Nothing checks the asserted type: pass a declared row, `maybe(chargeRow, sql)`. */
  maybe<T>(statement: Sql): Promise<T | undefined>;
  /** Runs a statement whose rows nobody reads; returns how many rows it touched. */
  run(statement: Sql): Promise<number>;
}

/**
 * A running transaction. Contains SQL and nothing else: no HTTP, no timers. BEGIN goes out with its
 * first statement. Statements run in the order in which they are asked; a server gets them at once,
 * so what does not need an earlier answer need not wait for it.
 */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /**
   * Statements that need no transaction: each stands by itself as long as none has begun, and
   * belongs to it from then on. For what is read ahead without a lock, or for the only write.
   */
  readonly alone: Queryable;
}

/** For work that is known to be long, such as a migration. */
export interface TransactionOptions {
  readonly timeoutMs?: number;
}

export interface Database extends Queryable {
  /** `embedded` is PGlite in this process: one session, no LISTEN. */
  readonly kind: 'embedded' | 'server';
  /**
   * Read committed. Retried as a whole (at most 5 times) on 40001 and 40P01; `CommitUnknown` when
   * COMMIT got no answer. `timeoutMs` replaces the limit of each statement and lock wait inside.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Hears NOTIFY on a connection of its own; a no-op on `embedded`. Returns a stop function. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** What this package says while it runs; a pino logger fits. */
export interface DatabaseLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Hears how each statement or transaction of the pool ended. A transaction whose work threw an error
 * of its own is reported as failed too: `isOutage` tells the database's own failures.
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

/** Where the rows live: a PostgreSQL server, or a folder that belongs to this process alone. */
export type DatabaseTarget = { readonly url: string } | { readonly dataDir: string };
