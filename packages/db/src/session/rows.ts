import assert from 'node:assert';
import type { QueryResult } from 'pg';
import { checkColumns, checkValues, type Row, withKeys } from '../row.ts';
import { Sql } from '../sql.ts';
import type { Cluster, Queryable } from '../types.ts';

/** Settings that all statements of a pool share. */
export interface StatementSettings {
  /** Compare every value with its declared row (nulls, JSON). For tests. The columns are always compared. */
  readonly checkValues: boolean;
  /**
   * The cluster of the database. Null on one PostgreSQL, and until the first statement has read it from the server.
   */
  cluster: Cluster | null;
}

/** Implements `many`, `one`, `maybe` and `run` with a function that runs a statement. */
export function createQueryable(
  send: (statement: Sql) => Promise<QueryResult>,
  settings: StatementSettings,
): Queryable {
  const execute = (statement: Sql) => send(sendable(statement, settings));
  const read = async <T extends object>(declared: Row<T>, statement: Sql) => {
    const result = await execute(statement);
    checkColumns(declared, result, statement.text);
    const rows = withKeys(declared, result.rows);
    if (settings.checkValues) checkValues(declared, rows, statement.text);
    return rows;
  };
  return {
    cluster: settings.cluster,
    many: read,
    async one<T extends object>(declared: Row<T>, statement: Sql) {
      const rows = await read(declared, statement);
      assert(rows.length === 1, `expected one row, got ${rows.length}: ${statement.text}`);
      return rows[0] as T;
    },
    async maybe<T extends object>(declared: Row<T>, statement: Sql) {
      const rows = await read(declared, statement);
      assert(rows.length <= 1, `expected at most one row, got ${rows.length}: ${statement.text}`);
      return rows[0];
    },
    async run(statement: Sql) {
      const { rowCount } = await execute(statement);
      return rowCount ?? 0;
    },
  };
}

/**
 * Returns the statement in the form that this database takes.
 * @throws TypeError if it was not made by the `sql` tag
 */
export function sendable(statement: Sql, { cluster }: Pick<StatementSettings, 'cluster'>): Sql {
  if (!Sql.isSql(statement)) throw new TypeError('Pass a statement made by the `sql` tag.');
  return cluster ? withPlainLimits(statement) : statement;
}

/** `recordset` hides its limit from PostgreSQL's planner in a subquery, which Citus cannot send to another server. */
function withPlainLimits({ text, values }: Sql): Sql {
  return new Sql(text.replace(/limit \(select (\$\d+::int)\)/g, 'limit $1'), values);
}
