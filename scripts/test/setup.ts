import type { TestProject } from 'vitest/node';
// By path: Vitest loads a global setup without the `source` condition, from an old build.
import { runFolder, startPostgres } from '../../packages/db/src/testing.ts';

/**
 * Before the workers: one folder for the run and, for the project that wants it, one PostgreSQL.
 * Workers inherit both by environment; all of it dies with this process.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await runFolder();
  if (project.name !== 'postgres' || process.env.TEST_DATABASE_URL !== undefined) return undefined;
  const server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url('postgres');
  return () => server.stop();
}
