import type { Queryable } from '@svc/db';
import { expect, test } from 'vitest';
import { createKnownKeys, keyKnownForMs } from './known-keys.ts';
import { newApiKey } from './secrets.ts';

const secret = newApiKey('sandbox');
const start = new Date('2026-02-01T12:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);

/** A table with one key in it, and how often it was read. */
function oneKey() {
  const table = { reads: 0, live: true, answered: Promise.resolve() };
  const q = {
    async maybe() {
      table.reads += 1;
      const key = { id: 'key_1', partner_id: 'ptn_1', pms: 'oak', last_used_at: start };
      const row = table.live ? key : undefined;
      await table.answered;
      return row;
    },
  } as unknown as Queryable;
  const keys = createKnownKeys();
  return { table, keys, find: (now: Date) => keys.find(q, secret, 'sandbox', now) };
}

test('a live key is read once a second', async () => {
  const { table, find } = oneKey();
  expect(await find(start)).toMatchObject({ partnerId: 'ptn_1' });
  await find(later(keyKnownForMs - 1));
  expect(table.reads).toBe(1);
  await find(later(keyKnownForMs));
  expect(table.reads).toBe(2);
});

test('a revoked key stops working at once in this process, and within a second in others', async () => {
  const { table, keys, find } = oneKey();
  await find(start);
  table.live = false;
  await expect(find(later(keyKnownForMs))).rejects.toThrow('invalid_credentials');
  table.live = true;
  await find(later(keyKnownForMs));
  table.live = false;
  keys.clear();
  await expect(find(later(keyKnownForMs + 1))).rejects.toThrow('invalid_credentials');
});

test('a key that was read before a revocation is not cached after it', async () => {
  const { table, keys, find } = oneKey();
  let answer = () => {};
  table.answered = new Promise((resolve) => {
    answer = resolve;
  });
  const reading = find(start);
  table.live = false;
  keys.clear();
  answer();
  await reading;
  await expect(find(start)).rejects.toThrow('invalid_credentials');
});

test('the cache is not used after the clock was set back', async () => {
  const { table, find } = oneKey();
  await find(start);
  await find(later(-1));
  expect(table.reads).toBe(2);
});
