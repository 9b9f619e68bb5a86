import { type Queryable, raw, row, type Sql, sql, text } from '@svc/db';

// A cluster is PostgreSQL with Citus, whose servers ("workers") each store the rows of some partners. See
// docs/operate/cluster.md and `operator/distribute.ts`.

/** Small tables that every server of a cluster stores as a whole, because rows of all partners join them. */
export const referenceTables: readonly string[] = ['partner', 'money_switch', 'program_terms'];

/**
 * Tables that stay on the cluster's first server, the coordinator. All other tables with a `partner_id` are
 * distributed, those of later migrations included.
 */
export const onCoordinator: readonly string[] = [
  // Found by their secret, before the partner is known.
  'api_key',
  'experience_session',
  'portal_link',
  'portal_session',
  'tenant_token',
  // Stored before the partner is known.
  'processor_inbox',
  // Written together with the engine's messages, which `/events` orders by transaction ids of one server.
  'outbox_item',
  'outbox_stream',
  // Compared with statements of banks, which are about all partners.
  'book_item',
  'book_cut',
  // Numbered across partners, for the files that a bank takes. Not tried on a cluster yet.
  'ach_entry',
  // A few rows for each change by an operator or a key. Its trigger lets only one function delete, by a
  // setting of the session that workers do not see.
  'audit_entry',
  'audit_seal',
  'audit_unsealed',
];

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
