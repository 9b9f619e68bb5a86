import { type Queryable, raw, row, type Sql, sql, text } from '@svc/db';

// A cluster is PostgreSQL with Citus, whose servers ("workers") each store the rows of some partners. See
// docs/operate/cluster.md and `operator/distribute.ts`.

const partnerRow = row('partner with work', { id: text });

interface Work {
  /** The alias of the table whose rows are claimed. */
  readonly of: string;
  /** The rows to claim: `from … where …`. */
  readonly due: Sql;
}

/**
 * A condition for a statement that claims rows (`for update skip locked`). On one PostgreSQL it is `true`. A
 * cluster locks rows of one partner at a time, so it names one of the partners that have such rows;
 * undefined if none has. A random one: if another process has locked all rows of a partner, the next batch
 * should not find the same partner again.
 */
export async function claimable(tx: Queryable, { of, due }: Work): Promise<Sql | undefined> {
  if (!tx.isDistributed) return sql`true`;
  const column = raw(`${of}.partner_id`);
  const partner = await tx.maybe(
    partnerRow,
    sql`
    /* all partners */
    select id from (select distinct ${column} as id ${due}) p order by random() limit 1`,
  );
  return partner && sql`${column} = ${partner.id}`;
}

/**
 * The end of a subquery whose rows PostgreSQL should look up by their key for each row outside. "offset 0" keeps
 * it from joining them in another order, which reads all rows of a partner in a table without statistics. A
 * cluster cannot run such a subquery, and joins it by the partner.
 */
export function byKey({ isDistributed }: Pick<Queryable, 'isDistributed'>): Sql {
  return raw(isDistributed ? '' : 'offset 0');
}

interface Newest {
  /** A table whose primary key is the partner and an id that contains the time. */
  readonly table: string;
  /** The rows to consider, as a condition on the table's columns. */
  readonly where: Sql;
  /** The most rows of one partner. */
  readonly limit: number;
}

/**
 * A subquery with the newest rows of each partner. One PostgreSQL looks them up in the primary key, and skips
 * partners that have none: statistics that know of one large partner only would have it read the whole table
 * for each of them. A cluster cannot limit the rows of each partner, and numbers them.
 */
export function newestOfEach(
  { isDistributed }: Pick<Queryable, 'isDistributed'>,
  { table, where, limit }: Newest,
): Sql {
  const rows = raw(table);
  if (isDistributed) {
    return sql`
      /* all partners */
      (select * from (
        select *, row_number() over (partition by partner_id order by id desc) as place
        from ${rows} where ${where}) numbered
      where place <= ${limit})`;
  }
  return sql`
    /* all partners */
    (select n.* from partner p cross join lateral (
      select * from ${rows} where partner_id = p.id and ${where}
      order by id desc limit ${limit}) n
    where (select id from ${rows} where partner_id = p.id and ${where}
      order by id desc limit 1) is not null)`;
}

/**
 * Conditions for a statement that locks all such rows, which then runs once for each: `true` on one
 * PostgreSQL, and on a cluster each partner that has such rows.
 */
export async function eachPartner(tx: Queryable, { of, due }: Work): Promise<Sql[]> {
  if (!tx.isDistributed) return [sql`true`];
  const column = raw(`${of}.partner_id`);
  const partners = await tx.many(
    partnerRow,
    sql`
    /* all partners */
    select distinct ${column} as id ${due}`,
  );
  return partners.map(({ id }) => sql`${column} = ${id}`);
}
