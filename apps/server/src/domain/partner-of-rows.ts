import { type Sql, sql } from '@svc/db';

/**
 * The partner of the rows that a statement reads from JSON: their only partner as a parameter, otherwise
 * `column`, the partner of each row. A statement that compares tables with the parameter runs on one
 * shard of a cluster, where batches have one partner each.
 */
export function partnerOfRows(rows: readonly { readonly partnerId: string }[], column: Sql): Sql {
  const [first] = rows;
  const isOne = first && rows.every(({ partnerId }) => partnerId === first.partnerId);
  return isOne ? sql`${first.partnerId}` : column;
}

/** The condition that two columns, the ids of a partner and of a row, name one of these rows. */
export function areRows(
  [partner, id]: [partner: Sql, id: Sql],
  rows: readonly { readonly partnerId: string; readonly id: string }[],
): Sql {
  const [first] = rows;
  // With arrays the planner expects 10 rows, and plans the statement again each time.
  if (first && rows.length === 1)
    return sql`(${partner}, ${id}) = (${first.partnerId}, ${first.id})`;
  const ids = rows.map((it) => it.id);
  // A cluster locks rows of one partner only, and finds them on one shard.
  if (first && rows.every(({ partnerId }) => partnerId === first.partnerId)) {
    return sql`(${partner} = ${first.partnerId} and ${id} = any(${ids}::text[]))`;
  }
  const partnerIds = rows.map((it) => it.partnerId);
  return sql`(${partner}, ${id}) in (select * from unnest(${partnerIds}::text[], ${ids}::text[]))`;
}
