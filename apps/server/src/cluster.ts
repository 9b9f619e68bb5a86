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
