import { type Queryable, raw, row, type Sql, sql, sqlState, type Tx, text } from '@svc/db';
import { Refusal } from './domain/refusal.ts';

// A cluster is PostgreSQL with Citus, whose servers ("workers") each store the rows of some partners. See
// docs/operate/cluster.md and `operator/distribute.ts`.

const partnerRow = row('partner with work', { id: text });

interface Work {
  /** The alias of the table whose rows are claimed. */
  readonly of: string;
  /** The aliases of the distributed tables that `due` joins with it. */
  readonly joined?: readonly string[];
  /** The rows to claim: `from … where …`. */
  readonly due: Sql;
}

/** A condition on the rows of the table with this alias. */
export type Condition = (alias: string) => Sql;

export function isOfPartner(partnerId: string): Condition {
  return (alias) => sql`${raw(alias)}.partner_id = ${partnerId}`;
}

/**
 * Returns a condition for a statement that claims rows (`for update skip locked`). On one PostgreSQL it is `true`. A
 * cluster locks rows of one partner at a time, so there it names one of the partners that have such rows, and is
 * undefined if none has. The partner is chosen at random: if another process has locked all rows of a partner, the
 * next batch should not find the same partner again. Apply the condition to the claimed table, and to each table of
 * a subquery.
 */
export async function findClaimCondition(
  tx: Queryable,
  { of, joined = [], due }: Work,
): Promise<Condition | undefined> {
  if (!tx.cluster) return () => sql`true`;
  const areReachable = [of, ...joined]
    .map((alias) => isReachable(tx, alias))
    .reduce((all, each) => sql`${all} and ${each}`);
  const partner = await tx.maybe(
    partnerRow,
    sql`
    /* all partners */
    select id from (select distinct ${raw(of)}.partner_id as id ${due} and ${areReachable}) p
    order by random() limit 1`,
  );
  return partner && isOfPartner(partner.id);
}

/**
 * Returns a condition for a statement about all partners. While a server of the cluster does not answer, it matches
 * only the rows of partners on the other servers. A statement with an `exists` needs it for each of its tables, or
 * Citus sends it to all servers.
 * @param of The alias of the table.
 */
export function isReachable({ cluster }: Pick<Queryable, 'cluster'>, of: string): Sql {
  if (!cluster?.outage) return sql`true`;
  return sql`${raw(of)}.partner_id = any(${cluster.outage.reachable})`;
}

/**
 * Refuses a call at once if it needs rows of a partner whose server does not answer. If the server hangs, each such
 * call would keep a connection until its time limit, and calls of other partners would find none.
 * @throws Refusal `unavailable`
 */
export function requireReachable({ cluster }: Pick<Queryable, 'cluster'>, partnerId: string): void {
  if (cluster?.outage && !cluster.outage.reachable.includes(partnerId)) {
    throw new Refusal('unavailable');
  }
}

const statementTimeout = '57014';

/** Returns true for a statement timeout while a server of the cluster is down: the statement was waiting for it. */
export function isHanging({ cluster }: Pick<Queryable, 'cluster'>, error: unknown): boolean {
  return cluster?.outage !== undefined && sqlState(error) === statementTimeout;
}

/**
 * The name of an empty table on the coordinator. Citus counts each statement on it as a write there
 * (operator/distribute.ts).
 */
export const twoPhaseCommitTable = 'svc_cluster.two_phases';

/**
 * Makes the transaction commit on all of its servers or on none. Citus commits in two phases only if it knows of
 * writes on two servers, and it does not know of writes to the tables that only the coordinator has. Without this,
 * it committed on the worker first: if the coordinator or its response was lost after that, the rows were stored,
 * but their events, tokens and audit entries were lost.
 */
export function commitInTwoPhases(tx: Tx): void {
  if (tx.cluster) tx.send(sql`update ${raw(twoPhaseCommitTable)} set id = id where id = 0`);
}

/**
 * Drops the rows of partners whose server does not answer. Like `isReachable`, for rows that are about to be
 * written.
 */
export function reachableAmong<T extends { readonly partner_id: string }>(
  { cluster }: Pick<Queryable, 'cluster'>,
  rows: readonly T[],
): readonly T[] {
  if (!cluster?.outage) return rows;
  const reachable = new Set(cluster.outage.reachable);
  return rows.filter((it) => reachable.has(it.partner_id));
}

/**
 * Returns the end of a subquery whose rows PostgreSQL should look up by their key for each outer row. `offset 0`
 * keeps it from joining them in another order, which reads all rows of a partner in a table without statistics. A
 * cluster cannot run such a subquery, so there the end is empty and the subquery is joined by the partner.
 */
export function byKey({ cluster }: Pick<Queryable, 'cluster'>): Sql {
  return raw(cluster ? '' : 'offset 0');
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
 * Returns a subquery with the newest rows of each partner. One PostgreSQL looks them up in the primary key, and
 * skips partners that have none: statistics that only know one large partner would make it read the whole table for
 * each of those. A cluster cannot limit the rows per partner, so it numbers them.
 */
export function newestOfEach(
  { cluster }: Pick<Queryable, 'cluster'>,
  { table, where, limit }: Newest,
): Sql {
  const rows = raw(table);
  if (cluster) {
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
 * Returns the conditions for a statement that locks all such rows. The caller runs the statement once for each
 * condition. On one PostgreSQL the only condition is `true`; on a cluster there is one for each partner that has
 * such rows.
 */
export async function eachPartner(tx: Queryable, { of, due }: Work): Promise<Sql[]> {
  if (!tx.cluster) return [sql`true`];
  const column = raw(`${of}.partner_id`);
  const partners = await tx.many(
    partnerRow,
    sql`
    /* all partners */
    select distinct ${column} as id ${due}`,
  );
  return partners.map(({ id }) => sql`${column} = ${id}`);
}
