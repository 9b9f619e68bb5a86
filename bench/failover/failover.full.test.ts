import { expect, test } from 'vitest';
import { measureFailover } from './measure-failover.ts';

// The short version of `npm run failover`.
test('a failover loses no acknowledged write, moves no money twice and delivers every webhook', async () => {
  const result = await measureFailover({ lanes: 3, journeys: 6, outageMs: 2_000 });
  expect(result.acknowledged).toBeGreaterThan(12);
  expect(result.lost).toEqual([]);
  expect(result.refusals).toEqual([]);
  expect(result.movedTwice).toBe(0);
  expect(result.ledger).toContain('The ledger balances');
  expect(result.undelivered).toEqual([]);
  expect(result.unknownWebhooks).toEqual([]);
  expect(result.ended).toBe(0);
  expect(result.secondsToWrite).toBeLessThanOrEqual(10);
  expect(result.outage).toEqual(
    Array.from(
      { length: 3 },
      () =>
        '503 The database accepts no writes: promote a standby, or correct the hosts in DATABASE_URL.',
    ),
  );
});
