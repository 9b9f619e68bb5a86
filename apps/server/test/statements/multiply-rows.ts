import { bigint, type Database, raw, row, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';

/**
 * The tables that always have few rows: a partner has at most 50 endpoints and test presets, a day has at most 36
 * files, and an installation has few processes, versions of its terms, and people who are invited.
 */
const smallTables = [
  'ach_file',
  'api_key',
  'bank_account',
  'collection_pause',
  'go_live_mark',
  'operator_invite',
  'outbox_stream',
  'program_terms',
  'test_preset',
  'webhook_endpoints',
  'webhook_nodes',
  'webhook_secrets',
];
/** Columns that reference such a row, or a partner. Copies of a row reference the same one. */
const keptColumns = ['endpoint_id', 'node', 'owner', 'partner_id'];

const countRow = row('rows', { rows: bigint });

/**
 * Copies the rows of each table until it has about `count` of them, so that one partner has nearly all.
 * An id changes in the same way wherever it occurs, so a copy refers to copies as its original refers to
 * originals. An empty table stays empty, and a table whose key allows no copies keeps its rows.
 */
export async function multiplyRows(
  db: Database,
  tables: readonly string[],
  count: number,
): Promise<void> {
  for (const table of tables) {
    if (smallTables.includes(table)) continue;
    const { rows } = await db.one(countRow, sql`select count(*) as rows from ${raw(table)}`);
    const copies = rows === 0 ? 0 : Math.ceil(count / rows) - 1;
    const columns = (await rowsOf<Column>(db, columnsOf(table))).filter((it) => !it.generated);
    const keyHasId = columns.some((it) => it.key && (isId(it) || isInstant(it)));
    const values = columns.map((column) => copyOf(column, keyHasId));
    await db.transaction(
      async (tx) => {
        await tx.run(raw('set local session_replication_role = replica'));
        await tx.run(
          raw(`insert into ${table} (${columns.map(({ name }) => name).join(', ')})
            select ${values.join(', ')} from ${table} t, generate_series(1, ${copies}) n
            on conflict do nothing`),
        );
      },
      { timeoutMs: 600_000 },
    );
  }
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** True if it is part of a unique index. */
  readonly key: boolean;
  /** True if it refers to another table. */
  readonly relation: boolean;
  /** True if a constraint lists its values. */
  readonly listed: boolean;
  readonly generated: boolean;
}

function columnsOf(table: string) {
  return sql`
    select attname as name, format_type(atttypid, null) as type,
      exists (select from pg_index i where i.indrelid = a.attrelid and i.indisunique
        and a.attnum = any (i.indkey)) as key,
      exists (select from pg_constraint c where c.contype = 'f' and a.attnum = any (c.conkey)
        and c.conrelid = a.attrelid) as relation,
      exists (select from pg_constraint c where c.contype = 'c' and a.attnum = any (c.conkey)
        and c.conrelid = a.attrelid and pg_get_constraintdef(c.oid) like '%ARRAY[%') as listed,
      attidentity <> '' or attgenerated <> '' or atttypid = 'xid8'::regtype
        or coalesce(pg_get_expr(adbin, adrelid) ~ '^nextval', false) as generated
    from pg_attribute a left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    order by attnum`;
}

function isId({ name, type, key, relation, listed }: Column): boolean {
  if (keptColumns.includes(name) || listed) return false;
  if (type === 'bytea') return (key || relation) && name.endsWith('sha256');
  return type === 'text' && (key || relation || /(^|_)(id|key|ref|reference)$/.test(name));
}

function isInstant({ type }: Column): boolean {
  return type === 'timestamp with time zone';
}

/** Returns the SQL for the column's value in copy number n. */
function copyOf(column: Column, keyHasId: boolean): string {
  const { name, type, key } = column;
  if (isId(column)) {
    if (type === 'bytea') return `sha256(t.${name} || int4send(n))`;
    // Our ids keep their length, their time and their last characters, which differ within a millisecond.
    return `case when t.${name} ~ '^[a-z]+_[0-9a-z]{26}$'
      then overlay(t.${name} placing lpad(n::text, 6, '0') from strpos(t.${name}, '_') + 11)
      else t.${name} || '-' || n end`;
  }
  // Copies keep the order of the originals, and no two are at the same instant.
  if (isInstant(column)) return `t.${name} - n * interval '1 ms'`;
  if (key && !keyHasId && type === 'date') return `t.${name} - n`;
  if (key && !keyHasId && (type === 'bigint' || type === 'integer')) return `t.${name} + n * 1000`;
  return `t.${name}`;
}
