import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from './index.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t.close());
test('opens', async () => {
  expect(await t.db.one(sql`select 1 as a`)).toEqual({ a: 1 });
});
