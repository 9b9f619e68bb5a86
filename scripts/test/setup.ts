import type { TestProject } from 'vitest/node';
// By path: Vitest loads a global setup without the `source` condition, from an old build.
import { runFolder, startPostgres } from '../../packages/db/src/testing.ts';

/**
 * Before the workers: one folder for everything temporary and, for the project that wants it, one
 * PostgreSQL. Workers inherit both by environment; all of it goes when this process does.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  process.env.TMPDIR = await runFolder();
  if (project.name !== 'postgres' || process.env.TEST_DATABASE_URL !== undefined) return undefined;
  const server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url('postgres');
  return () => server.stop();
}
