import { boolean, type Database, integer, raw, row, sql, type Tx, text } from '@svc/db';
import { systemClock } from '@svc/runtime';
import { type AuditEntry, installation } from '../domain/audit/record.ts';
import { newId } from '../ids.ts';
import { ConfigError } from '../service-settings.ts';
import { type Operator, recordByOperator } from './record-by-operator.ts';

/** The service may add rows to these tables and read them, and nothing else. */
const insertOnly = ['audit_entry', 'audit_seal'];

const roleRow = row('database role', {
  /** The role that owns the tables. */
  owner: text,
  mayGrant: boolean,
  isSuperuser: boolean,
  isOwner: boolean,
  database: text,
  serverVersion: integer,
});

/**
 * Gives a role what the service needs, without ownership of the tables: it cannot change or delete
 * entries of the audit log, alter a table, or disable a trigger. Can be repeated, and is repeated after
 * each `migrate apply`, because a migration may add tables to `insertOnly`.
 * @throws ConfigError when the role cannot be limited
 */
export async function grantToService(
  db: Database,
  { role, by }: { readonly role: string; readonly by: Operator },
): Promise<void> {
  if (db.kind === 'embedded') {
    throw new ConfigError(
      'The embedded database has one role, which owns everything. Set DATABASE_URL to use a PostgreSQL server.',
    );
  }
  await db.transaction(async (tx) => {
    const found = await tx.maybe(
      roleRow,
      sql`
      select o.rolname::text as owner, pg_has_role(o.oid, 'usage') as may_grant, r.rolsuper as is_superuser,
        pg_has_role(r.oid, t.relowner, 'member') as is_owner,
        current_database()::text as database, current_setting('server_version_num')::integer as server_version
      from pg_roles r, pg_class t join pg_roles o on o.oid = t.relowner
      where r.rolname = ${role} and t.oid = 'audit_entry'::regclass`,
    );
    if (!found) {
      throw new ConfigError(
        `There is no role ${role}. Create it first: create role ${role} login password '…'.`,
      );
    }
    if (found.isSuperuser || found.isOwner) {
      throw new ConfigError(
        `The role ${role} ${found.isSuperuser ? 'is a superuser' : 'owns the tables'}, so nothing can be taken from it. Create another role for the service.`,
      );
    }
    // Without this check, PostgreSQL would only warn, and grant nothing.
    if (!found.mayGrant) {
      throw new ConfigError(
        `Run this command as the role ${found.owner}, which owns the tables: put it into DATABASE_URL.`,
      );
    }
    for (const statement of statementsFor(role, found)) await tx.run(raw(statement));
    await recordOnSchema(tx, by, { action: 'schema.granted', details: { role } });
  });
}

function statementsFor(
  role: string,
  { owner, database, serverVersion }: { owner: string; database: string; serverVersion: number },
): string[] {
  const writes = 'select, insert, update, delete';
  // The service vacuums and analyzes its busiest tables. Before version 17 only owners can, so there autovacuum does
  // it.
  const maintain = serverVersion >= 170_000 ? ', maintain' : '';
  return [
    `grant connect on database ${quoted(database)} to ${role}`,
    `grant usage on schema public to ${role}`,
    `grant ${writes}${maintain} on all tables in schema public to ${role}`,
    `grant usage, select on all sequences in schema public to ${role}`,
    `grant execute on function audit_delete_expired to ${role}`,
    // Tables and sequences of later migrations, and partitions: a partition inherits no grants, and the
    // service analyzes and deletes from some of them directly.
    `alter default privileges for role ${quoted(owner)} in schema public grant ${writes}${maintain} on tables to ${role}`,
    `alter default privileges for role ${quoted(owner)} in schema public grant usage, select on sequences to ${role}`,
    ...insertOnly.map((table) => `revoke all on ${table} from ${role}`),
    ...insertOnly.map((table) => `grant select, insert on ${table} to ${role}`),
  ];
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

// A type alias, because an interface is not assignable to the details of an audit entry.
type Migrated = {
  readonly migrations: string[];
  readonly version: string;
};

/** Records which migrations were applied. Each was committed before this entry. */
export async function recordMigrations(
  db: Database,
  by: Operator,
  details: Migrated,
): Promise<void> {
  await db.transaction((tx) => recordAdoption(tx, by, details));
}

/** Records in the same transaction which migrations replaced those of an unreleased build. */
export function recordAdoption(tx: Tx, by: Operator, details: Migrated): Promise<void> {
  return recordOnSchema(tx, by, { action: 'schema.migrated', details });
}

/** Records which partitions were created and dropped. Each change was committed before this entry. */
export async function recordPartitions(
  db: Database,
  by: Operator,
  details: { readonly created: string[]; readonly dropped: string[] },
): Promise<void> {
  await db.transaction((tx) => recordOnSchema(tx, by, { action: 'schema.partitioned', details }));
}

/** Records which tables were moved within the cluster. The move was committed before this entry. */
export async function recordDistribution(
  db: Database,
  by: Operator,
  details: { readonly tables: string[] },
): Promise<void> {
  await db.transaction((tx) => recordOnSchema(tx, by, { action: 'schema.distributed', details }));
}

/** Records that the tables of some partners were moved to another server. The move was committed before this entry. */
export async function recordRebalance(
  db: Database,
  by: Operator,
  details: { readonly group: number; readonly from: string; readonly to: string },
): Promise<void> {
  await db.transaction((tx) => recordOnSchema(tx, by, { action: 'schema.rebalanced', details }));
}

/**
 * Records the audit entry of a command that works on the schema. It uses the system clock, because such a command
 * runs without the service, and so without a clock of the database.
 */
function recordOnSchema(tx: Tx, by: Operator, entry: AuditEntry): Promise<void> {
  const now = systemClock.now();
  const ctx = { tx, now, requestId: newId('req', now), address: null };
  return recordByOperator(ctx, { ...by, partnerId: installation }, entry);
}
