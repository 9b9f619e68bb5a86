import { type Sql, sql } from '@svc/db';
import { firstId } from '../kernel/ids.ts';

/** Message ids, the first included and the last not. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

export interface IndexRange {
  /** Named `d`. */
  readonly table: Sql;
  /** The predicate of the index. */
  readonly where: Sql;
  /** Its columns before the id, and the values that they have. */
  readonly key: readonly (readonly [column: Sql, value: Sql])[];
  /** The column with the message's id. */
  readonly id: Sql;
  readonly ids: IdRange;
}

/**
 * Rows `id`, each once: the newest messages in a range of one index, read in its order and no further
 * than `most`.
 *
 * The comparison and the order name all columns of the index, although the first ones have one value
 * only. With "=" the planner may take any index that ends in the id and filter, or read everything
 * with a bitmap and sort: it knows how many rows an average endpoint or type has, so it reads all
 * messages to find those of a rare one. No other index has this order.
 */
export function newestIn(range: IndexRange, most: number): Sql {
  return select(range, most, sql` desc`);
}

/** As `newestIn`, from the oldest on. */
export function oldestIn(range: IndexRange, most: number): Sql {
  return select(range, most, sql``);
}

function select(range: IndexRange, most: number, direction: Sql): Sql {
  const columns = [...range.key.map(([column]) => column), range.id];
  const order = columns.map((column) => sql`${column}${direction}`);
  return sql`
    select distinct on (${list(columns)}) ${range.id} as id from ${range.table} d
    where ${within(range)} order by ${list(order)} limit ${most}`;
}

/** The condition of `newestIn`, for other selections in the same order. */
export function within({ where, key, id, ids }: IndexRange): Sql {
  const columns = list([...key.map(([column]) => column), id]);
  const values = list(key.map(([, value]) => value));
  return sql`${where}
    and (${columns}) >= (${values}, ${ids.from}) and (${columns}) < (${values}, ${ids.to})`;
}

function list(parts: readonly Sql[]): Sql {
  return parts.reduce((before, part) => sql`${before}, ${part}`);
}

/** Ids of messages created in a time and older than `before`; what is left out is open. */
export function idRange(time: { since?: Date; until?: Date }, before: string | null): IdRange {
  const ends = [before, time.until && firstId('evt', later(time.until))].filter(
    (end) => end !== null && end !== undefined,
  );
  return {
    from: time.since ? firstId('evt', earlier(time.since)) : 'evt_',
    // Sorts after every id.
    to: ends.sort()[0] ?? 'evt~',
  };
}

// An id is made in the transaction that publishes it, so its time is within seconds of created_at.
// The messages of this margin are read and left out, so a wide one costs pages.
const marginMs = 60_000;

function earlier(time: Date): Date {
  return new Date(time.getTime() - marginMs);
}

function later(time: Date): Date {
  return new Date(time.getTime() + marginMs);
}
