import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { sqlState } from '../errors.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open.ts';
import type { MigrationSource } from '../read-migrations.ts';
import type { Database } from '../types.ts';
import { onceInRun, runFolder } from './run-folder.ts';
import { isKept } from './test-database.ts';

export interface ClusterDatabase {
  /** The URL of the database on the coordinator. */
  readonly url: string;
  drop(): Promise<void>;
}

interface ClusterOptions {
  /** The URLs of the databases `postgres` of the coordinator and of the workers. */
  readonly servers: readonly string[];
  readonly migrations: readonly MigrationSource[];
  /** Distributes the tables of the migrated database. */
  readonly distribute: (db: Database, url: string) => Promise<unknown>;
  /** The settings that `distribute` makes for the database on each server. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Creates a new migrated and distributed database on a Citus cluster. It is a copy of a template on each server,
 * because distributing takes seconds. The copies work because the catalog of Citus names servers and not databases.
 */
export async function copyOnCluster({
  servers,
  migrations,
  distribute,
  settings,
}: ClusterOptions): Promise<ClusterDatabase> {
  const [coordinator = '', ...workers] = servers;
  const run = createHash('sha256')
    .update(await runFolder())
    .digest('hex');
  const template = `svc_template_${run.slice(0, 8)}`;
  await onceInRun(template, async () => {
    const url = await createClusterDatabase(servers, template);
    const db = await openDatabase({ url });
    try {
      await migrate(db, migrations);
      await distribute(db, url);
    } finally {
      await db.close();
    }
    // A database with connections cannot be copied, and Citus keeps some.
    for (const server of servers) {
      await execute(server, `alter database ${template} allow_connections false`);
      await execute(
        server,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
      );
    }
  });
  const name = `svc_test_${randomBytes(6).toString('hex')}`;
  const copy = async (server: string) => {
    // A copy that is not logged takes a quarter of the CPU time, as in `testTarget`.
    await execute(server, `create database ${name} template ${template} strategy file_copy`);
    // A copy does not inherit the settings of its template.
    for (const [setting, value] of Object.entries(settings)) {
      await execute(server, `alter database ${name} set ${setting} = '${value}'`);
    }
  };
  // The workers are copied first, because the coordinator's maintenance process connects to them at once.
  await Promise.all(workers.map(copy));
  await copy(coordinator);
  const url = inDatabase(coordinator, name);
  return {
    url,
    async drop() {
      let isStaying = false;
      try {
        isStaying = await isKept(name, url);
      } finally {
        // It is also dropped after an error, because each remaining database keeps three processes of Citus busy.
        await Promise.all(isStaying ? [] : servers.map((server) => dropDatabase(server, name)));
      }
    },
  };
}

async function dropDatabase(server: string, name: string): Promise<void> {
  for (;;) {
    try {
      return await execute(server, `drop database if exists ${name} with (force)`);
    } catch (error) {
      // On a busy machine, the maintenance process of Citus may end after PostgreSQL has stopped waiting for it, or
      // connect again.
      if (sqlState(error) !== IN_USE) throw error;
    }
  }
}

const IN_USE = '55006';

/** Creates an empty database with Citus on each server, and makes all but the first workers. Returns its URL. */
export async function createClusterDatabase(
  servers: readonly string[],
  name: string,
): Promise<string> {
  const [coordinator = '', ...workers] = servers;
  await execute(coordinator, `create database ${name}`);
  return joinServers(coordinator, workers, name);
}

/** Makes a database of the first server the coordinator of a cluster. Returns its URL. */
export async function joinServers(
  coordinator: string,
  workers: readonly string[],
  name: string,
): Promise<string> {
  const url = inDatabase(coordinator, name);
  await execute(url, 'create extension citus');
  const { hostname, port } = new URL(coordinator);
  await execute(url, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers) await addWorker(url, worker);
  return url;
}

/** Adds a server to the cluster of this database, as docs/operate/cluster.md says. */
export async function addWorker(url: string, worker: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await execute(worker, `create database ${name}`);
  await execute(inDatabase(worker, name), 'create extension citus');
  const { hostname, port } = new URL(worker);
  await execute(url, `select citus_add_node('${hostname}', ${port})`);
}

function inDatabase(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function execute(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
