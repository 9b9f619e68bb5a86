import type { Queryable } from '@svc/db';
import { expect, test } from 'vitest';
import { findKey } from './find-key.ts';
import { newApiKey } from './secrets.ts';

test.each([
  [59, 0],
  [61, 1],
])('a use %i s after the last recorded one is written %i times', async (seconds, expected) => {
  const last_used_at = new Date('2026-02-01T12:00:00Z');
  let writes = 0;
  const q = {
    maybe: async () => ({ id: 'key_1', partner_id: 'ptn_1', pms: 'oak', last_used_at }),
    run: async () => {
      writes += 1;
    },
  } as unknown as Queryable;
  const now = new Date(last_used_at.getTime() + seconds * 1000);
  await findKey(q, newApiKey('sandbox'), 'sandbox', now);
  expect(writes).toBe(expected);
});
