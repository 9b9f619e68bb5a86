import { openDatabase } from '@svc/db';
import {
  copyOnCluster,
  openTestDatabase,
  type TestDatabase,
  type TestTarget,
  testTarget,
} from '@svc/db/testing';
import { migrations } from '../../src/migrations.ts';
import { distribute, readDistribution, settingsOnServers } from '../../src/operator/distribute.ts';

/**
 * A new database of the service, of the kind under test: on a Citus cluster in the Vitest project `cluster`,
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

/** The URLs of its servers, which the global setup of the project has started. */
function clusterUnderTest(): string[] | undefined {
  if (process.env.SVC_TEST_CLUSTER !== 'on') return undefined;
  return process.env.SVC_TEST_CITUS_SERVERS?.split(',');
}
