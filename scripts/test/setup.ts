import type { TestProject } from 'vitest/node';
// By path, because Vitest loads a global setup without the `source` condition, from an old build.
import { runFolder, startPostgres } from '../../packages/db/src/testing.ts';

const needPostgres = new Set(['postgres', 'svix']);

/**
 * Runs before the workers: creates one folder for temporary files and, for the projects `postgres` and
 * `svix`, one PostgreSQL server. Workers inherit both through the environment. Both end with this process.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  process.env.TMPDIR = await runFolder();
  if (!needPostgres.has(project.name) || process.env.TEST_DATABASE_URL !== undefined) {
    return undefined;
  }
  const server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url('postgres');
  return () => server.stop();
}
