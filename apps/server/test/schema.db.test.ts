import { readFile } from 'node:fs/promises';
import { describeSchema, openTestDatabase } from '@svc/db/testing';
import { expect, test } from 'vitest';

const SOURCES = [
  { name: 'webhooks', folder: new URL('../../../packages/webhooks/migrations', import.meta.url) },
  { name: 'server', folder: new URL('../migrations', import.meta.url) },
];

test('schema.sql matches the migrations (run npm run schema after a change)', async () => {
  const { db, close } = await openTestDatabase(SOURCES);
  const written = await readFile(new URL('../schema.sql', import.meta.url), 'utf8');
  expect(await describeSchema(db)).toBe(written);
  await close();
});
