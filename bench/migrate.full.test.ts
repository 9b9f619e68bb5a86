import { startPostgres } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { measureMigrations } from './migrate.ts';

// A request that waits more than two seconds for a lock fails the measurement itself, so that a slow
// machine fails nothing.
test('no request waits for more than two seconds while migrations wait for a reader', async () => {
  const server = await startPostgres();
  const amounts = { messages: 20_000, attempts: 20_000, tenants: 6_000, readerMs: 5_000 };
  const rows = await measureMigrations(server.url('postgres'), amounts);
  await server.stop();
  const [limited = 0, , requests, plain = 0] = rows.map(({ value }) => value);
  expect(requests).toBeGreaterThan(50);
  // Without the limit a statement waits for the reader, which shows that the measurement works.
  expect(plain).toBeGreaterThan(3_000);
  expect(limited).toBeLessThan(plain);
});
