import { type Row, undeclared } from '../row.ts';
import type { Queryable, Sql } from '../types.ts';

/**
 * Returns the rows of a statement in a test. Nothing compares `T` with the columns: a test asserts the values that
 * it reads, so a wrong type fails there. The service declares its rows instead: `db.many(row, sql)`.
 */
export function rowsOf<T extends object>(db: Queryable, statement: Sql): Promise<T[]> {
  return db.many(undeclared as unknown as Row<T>, statement);
}

/** Returns the single row of a statement in a test; any other number fails. Its type is not checked. */
export function oneRowOf<T extends object>(db: Queryable, statement: Sql): Promise<T> {
  return db.one(undeclared as unknown as Row<T>, statement);
}

/** Returns the row of a statement in a test, or undefined; two rows fail. Its type is not checked. */
export function maybeRowOf<T extends object>(
  db: Queryable,
  statement: Sql,
): Promise<T | undefined> {
  return db.maybe(undeclared as unknown as Row<T>, statement);
}
