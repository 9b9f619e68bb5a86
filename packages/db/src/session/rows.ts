import assert from 'node:assert';
import type { QueryResult } from 'pg';
import { Sql } from '../sql.ts';
import type { Queryable } from '../types.ts';

/** The four ways to ask, over one way to run a statement. */
export function queryable(send: (statement: Sql) => Promise<QueryResult>): Queryable {
  const execute = (statement: Sql) => {
    if (!Sql.isSql(statement)) throw new TypeError('Pass a statement made by the `sql` tag.');
    return send(statement);
  };
  return {
    async many<Row>(statement: Sql) {
      const { rows } = await execute(statement);
      return rows as Row[];
    },
    async one<Row>(statement: Sql) {
      const { rows } = await execute(statement);
      assert(rows.length === 1, `expected one row, got ${rows.length}: ${statement.text}`);
      return rows[0] as Row;
    },
    async maybe<Row>(statement: Sql) {
      const { rows } = await execute(statement);
      assert(rows.length <= 1, `expected at most one row, got ${rows.length}: ${statement.text}`);
      return rows[0] as Row | undefined;
    },
    async run(statement: Sql) {
      const { rowCount } = await execute(statement);
      return rowCount ?? 0;
    },
  };
}
