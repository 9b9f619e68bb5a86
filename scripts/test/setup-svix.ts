import type { TestProject } from 'vitest/node';
import { findSvixServer, startSvixServer } from '../../apps/server/test/support/svix-server.ts';
// By path, for the same reason as in setup.ts.
import { openDatabase } from '../../packages/db/src/open.ts';
import { raw } from '../../packages/db/src/sql.ts';
import { startPostgres } from '../../packages/db/src/testing.ts';

/** Starts a Svix server for all tests of the project. The tests' services hand their webhooks to it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binary = findSvixServer();
  if (binary === undefined) throw new Error('Set SVIX_SERVER_BIN to the program svix-server.');
  const postgres = await startPostgres();
  const admin = await openDatabase({ url: postgres.url('postgres') }, { pool: 1 });
  await admin.run(raw('create database svix'));
  await admin.close();
  const server = await startSvixServer({ binary, databaseUrl: postgres.url('svix') });
  project.provide('svix', { serverUrl: server.url, token: server.token });
  return async () => {
    await server.kill();
    await postgres.stop();
  };
}
