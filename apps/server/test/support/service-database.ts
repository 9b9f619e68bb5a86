import { type DatabaseTarget, openDatabase } from '@svc/db';
import {
  copyOnCluster,
  openTestDatabase,
  type TestDatabase,
  type TestTarget,
  testKind,
  testTarget,
} from '@svc/db/testing';
import { migrations } from '../../src/migrations.ts';
import { distribute, readDistribution, settingsOnServers } from '../../src/operator/distribute.ts';

/**
 * Creates a new database of the service, of the kind under test: on a Citus cluster in the Vitest project `cluster`,
 * otherwise on one PostgreSQL or embedded (`testTarget`).
 */
export async function serviceTarget(): Promise<TestTarget> {
  const servers = clusterUnderTest();
  if (!servers) return testTarget(migrations);
  const { url, drop } = await copyOnCluster({
    servers,
    migrations,
    distribute: async (db) => distribute(db, await readDistribution(db), () => {}),
    settings: settingsOnServers,
  });
  return { target: { url }, kind: 'postgres', drop };
}

/** Creates a new database of the service on a server and returns its URL, for tests of whole processes. */
export async function serviceUrl(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const { target, drop } = await serviceTarget();
  if (!('url' in target)) throw new Error('The embedded database has no URL.');
  return { url: target.url, drop };
}

/** Opens a new database of the service. */
export async function openServiceDatabase(): Promise<TestDatabase> {
  if (!clusterUnderTest()) return openTestDatabase(migrations);
  const { target, kind, drop } = await serviceTarget();
  const db = await openDatabase(target, { refuseNesting: true, checkValues: true });
  return {
    db,
    kind,
    target,
    async close() {
      await db.close();
      await drop();
    },
  };
}

/** True on a single PostgreSQL, for tests that inspect it: what a statement reads, or which constraints there are. */
export const isOneServer = testKind() === 'postgres' && !clusterUnderTest();

/** Returns the targets of the database on every server of the cluster. Outside of a cluster there is one. */
export function serversOf(target: DatabaseTarget): DatabaseTarget[] {
  const servers = clusterUnderTest();
  if (!servers || !('url' in target)) return [target];
  const { pathname } = new URL(target.url);
  return servers.map((server) => ({ url: new URL(pathname, server).href }));
}

/** The URLs of the servers that the project's global setup has started; undefined outside of a cluster. */
function clusterUnderTest(): string[] | undefined {
  if (process.env.SVC_TEST_CLUSTER !== 'on') return undefined;
  return process.env.SVC_TEST_CITUS_SERVERS?.split(',');
}
