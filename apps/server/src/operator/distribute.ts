import {
  boolean,
  type Database,
  integer,
  type MigrateOptions,
  nullable,
  type Queryable,
  type RowOf,
  raw,
  row,
  sql,
  text,
} from '@svc/db';
import { twoPhaseCommitTable } from '../cluster.ts';
import { coordinatorTables, referenceTables } from '../cluster-tables.ts';
import { ConfigError } from '../service-settings.ts';
import { findClusterProblems, readServers } from './check-cluster.ts';

/** Where a table's rows are: spread over the workers by partner, on every server, or on the coordinator. */
export type Place = 'distributed' | 'reference' | 'coordinator';

export interface Distribution {
  readonly citus: string;
  /** The servers that store distributed rows, as `host:port`. */
  readonly workers: readonly string[];
  readonly tables: readonly { readonly name: string; readonly is: Place; readonly wanted: Place }[];
  /** Foreign keys that Citus refuses between the wanted places, so `apply` drops them. */
  readonly lostKeys: readonly ForeignKey[];
  /** The reasons why tables cannot be moved now, as sentences. */
  readonly problems: readonly string[];
}

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly to: string;
  readonly definition: string;
}

const serverRow = row('server of the database', {
  citus: nullable(text),
  isWorker: boolean,
});
const catalogRow = row('Citus catalog', { found: boolean });
const workerRow = row('worker', { name: text, port: integer });
const tableRow = row('table', { name: text, hasPartner: boolean, method: nullable(text) });
const triggerRow = row('trigger', { table: text, name: text, definition: text });
type Trigger = RowOf<typeof triggerRow>;
const keyRow = row('foreign key', { table: text, name: text, to: text, definition: text });

/**
 * Reads where each table is and where it belongs.
 * @throws ConfigError if this is not the coordinator of a Citus cluster with workers
 */
export async function readDistribution(db: Database): Promise<Distribution> {
  const citus = await requireCitus(db);
  const workers = await db.many(
    workerRow,
    sql`
    select nodename as name, nodeport as port from pg_dist_node
    where isactive and shouldhaveshards and noderole = 'primary' order by groupid`,
  );
  if (workers.length === 0) {
    throw new ConfigError(
      "The cluster has no worker. On the coordinator, run select citus_set_coordinator_host('<its address>') and, for each worker, select citus_add_node('<address>', 5432).",
    );
  }
  return {
    citus,
    workers: workers.map((it) => `${it.name}:${it.port}`),
    ...(await readTables(db)),
    problems: findClusterProblems(await readServers(db)),
  };
}

/** Reads where each table is, where it belongs, and which foreign keys cannot be kept there. */
async function readTables(q: Queryable): Promise<Pick<Distribution, 'tables' | 'lostKeys'>> {
  const found = await q.many(
    tableRow,
    sql`
    select c.relname::text as name, p.partmethod::text as method, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'partner_id') as has_partner
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition order by c.relname`,
  );
  const tables = found.map(({ name, hasPartner, method }) => {
    return { name, is: placeOf(method), wanted: wantedPlace(name, hasPartner) };
  });
  const wanted = new Map(tables.map((table) => [table.name, table.wanted]));
  const keys = await readKeys(q);
  const lostKeys = keys.filter(({ table, to }) => !isKept(wanted.get(table), wanted.get(to)));
  return { tables, lostKeys };
}

/** The option of `migrate` that puts new tables in their place, if this database is a cluster. */
export function tablePlacementOptions({ cluster }: Pick<Database, 'cluster'>): PlacingTables {
  if (!cluster) return {};
  return {
    async placeTables(session) {
      await moveTables(session, await readTables(session), () => {});
    },
  };
}

type PlacingTables = Pick<MigrateOptions, 'placeTables'>;

async function requireCitus(db: Database): Promise<string> {
  const advice = 'See "A cluster" in the documentation (/docs/operate/cluster).';
  if (db.kind === 'embedded') {
    throw new ConfigError(
      `The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster. ${advice}`,
    );
  }
  const { found } = await db.one(
    catalogRow,
    sql`select to_regclass('pg_dist_local_group') is not null as found`,
  );
  const server = found
    ? await db.one(
        serverRow,
        sql`
        select (select extversion from pg_extension where extname = 'citus') as citus,
          (select groupid <> 0 from pg_dist_local_group) as is_worker`,
      )
    : { citus: null, isWorker: false };
  if (server.citus === null) {
    throw new ConfigError(
      `This database has no Citus, so its tables stay on one server. To distribute them, install Citus on every server and run create extension citus in this database on each. ${advice}`,
    );
  }
  if (server.isWorker) {
    throw new ConfigError(
      'This server is a worker of the cluster. Set DATABASE_URL to the coordinator.',
    );
  }
  return server.citus;
}

