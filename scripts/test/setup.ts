import type { TestProject } from 'vitest/node';
// By path, because Vitest loads a global setup without the `source` condition, from an old build.
import { findCitus, runFolder, startCitus, startPostgres } from '../../packages/db/src/testing.ts';

const needPostgres = new Set(['postgres', 'reads', 'svix']);

/**
 * Runs before the workers: creates one folder for temporary files and starts one PostgreSQL server for the
 * projects `postgres`, `reads` and `svix`, or a Citus cluster for the project `cluster`. Workers get them
 * through the environment. All end with this process.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  process.env.TMPDIR = await runFolder();
  if (project.name === 'cluster') return startCluster();
  if (!needPostgres.has(project.name) || process.env.TEST_DATABASE_URL !== undefined) {
    return undefined;
  }
  const server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url('postgres');
  return () => server.stop();
}

async function startCluster(): Promise<(() => Promise<void>) | undefined> {
  const bin = findCitus();
  if (bin === undefined || process.env.SVC_TEST_CITUS_SERVERS !== undefined) return undefined;
  const cluster = await startCitus(bin);
  process.env.SVC_TEST_CITUS_SERVERS = cluster.urls.join(',');
  return () => cluster.stop();
}
