import { nullable, type Queryable, type RowOf, row, sql, text } from '@svc/db';

/** The partitioned tables, with the column that holds the message's id. */
export const partitionedTables = [
  { name: 'webhook_messages', key: 'id' },
  { name: 'webhook_attempts', key: 'message_id' },
] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** Holds the rows for which there is no partition. Usually it is empty. */
export function defaultOf({ name }: PartitionedTable): string {
  return `${name}_default`;
}

const partitionRow = row('partition', {
  name: text,
  /** The smallest message id that it may hold; null for the first partition. */
  from: nullable(text),
  /** The smallest id that it may not hold. */
  to: text,
});
type Partition = RowOf<typeof partitionRow>;

/** The partitions of a table from oldest to newest, without the default one. Each begins where the last one ends. */
export function listPartitions(q: Queryable, { name }: PartitionedTable): Promise<Partition[]> {
  return q.many(
    partitionRow,
    sql`
    select c.relname::text as name, substring(bound from 'FROM \\(''(evt_[0-9a-z]{26})') as from,
      substring(bound from 'TO \\(''(evt_[0-9a-z]{26})') as to
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    cross join lateral pg_get_expr(c.relpartbound, c.oid) bound
    where i.inhparent = ${name}::text::regclass and bound <> 'DEFAULT'
    order by 3`,
  );
}