function placeOf(method: string | null): Place {
  if (method === 'h') return 'distributed';
  return method === 'n' ? 'reference' : 'coordinator';
}

function wantedPlace(name: string, hasPartner: boolean): Place {
  if (referenceTables.includes(name)) return 'reference';
  return hasPartner && !coordinatorTables.includes(name) ? 'distributed' : 'coordinator';
}

/**
 * Returns whether Citus keeps a foreign key. It does between colocated tables, and from a distributed table to a
 * reference table.
 */
function isKept(from: Place | undefined, to: Place | undefined): boolean {
  if (from === 'coordinator') return to === 'coordinator';
  return to === 'reference' || (from === 'distributed' && to === 'distributed');
}

function readKeys(q: Queryable): Promise<ForeignKey[]> {
  return q.many(
    keyRow,
    sql`
    select conrelid::regclass::text as table, conname::text as name, confrelid::regclass::text as to,
      pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
    order by 1, 2`,
  );
}

// The timeout of the transaction. Distributing 44 tables took 4 to 14 s while they were empty; each of their rows is
// copied once.
const longestMs = 24 * 3_600_000;

/**
 * Puts every table where it belongs, in one transaction, and calls `report` for each. Stop the service
 * first: the tables are locked until the end. Returns how many tables moved; 0 if all were in place.
 * @throws ConfigError with the problems of the servers, before anything changes
 */
export async function distribute(
  db: Database,
  { tables, lostKeys, problems }: Distribution,
  report: (line: string) => void,
): Promise<number> {
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  await setOnEveryServer(db);
  for (const statement of twoPhaseTable) await db.run(raw(statement));
  return db.transaction(
    async (tx) => {
      const moved = await moveTables(tx, { tables, lostKeys }, report);
      for (const statement of triggerFunctions) await tx.run(raw(statement));
      return moved;
    },
    { timeoutMs: longestMs },
  );
}

/** Moves the tables that are not where they belong, in the caller's transaction. Returns how many it moved. */
async function moveTables(
  tx: Queryable,
  { tables, lostKeys }: Pick<Distribution, 'tables' | 'lostKeys'>,
  report: (line: string) => void,
): Promise<number> {
  const moved = tables.filter(({ is, wanted }) => is !== wanted);
  if (moved.length === 0) return 0;
  const names = moved.map(({ name }) => name);
  // Each statement about a distributed table then uses one connection to each worker. Otherwise Citus
  // refuses to mix them with the reference tables in one transaction.
  await tx.run(raw("set local citus.multi_shard_modify_mode = 'sequential'"));
  await tx.run(raw('set local citus.enable_unsafe_triggers = on'));
  const keys = (await readKeys(tx)).filter(
    ({ table, to }) => names.includes(table) || names.includes(to),
  );
  // With its foreign keys, the first reference table would convert every table that they reach.
  for (const { table, name } of keys) {
    await tx.run(raw(`alter table ${table} drop constraint ${name}`));
  }
  // Distributing inserts the rows again, on the workers. A trigger would note each transfer a second time.
  const triggers = await readTriggers(tx, names);
  for (const { table, name } of triggers) {
    await tx.run(raw(`drop trigger ${name} on ${table}`));
  }
  if (names.includes('processor_call')) await addPartnerToUniqueIndexes(tx);
  for (const { name, wanted } of inMoveOrder(moved)) {
    await tx.run(placeTable(name, wanted));
    report(wanted === 'reference' ? `${name} is on every server` : `${name} is distributed`);
  }
  // Citus has copied the rows. The old ones would stay on the coordinator, unseen by statements that erase a tenant.
  for (const { name } of moved.filter(({ wanted }) => wanted !== 'coordinator')) {
    await tx.run(sql`select truncate_local_data_after_distributing_table(${name}::text::regclass)`);
  }
  const kept = keys.filter((key) => !lostKeys.some(({ name }) => name === key.name));
  for (const { table, name, definition } of kept) {
    await tx.run(raw(`alter table ${table} add constraint ${name} ${definition}`));
  }
  for (const { definition } of triggers) await tx.run(raw(definition));
  return moved.length;
}

