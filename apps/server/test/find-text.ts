import { type Database, listOf, raw, row, sql, text } from '@svc/db';

const tablesRow = row('tables', { tables: listOf(text) });

/** Returns the tables that have a row with the text in any column, including columns of bytes. */
export async function findText(db: Database, needle: string): Promise<string[]> {
  const { tables } = await db.one(
    tablesRow,
    sql`
    select array_agg(table_name::text order by table_name) as tables from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and not (select relispartition from pg_class where oid = table_name::regclass)`,
  );
  const hex = Buffer.from(needle).toString('hex');
  const found = [];
  for (const table of tables) {
    const rows = await db.run(sql`
      select from ${raw(table)} x /* all partners */
      where to_jsonb(x)::text ilike ${`%${needle}%`} or to_jsonb(x)::text like ${`%${hex}%`} limit 1`);
    if (rows > 0) found.push(table);
  }
  return found;
}
