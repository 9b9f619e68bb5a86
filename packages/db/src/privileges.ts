import { boolean, row } from './row.ts';
import { raw, type Sql, sql } from './sql.ts';
import type { Queryable } from './types.ts';

const ownershipRow = row('ownership of a table', { owned: boolean });

/**
 * Returns whether the session's role may alter and drop a table: it owns the table, inherits from the owner, or is a
 * superuser.
 */
export async function ownsTable(q: Queryable, table: string): Promise<boolean> {
  const { owned } = await q.one(
    ownershipRow,
    sql`
    select pg_has_role(relowner, 'usage') as owned from pg_class
    where oid = ${table}::text::regclass`,
  );
  return owned;
}

/**
 * Returns SQL that is true if the session's role may analyze and vacuum a table. `relation` is the alias of the
 * table's row of pg_class. If the role may not, PostgreSQL only warns in the server's log, for each table and each
 * time. Before version 17 only owners may.
 */
export function mayMaintain(relation: string): Sql {
  return raw(`(pg_has_role(${relation}.relowner, 'usage')
    or case when current_setting('server_version_num')::integer >= 170000
      then has_table_privilege(${relation}.oid, 'maintain') else false end)`);
}
