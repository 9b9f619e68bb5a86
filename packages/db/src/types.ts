import type { Sql } from './sql.ts';

export type { Sql };

/**
 * One statement at a time. Types are the same on every driver: int8 is a number (an unsafe one
 * throws), date is `YYYY-MM-DD`, timestamptz is a Date, bytea is a Buffer, json is parsed.
 */
export interface Queryable {
  /** All rows. */
  many<Row>(statement: Sql): Promise<Row[]>;
  /** Exactly one row, or an assertion error. */
  one<Row>(statement: Sql): Promise<Row>;
  /** One row or undefined; more than one is an assertion error. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
  /** How many rows the statement touched. */
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
}

/** Where the rows live: a PostgreSQL server, or a folder that belongs to this process alone. */
export type DatabaseTarget = { readonly url: string } | { readonly dataDir: string };
