import { EventEmitter, once } from 'node:events';
import { raw, sql } from '@svc/db';
import {
  countReads,
  oneRowOf,
  openTestDatabase,
  type TestDatabase,
  testKind,
} from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../testing/harness.ts';
import { type FailureRow, writeFailures } from './write-failures.ts';

const [few, many] = [100, 10_000] as const;
// A full batch may read the whole table: its 184 pages cost less than 256 lookups.
const batchSizes = [1, 10, 30];
const now = new Date('2026-03-01T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([migrations]);
});
afterAll(() => database.close());

test('failures read no more rows of a hundred times as many endpoints', async () => {
  await storeEndpoints(1, few);
  const before = await countEach();
  await storeEndpoints(few + 1, many);
  const after = await countEach();
  // With few endpoints the planner reads all of them, with many it looks them up.
  const grown = after.filter(({ rows }, index) => rows > 2 * (before[index]?.rows ?? 0));
  expect(grown).toEqual([]);
});

// The embedded database has one session, so no two batches run at the same time.
test.runIf(testKind() === 'postgres')(
  'endpoints are locked in the order of their keys, so that two batches cannot deadlock',
  async () => {
    const { db } = database;
    const [first, last] = [20_001, 20_010];
    const numbers = await storeEndpoints(first, last);
    const failures = numbers.map(failureOf);
    const steps = new EventEmitter();
    const isLocked = once(steps, 'locked');
    const isWaiting = once(steps, 'waiting');
    const holder = db.transaction(async (tx) => {
      const firstRow = sql`owner = ${ownerOf(first)} and id = ${idOf('ep', first)}`;
      await tx.run(sql`select from webhook_endpoints where ${firstRow} for update`);
      steps.emit('locked');
      await isWaiting;
      return tx.run(sql`
        select from webhook_endpoints where id between ${idOf('ep', first)} and ${idOf('ep', last)}
        for update skip locked`);
    });
    await isLocked;
    const written = writeFailures(db, failures, now);
    await waitingForLock();
    steps.emit('waiting');
    // The batch waits for its first row and has locked none of the others.
    expect(await holder).toBe(numbers.length);
    await written;
    const { failing } = await oneRowOf<{ failing: number }>(
      db,
      sql`
      select count(*) as failing from webhook_endpoints
      where id between ${idOf('ep', first)} and ${idOf('ep', last)} and failing_since is not null`,
    );
    expect(failing).toBe(numbers.length);
  },
);

/** Resolves when a statement in this database waits for a lock. */
async function waitingForLock(): Promise<void> {
  for (;;) {
    const { waiting } = await oneRowOf<{ waiting: boolean }>(
      database.db,
      sql`
      select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock') as waiting`,
    );
    if (waiting) return;
  }
}

async function countEach() {
  const found = [];
  for (const size of batchSizes) {
    const failures = Array.from({ length: size }, (_, index) => failureOf(index + 1));
    const { rows } = await countReads(database.db, (q) => writeFailures(q, failures, now));
    found.push({ size, rows });
  }
  return found;
}

/** Stores one endpoint for each number from `from` to `to`, and returns the numbers. */
async function storeEndpoints(from: number, to: number): Promise<number[]> {
  const { db } = database;
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  await db.run(sql`
    insert into webhook_endpoints (owner, id, url, created_at, updated_at)
    select owner, id, 'http://127.0.0.1:9/', ${now}::timestamptz, ${now}::timestamptz
    from unnest(${numbers.map(ownerOf)}::text[],
      ${numbers.map((number) => idOf('ep', number))}::text[]) as e(owner, id)`);
  await db.run(raw('vacuum analyze webhook_endpoints'));
  return numbers;
}

function failureOf(number: number): FailureRow {
  return {
    owner: ownerOf(number),
    id: idOf('att', number),
    message_id: idOf('evt', number),
    endpoint_id: idOf('ep', number),
    trigger: 'schedule',
    epoch: 0,
    lease_id: null,
    step: 1,
    verdict: 'retry',
    started_at: now,
    ended_at: now,
    next_at: now,
    status: 500,
    error_class: 'status',
    detail: { url: 'http://127.0.0.1:9/', agent: 'svc', signature: 'v1,', ms: { total: 1 } },
  };
}

function ownerOf(number: number): string {
  return `partner_${number % 100}`;
}

function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(26, '0')}`;
}
