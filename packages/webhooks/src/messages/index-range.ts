import { type Sql, sql } from '@svc/db';
import { firstId } from '../kernel/ids.ts';

/** A range of message ids, from the first inclusive to the last exclusive. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

export interface IndexRange {
  /** The table, which is aliased as `d`. */
  readonly table: Sql;
  /** The predicate of the index. */
  readonly where: Sql;
  /** The columns of the index before the id, with their values. */
  readonly key: readonly (readonly [column: Sql, value: Sql])[];
  /** The column with the message's id. */
  readonly id: Sql;
  readonly ids: IdRange;
}

/**
 * Selects the distinct `id`s of the newest messages in a range of one index. Reads the index in its
 * order, and at most `most` rows.
 *
 * The comparison and the order name all columns of the index, although the first ones have a single
 * value. With "=" the planner could choose another index that ends in the id and filter, or read
 * everything with a bitmap and sort. It estimates by the average endpoint or type, so it would read all
 * messages to find those of a rare one. Only the intended index has this order.
 */
export function newestIn(range: IndexRange, most: number): Sql {
  return select(range, most, sql` desc`);
}

/** Selects the distinct `id`s of the oldest messages in a range of one index; see `newestIn`. */
export function oldestIn(range: IndexRange, most: number): Sql {
  return select(range, most, sql``);
}

function select(range: IndexRange, most: number, direction: Sql): Sql {
  const columns = [...range.key.map(([column]) => column), range.id];
  const order = columns.map((column) => sql`${column}${direction}`);
  return sql`
    select distinct on (${list(columns)}) ${range.id} as id from ${range.table} d
    where ${indexRangeCondition(range)} order by ${list(order)} limit ${most}`;
}

/**
 * The condition of an index range, for selections that are ordered like `newestIn`.
 *
 * The range is written with "<=" and `to` is excluded separately. The planner estimates a comparison of
 * rows by the first column, and no owner is both ">=" and "<" itself: with "<" it expects one row, and
 * sorts all rows of the partitions instead of merging their indexes. For a key of the owner alone, the
 * separate comparison also lets the executor skip the partitions of later months. With longer keys, the
 * planner would take "<" as a reason to read the primary key instead of the intended index.
 */
export function indexRangeCondition({ where, key, id, ids }: IndexRange): Sql {
  const columns = list([...key.map(([column]) => column), id]);
  const values = list(key.map(([, value]) => value));
  const excludesEnd = key.length === 1 ? sql`${id} < ${ids.to}` : sql`${id} <> ${ids.to}`;
  return sql`${where} and ${excludesEnd}
    and (${columns}) >= (${values}, ${ids.from}) and (${columns}) <= (${values}, ${ids.to})`;
}

function list(parts: readonly Sql[]): Sql {
  return parts.reduce((before, part) => sql`${before}, ${part}`);
}

/** The ids of messages created in this time and before the id `before`. Missing limits are open. */
export function idRange(time: { since?: Date; until?: Date }, before: string | null): IdRange {
  const ends = [before, time.until && firstId('evt', laterByMargin(time.until))].filter(
    (end) => end !== null && end !== undefined,
  );
  return {
    from: time.since ? firstId('evt', earlierByMargin(time.since)) : 'evt_',
    // Sorts after every id.
    to: ends.sort()[0] ?? 'evt~',
  };
}

// An id is made in the transaction that publishes it, so its time is within seconds of created_at. The
// messages in this margin are read and then filtered out, so a wide margin would make pages shorter.
const marginMs = 60_000;

function earlierByMargin(time: Date): Date {
  return new Date(time.getTime() - marginMs);
}

function laterByMargin(time: Date): Date {
  return new Date(time.getTime() + marginMs);
}
