import { bigint, type Queryable, raw, row, sql, type Tx } from '@svc/db';
import { countReads, openTestDatabase, type TestDatabase } from '@svc/db/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClaimRequest, claim, noEndpoint, readSchedule } from '../leases/claim.ts';
import { migrations } from '../testing/harness.ts';
import { type FailureRow, writeFailures } from './write-failures.ts';
import { type SuccessRow, writeSuccesses } from './write-successes.ts';

const owner = 'owner_1';
const endpointId = idOf('ep', 1);
const now = new Date('2026-03-01T12:00:00.000Z');
const backlog = 2_000;
const batchSize = 64;
// PostgreSQL keeps the plan of a named statement from its sixth execution on.
const executionsUntilKept = 10;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([migrations]);
  await database.db.run(sql`
    insert into webhook_endpoints (owner, id, url, created_at, updated_at)
    values (${owner}, ${endpointId}, 'http://127.0.0.1:9/', ${now}::timestamptz, ${now}::timestamptz)`);
});
afterAll(() => database.close());

// Vacuumed while it is empty, the table of open deliveries costs nothing to read as a whole.
beforeEach(async () => {
  await addBacklog(database.db);
  await database.db.run(raw('delete from webhook_deliveries_open'));
  await database.db.run(raw('vacuum (index_cleanup on) webhook_deliveries_open'));
});

test('successes of a backlog do not scan it', () =>
  scansAfterGrowth((tx, from) => writeSuccesses(tx, batch(from, successOf), false)));

test('failures of a backlog do not scan it', () =>
  scansAfterGrowth((tx, from) => writeFailures(tx, batch(from, failureOf), now)));

test('a claim from a backlog does not scan it', () =>
  scansAfterGrowth((tx) => claim(tx, claimOf(batchSize))));

test('a claim and a look at the schedule walk no further than they need, however many endpoints wait', async () => {
  const { db } = database;
  await db.run(sql`
    insert into webhook_endpoints (owner, id, url, created_at, updated_at)
    select ${owner}, 'ep_' || lpad(n::text, 26, '0'), 'http://127.0.0.1:9/', ${now}::timestamptz,
      ${now}::timestamptz
    from generate_series(1000, 1000 + ${backlog}::int) as n`);
  await db.run(sql`
    insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at)
    select ${owner}, ${idOf('evt', 1)}, e.id, ${now}::timestamptz from webhook_endpoints e
    where e.id >= ${idOf('ep', 1_000)}`);
  const { rows } = await countReads(db, (q) => claim(q, claimOf(5)));
  expect(rows).toBeLessThan(100);
  const request = { asOf: now, after: noEndpoint, count: 5 };
  const look = await countReads(db, (q) => readSchedule(q, request));
  expect(look.rows).toBeLessThan(100);
});

function claimOf(count: number): ClaimRequest {
  return {
    processId: 'process_1',
    asOf: now,
    until: now,
    startBefore: now,
    count,
    capacities: new Map(),
    defaultCapacity: count,
    after: noEndpoint,
  };
}

/** Runs the statement on the empty table until its plan is kept, and then once with a backlog. */
async function scansAfterGrowth(run: (tx: Tx, from: number) => Promise<unknown>): Promise<void> {
  await database.db.transaction(async (tx) => {
    for (let execution = 0; execution < executionsUntilKept; execution += 1) {
      await run(tx, backlog + execution * batchSize);
    }
    await addBacklog(tx);
    const before = await rowsScanned(tx);
    await run(tx, 1);
    expect((await rowsScanned(tx)) - before).toBeLessThan(backlog);
  });
}

async function addBacklog(q: Queryable): Promise<void> {
  await q.run(sql`
    insert into webhook_messages (id, owner, type, body, created_at)
    select 'evt_' || lpad(n::text, 26, '0'), ${owner}, 'plan.created', '{}', ${now}::timestamptz
    from generate_series(1, ${backlog}::int) as n
    on conflict do nothing`);
  await q.run(sql`
    insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at)
    select ${owner}, 'evt_' || lpad(n::text, 26, '0'), ${endpointId}, ${now}::timestamptz
    from generate_series(1, ${backlog}::int) as n
    on conflict do nothing`);
}

const scannedRow = row('rows that scans read', { rows: bigint });

async function rowsScanned(q: Queryable): Promise<number> {
  const { rows } = await q.one(
    scannedRow,
    sql`
    select seq_tup_read as rows from pg_stat_xact_user_tables
    where relname = 'webhook_deliveries_open'`,
  );
  return rows;
}

let attempts = 0;

function batch<Result>(from: number, resultOf: (message: number) => Result): Result[] {
  return Array.from({ length: batchSize }, (_, index) => resultOf(from + index));
}

function successOf(message: number): SuccessRow {
  attempts += 1;
  return {
    owner,
    id: idOf('att', attempts),
    message_id: idOf('evt', message),
    endpoint_id: endpointId,
    trigger: 'schedule',
    lease: null,
    started_at: now,
    status: 204,
    detail: JSON.stringify(detail),
  };
}

function failureOf(message: number): FailureRow {
  const { lease: _lease, detail: _detail, ...attempt } = successOf(message);
  const verdict = { epoch: 0, lease_id: null, step: 1, verdict: 'retry', next_at: now } as const;
  return { ...attempt, ...verdict, ended_at: now, status: 500, error_class: 'status', detail };
}

const detail = { url: 'http://127.0.0.1:9/', agent: 'svc', signature: 'v1,', ms: { total: 1 } };

function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(26, '0')}`;
}