function readTriggers(q: Queryable, tables: readonly string[]): Promise<Trigger[]> {
  return q.many(
    triggerRow,
    sql`
    select t.tgname::text as name, c.relname::text as table, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'public'::regnamespace
      and c.relname = any(${tables}::text[])
    order by c.relname, t.tgname`,
  );
}

/** Reference tables first, then the tenant, with which all others are colocated. */
function inMoveOrder(moved: Distribution['tables']): Distribution['tables'] {
  const rank = ({ name, wanted }: Distribution['tables'][number]) =>
    wanted === 'reference' ? 0 : name === 'tenant' ? 1 : 2;
  return moved.toSorted((a, b) => rank(a) - rank(b));
}

function placeTable(name: string, wanted: Place) {
  if (wanted === 'coordinator') return sql`select undistribute_table(${name}::text::regclass)`;
  if (wanted === 'reference') return sql`select create_reference_table(${name}::text::regclass)`;
  const colocateWith = name === 'tenant' ? 'none' : 'tenant';
  return sql`
    select create_distributed_table(${name}::text::regclass, 'partner_id', colocate_with => ${colocateWith})`;
}

/** A unique index of a distributed table must contain the partner. Lookups by the reference keep using it. */
async function addPartnerToUniqueIndexes(tx: Queryable): Promise<void> {
  await tx.run(raw('drop index processor_call_ref'));
  await tx.run(
    raw(`create unique index processor_call_ref
      on processor_call (processor, kind, ref, partner_id) where ref is not null`),
  );
  await tx.run(raw('alter table simulator_setup drop constraint simulator_setup_ref_key'));
  await tx.run(
    raw('create unique index simulator_setup_ref_key on simulator_setup (ref, partner_id)'),
  );
}

/** Settings of the database, which Citus passes on to every server. */
export const settingsOnServers: Readonly<Record<string, string>> = {
  // The ledger's triggers write on the worker that runs them, as statements within a statement.
  'citus.allow_nested_distributed_execution': 'on',
  // The service sets this on the coordinator only, and rows are locked on the workers.
  lock_timeout: '2s',
};

async function setOnEveryServer(db: Database): Promise<void> {
  for (const [name, value] of Object.entries(settingsOnServers)) {
    await db.run(
      raw(`do $$ begin
        execute format('alter database %I set ${name} = %L', current_database(), '${value}');
      end $$`),
    );
  }
}

/** Creates a table on the coordinator that Citus knows, unlike the other tables there (`commitInTwoPhases`). */
const twoPhaseTable = [
  'create schema if not exists svc_cluster',
  `create table if not exists ${twoPhaseCommitTable} (id int primary key)`,
  `select citus_add_local_table_to_metadata('${twoPhaseCommitTable}') where not exists (
    select from pg_dist_partition where logicalrelid = '${twoPhaseCommitTable}'::regclass)`,
  'grant usage on schema svc_cluster to public',
  `grant select, update on ${twoPhaseCommitTable} to public`,
];

/**
 * The ledger's triggers as loops. On a worker a trigger's transition table is not visible to a statement
 * that also names a distributed table ("could not find named tuplestore"). On one PostgreSQL the forms of
 * the migrations stay: one statement for all rows.
 */
const triggerFunctions = [
  `create or replace function ledger_note_added() returns trigger language plpgsql as $$
  declare
    t record;
  begin
    for t in select partner_id, source_id, kind, id from added loop
      insert into ledger_transfer_source (partner_id, source_id, kind, transfer_id)
        values (t.partner_id, t.source_id, t.kind, t.id);
      insert into ledger_unsealed (partner_id, transfer_id) values (t.partner_id, t.id);
    end loop;
    return null;
  end $$`,
  `create or replace function ledger_check_added() returns trigger language plpgsql as $$
  declare
    t record;
    total bigint;
  begin
    for t in select distinct partner_id, transfer_id from added loop
      select sum(amount_in_cents) into total from ledger_entry
        where partner_id = t.partner_id and transfer_id = t.transfer_id;
      if total <> 0 then
        raise exception 'transfer % does not balance', t.transfer_id;
      end if;
    end loop;
    return null;
  end $$`,
];
