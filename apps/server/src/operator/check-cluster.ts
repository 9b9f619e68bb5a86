import { boolean, type Database, row, sql, text } from '@svc/db';
import { z } from 'zod';

/** The settings of one server of a Citus cluster, the coordinator among them. */
export interface ServerFacts {
  /** `host:port`. */
  readonly name: string;
  /** Undefined if the server does not answer. */
  readonly facts: z.infer<typeof serverFacts> | undefined;
}

const serverFacts = z.object({
  postgres: z.string(),
  citus: z.string().nullable(),
  wal_level: z.string(),
  connections: z.number(),
  prepared: z.number(),
  is_superuser: z.boolean(),
});

const answerRow = row('answer of a server', { name: text, success: boolean, result: text });

/** Reads from each server what distributing the tables needs. */
export async function readServers(db: Database): Promise<ServerFacts[]> {
  const answers = await db.many(
    answerRow,
    sql`
    select n.nodename || ':' || n.nodeport as name, a.success, a.result
    from run_command_on_all_nodes($command$
      select json_build_object(
        'postgres', split_part(current_setting('server_version'), ' ', 1),
        'citus', (select extversion from pg_extension where extname = 'citus'),
        'wal_level', current_setting('wal_level'),
        'connections', current_setting('max_connections')::int,
        'prepared', current_setting('max_prepared_transactions')::int,
        'is_superuser', (select rolsuper from pg_roles where rolname = current_user))
      $command$) a
      join pg_dist_node n on n.nodeid = a.nodeid
    order by n.groupid`,
  );
  return answers.map(({ name, success, result }) => ({
    name,
    facts: success ? serverFacts.parse(JSON.parse(result)) : undefined,
  }));
}

/** The reasons why the tables cannot be distributed over these servers, as sentences. */
export function findClusterProblems(servers: readonly ServerFacts[]): string[] {
  const problems = servers.flatMap(({ name, facts }) => {
    if (!facts) return [`${name} does not answer. Start it, or remove it with citus_remove_node.`];
    return [
      ...(facts.citus === null ? [`${name} has no Citus. Run create extension citus there.`] : []),
      ...(facts.wal_level === 'logical'
        ? []
        : [
            `${name} has wal_level = ${facts.wal_level}. Set it to logical to move partners later.`,
          ]),
      ...(facts.prepared >= facts.connections
        ? []
        : [
            `${name} has max_prepared_transactions = ${facts.prepared}. Set it to at least max_connections, ${facts.connections}.`,
          ]),
      ...(facts.is_superuser
        ? []
        : [
            `${name} lets this role be no superuser. Citus distributes tables with triggers for one only.`,
          ]),
    ];
  });
  return [...problems, ...differing(servers, 'citus'), ...differing(servers, 'postgres')];
}

function differing(servers: readonly ServerFacts[], field: 'citus' | 'postgres'): string[] {
  const found = servers.flatMap(({ name, facts }) => {
    const version = facts?.[field];
    return version === undefined || version === null ? [] : [{ name, version }];
  });
  if (new Set(found.map(({ version }) => version)).size < 2) return [];
  const program = field === 'citus' ? 'Citus' : 'PostgreSQL';
  const list = found.map(({ name, version }) => `${version} on ${name}`).join(', ');
  return [`The servers have different versions of ${program}: ${list}. Install the same one.`];
}
