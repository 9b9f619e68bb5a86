import { bigint, type Queryable, raw, row, sql, text } from '@svc/db';
import { openTestDatabase, type TestDatabase } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstId } from '../kernel/ids.ts';
import { claim, noEndpoint } from '../leases/claim.ts';
import { releaseClaims } from '../leases/leases.ts';
import { writeCursor } from '../messages/cursor.ts';
import { listAttempts } from '../messages/list-attempts.ts';
import { getMessage, listMessages } from '../messages/list-messages.ts';
import { writeFailures } from '../results/write-failures.ts';
import { writeSuccesses } from '../results/write-successes.ts';
import { endFirstPartition } from '../testing/end-first-partition.ts';
import { migrations, silentLog } from '../testing/harness.ts';
import { createPartitions } from './create-partitions.ts';

const owner = 'partner_a';
const endpoint = `ep_${'0'.repeat(26)}`;
const now = new Date('2026-03-10T12:00:00.000Z');
const detail = { url: 'http://x', agent: 'svc', signature: 'v1,x', ms: { total: 1 } };
const months = ['2026-01', '2026-02', '2026-03', '2026-04'];

/** Returns the id of the message with this number, in the middle of a month. */
function idOf(month: string, number: number): string {
  const first = firstId('evt', new Date(`${month}-10T00:00:00.000Z`));
  return `${first.slice(0, -4)}${1_000 + number}`;
}

// Each partition holds five hundred messages with an attempt each.
describe('with four partitions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase([migrations]);
    const { db } = database;
    await endFirstPartition(db, new Date('2026-02-01T00:00:00.000Z'));
    await createPartitions(db, silentLog, now);
    await db.run(sql`
      insert into webhook_endpoints (owner, id, url, created_at, updated_at)
      values (${owner}, ${endpoint}, 'http://x', ${now}::timestamptz, ${now}::timestamptz)`);
    for (const month of months) {
      const ids = Array.from({ length: 500 }, (_, index) => idOf(month, index));
      await db.run(sql`
        insert into webhook_messages (owner, id, type, body, created_at)
        select ${owner}, unnest(${ids}::text[]), 'a.one', '{}', ${now}::timestamptz`);
      await db.run(sql`
        insert into webhook_attempts
          (owner, id, message_id, endpoint_id, trigger, started_at, status, error_class, detail)
        select ${owner}, 'att_' || substr(id, 5), id, ${endpoint}, 'schedule', ${now}::timestamptz,
          500, 'status', ${JSON.stringify(detail)}::json
        from unnest(${ids}::text[]) id`);
    }
    await db.run(raw('analyze'));
  });

  afterAll(() => database.close());

  const february = ['webhook_attempts_2026_02', 'webhook_messages_2026_02'];
  const message = idOf('2026-02', 7);

  test.each(['force_generic_plan', 'force_custom_plan'])(
    'claims, results and single messages read the partition of the message: %s',
    async (mode) => {
      const until = new Date(now.getTime() + 60_000);
      const claims = {
        processId: 'one',
        asOf: now,
        until,
        startBefore: until,
        count: 100,
        capacities: new Map([[endpoint, 100]]),
        defaultCapacity: 1,
        after: noEndpoint,
      };
      const result = {
        owner,
        message_id: message,
        endpoint_id: endpoint,
        started_at: now,
      } as const;
      const failure = {
        ...result,
        id: `att_${'1'.repeat(26)}`,
        trigger: 'schedule',
        epoch: 0,
        lease_id: 1,
        step: 1,
        verdict: 'retry',
        ended_at: now,
        next_at: until,
        status: 500,
        error_class: 'status',
        detail,
      } as const;
      const success = {
        ...result,
        id: `att_${'2'.repeat(26)}`,
        trigger: 'schedule',
        lease: null,
        status: 200,
        detail: JSON.stringify(detail),
      } as const;
      const claimed = {
        owner,
        messageId: message,
        endpointId: endpoint,
        trigger: 'schedule',
        epoch: 0,
        lease: { id: 1, remaining: 1 },
      } as never;
      expect(await scannedPartitions(mode, (q) => claim(q, claims))).toEqual([
        'webhook_messages_2026_02',
      ]);
      expect(await scannedPartitions(mode, (q) => writeFailures(q, [failure], now))).toEqual([
        'webhook_attempts_2026_02',
      ]);
      expect(february).toEqual(
        expect.arrayContaining(
          await scannedPartitions(mode, (q) => writeSuccesses(q, [success], false)),
        ),
      );
      expect(await scannedPartitions(mode, (q) => releaseClaims(q, [claimed]))).toEqual([
        'webhook_attempts_2026_02',
      ]);
      expect(await scannedPartitions(mode, (q) => getMessage(q, owner, message))).toEqual(february);
      expect(await scannedPartitions(mode, (q) => listAttempts(q, owner, message))).toEqual(
        february,
      );
    },
  );

  test.each(['force_generic_plan', 'force_custom_plan'])(
    'a page of messages skips the partitions after its cursor: %s',
    async (mode) => {
      const query = { cursor: writeCursor(message), limit: 5 };
      expect(await scannedPartitions(mode, (q) => listMessages(q, owner, query))).toEqual([
        'webhook_attempts_2026_02',
        'webhook_messages_2026_02',
        'webhook_messages_first',
      ]);
    },
  );

  /** Returns the partitions that the statements of `work` scan, in a transaction that is rolled back. */
  async function scannedPartitions(
    mode: string,
    work: (q: Queryable) => Promise<unknown>,
  ): Promise<string[]> {
    const rolledBack = new Error('rolled back');
    let names: string[] = [];
    await database.db
      .transaction(async (tx) => {
        await tx.run(raw(`set local plan_cache_mode = ${mode}`));
        await tx.run(sql`
          insert into webhook_leases (id, node, lease_until, due_at, owners, message_ids, endpoint_ids)
          overriding system value
          values (1, 'one', ${now}::timestamptz, ${now}::timestamptz, array[${owner}::text],
            array[${message}::text], array[${endpoint}::text])`);
        await tx.run(sql`
          insert into webhook_deliveries_open (owner, message_id, endpoint_id, due_at)
          values (${owner}, ${message}, ${endpoint}, ${now}::timestamptz)`);
        const before = await scansOf(tx);
        await work(tx);
        const after = await scansOf(tx);
        names = [...after.keys()].filter((name) => after.get(name) !== before.get(name));
        throw rolledBack;
      })
      .catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
    return names;
  }

  /** Returns how often each partition was scanned, as counted for this connection. */
  async function scansOf(q: Queryable): Promise<Map<string, number>> {
    const rows = await q.many(
      row('scans of a partition', { name: text, scans: bigint }),
      sql`
      select relname::text as name, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans
      from pg_stat_xact_user_tables where relname ~ '^webhook_(messages|attempts)_' order by 1`,
    );
    return new Map(rows.map(({ name, scans }) => [name, scans]));
  }
});
