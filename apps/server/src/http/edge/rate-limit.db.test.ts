import { type Database, openDatabase } from '@svc/db';
import { type TestTarget, testKind } from '@svc/db/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceTarget } from '../../../test/support/service-database.ts';
import { createRateLimits, type RateLimits } from './rate-limit.ts';

const exchangeMs = 200;
const quiet = { info() {}, warn() {}, error() {} };

describe.skipIf(testKind() === 'pglite')('rate limits of several processes', () => {
  let place: TestTarget;
  let db: Database;
  let time: number;
  let processes: RateLimits[];

  beforeAll(async () => {
    place = await serviceTarget();
    db = await openDatabase(place.target);
  });
  afterAll(async () => {
    await db.close();
    await place.drop();
  });
  beforeEach(() => {
    time = Date.parse('2026-01-20T15:00:00Z');
    processes = [];
  });
  afterEach(async () => {
    for (const limits of processes) await limits.stop();
  });

  /** Starts a process whose exchanges happen only when the test calls `share`. */
  function start(database = db): RateLimits {
    const limits = createRateLimits({
      db: database,
      clock: { now: () => new Date(time), after: () => () => {} },
      log: quiet,
      requestsPerSecond: 200,
      requestsPerMinute: 120,
    });
    processes.push(limits);
    return limits;
  }

  /** Makes `count` calls and returns how many were admitted. */
  function call(limit: RateLimits['keys'], client: string, count: number): number {
    let admitted = 0;
    for (let made = 0; made < count; made += 1) {
      try {
        limit.take(client);
        admitted += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited' });
      }
    }
    return admitted;
  }

  async function exchange(): Promise<void> {
    time += exchangeMs;
    // One after the other: a process learns of the calls that were shared before its own.
    for (const limits of processes) await limits.share();
  }

  test.each([1, 2, 5])('%i processes together admit 200 calls a second', async (count) => {
    for (let started = 0; started < count; started += 1) start();
    const callsPerExchange = 400 / 5;
    const seconds = 20;
    let admitted = 0;
    for (let round = 0; round < seconds * 5; round += 1) {
      for (const { keys } of processes) admitted += call(keys, `key_${count}`, callsPerExchange);
      await exchange();
    }
    // The full bucket at the start, and what is refilled in 20 s.
    const allowed = 200 + 200 * seconds;
    // Until the first exchange, the other processes cannot know of a call.
    const excess = (count - 1) * callsPerExchange;
    expect(admitted).toBeGreaterThanOrEqual(allowed - 200);
    expect(admitted).toBeLessThanOrEqual(allowed + excess);
  });

  test('a client that used its limit at one process is refused by another', async () => {
    const [first, second] = [start(), start()];
    expect(call(first.addresses, 'client_a', 200)).toBe(120);
    expect(call(second.addresses, 'client_a', 1)).toBe(1);
    await exchange();
    expect(call(second.addresses, 'client_a', 1)).toBe(0);
    expect(call(second.addresses, 'client_b', 1)).toBe(1);
    expect(call(second.keys, 'client_a', 1)).toBe(1);
  });

  test('a process that starts later knows the calls of the others after its first exchange', async () => {
    const first = start();
    expect(call(first.failures, 'client_c', 100)).toBe(60);
    await exchange();
    const second = start();
    expect(call(second.failures, 'client_c', 1)).toBe(1);
    await exchange();
    expect(call(second.failures, 'client_c', 1)).toBe(0);
  });

  test('while the database fails, each process limits alone; no call is forgotten', async () => {
    let fails = true;
    const failing: Database = Object.assign(Object.create(db), {
      many: (...args: Parameters<Database['many']>) =>
        fails ? Promise.reject(new Error('connection lost')) : db.many(...args),
    });
    const [first, second] = [start(failing), start()];
    expect(call(first.addresses, 'client_d', 200)).toBe(120);
    await expect(first.share()).rejects.toThrow('connection lost');
    expect(call(first.addresses, 'client_d', 1)).toBe(0);
    fails = false;
    await exchange();
    call(second.addresses, 'client_d', 1);
    await exchange();
    expect(call(second.addresses, 'client_d', 1)).toBe(0);
  });

  test('more clients than fit into one statement are shared by the next ones', async () => {
    const [first, second] = [start(), start()];
    const clients = Array.from({ length: 2_500 }, (_, index) => `client_${index}`);
    for (const client of clients) call(first.addresses, client, 120);
    for (let turn = 0; turn < 3; turn += 1) await first.share();
    for (const client of clients) call(second.addresses, client, 1);
    for (let turn = 0; turn < 3; turn += 1) await second.share();
    expect(clients.filter((client) => call(second.addresses, client, 1) > 0)).toEqual([]);
  });
});
