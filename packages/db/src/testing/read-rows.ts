import type { Queryable, Sql } from '../types.ts';

/**
 * The rows of a statement in a test. Nothing compares `T` with the columns: a test asserts the values
 * that it reads, so a wrong type fails there. The service declares its rows instead: `db.many(row, sql)`.
 */
export function rowsOf<T>(db: Queryable, statement: Sql): Promise<T[]> {
  return (db as unknown as Unchecked<T>).many(statement);
}

/** The single row of a statement in a test; any other number fails. Its type is not checked. */
export function oneRowOf<T>(db: Queryable, statement: Sql): Promise<T> {
  return (db as unknown as Unchecked<T>).one(statement);
}

/** The row of a statement in a test, or undefined; two rows fail. Its type is not checked. */
export function maybeRowOf<T>(db: Queryable, statement: Sql): Promise<T | undefined> {
  return (db as unknown as Unchecked<T>).maybe(statement);
}

/** A `Queryable` also runs statements without a declared row. */
interface Unchecked<T> {
  many(statement: Sql): Promise<T[]>;
  one(statement: Sql): Promise<T>;
  maybe(statement: Sql): Promise<T | undefined>;
}
