import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Database,
  type MigrationSource,
  migrate,
  openDatabase,
  raw,
  row,
  sql,
  text,
} from '@svc/db';
import { migrations } from '../apps/server/src/migrations.ts';
import { type Bench, plainRow, type Row } from './rows.ts';

export interface Amounts {
  readonly messages: number;
  readonly attempts: number;
  readonly tenants: number;
  /** How long a reader, such as pg_dump, keeps its transaction open. */
  readonly readerMs: number;
}

const longestWaitMs = 2_000;

/**
 * Partitions the webhook tables and runs one migration of each kind, on large tables, while a reader holds all of them
 * and requests continue.
 */
export const bench: Bench = async ({ databaseUrl, full }) =>
  measureMigrations(
    await databaseUrl(),
    full
      ? { messages: 1_000_000, attempts: 1_000_000, tenants: 300_000, readerMs: 15_000 }
      : { messages: 50_000, attempts: 50_000, tenants: 15_000, readerMs: 5_000 },
  );

export async function measureMigrations(url: string, amounts: Amounts): Promise<Row[]> {
  const { readerMs } = amounts;
  const db = await openDatabase({ url });
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const rows = [];
  try {
    await migrate(db, await beforePartitions(join(folder, 'webhooks')));
    await fillDatabase(db, amounts);
    const sources = await writeMigrations(join(folder, 'server'));
    const limited = await underLoad(url, { readerMs, lockMs: longestWaitMs }, async () => {
      const started = performance.now();
      await migrate(db, sources, { version: '99.0.0' });
      return performance.now() - started;
    });
    rows.push(
      waitRow('longest wait of a request while tables are partitioned and changed', limited),
      plainRow('all migrations', limited.result, 'ms'),
      plainRow('requests meanwhile', limited.waits.length, ''),
    );
    const plain = await underLoad(url, { readerMs, lockMs: 0 }, () =>
      db.transaction((tx) => tx.run(raw('alter table tenant add column bench_plain text')), {
        timeoutMs: 60_000,
      }),
    );
    rows.push(plainRow('longest wait during a plain "add column"', Math.max(...plain.waits), 'ms'));
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
  return rows;
}

interface Load<T> {
  readonly result: T;
  /** Milliseconds of each request. */
  readonly waits: readonly number[];
}

/**
 * Runs `work` while one open transaction has read all three tables, and requests of four kinds continue. A
 * request that waits longer than `lockMs` for a lock fails; 0 means no limit.
 */
async function underLoad<T>(
  url: string,
  { readerMs, lockMs }: { readonly readerMs: number; readonly lockMs: number },
  work: () => Promise<T>,
): Promise<Load<T>> {
  const limits = { statement: 0, lock: lockMs, idleInTransaction: 0 };
  const others = await openDatabase({ url }, { pool: 6, limits });
  let markRead = () => {};
  const hasRead = new Promise<void>((resolve) => {
    markRead = resolve;
  });
  const reader = others.transaction(async (tx) => {
    // Like pg_dump, so that a concurrent index build has to wait for this snapshot.
    await tx.run(raw('set transaction isolation level repeatable read'));
    for (const table of ['tenant', 'webhook_messages', 'webhook_attempts']) {
      await tx.run(raw(`select from ${table} limit 1`));
    }
    markRead();
    await sleep(readerMs);
  });
  await hasRead;
  let running = true;
  const waits: number[] = [];
  const lanes = requests.map(async (request) => {
    while (running) {
      const started = performance.now();
      turn += 1;
      await request(others, turn);
      waits.push(performance.now() - started);
      await sleep(10);
    }
  });
  const load = Promise.all([reader, ...lanes]);
  // Awaited below, where a failed request fails the bench.
  load.catch(() => undefined);
  try {
    return { result: await work(), waits };
  } finally {
    running = false;
    await load;
    await others.close();
  }
}

const owner = 'ptn_bench';
let turn = 0;

const requests: readonly ((db: Database, turn: number) => Promise<unknown>)[] = [
  (db, turn) =>
    db.many(
      row('tenant', { email: text }),
      sql`select email from tenant where id = ${`ten_${1 + (turn % 1_000)}`}`,
    ),
  (db, turn) =>
    db.run(sql`update tenant set version = version + 1 where id = ${`ten_${1 + (turn % 1_000)}`}`),
  (db, turn) =>
    db.transaction(async (tx) => {
      await tx.run(sql`
        insert into webhook_messages (id, owner, type, body, created_at)
        values (${idOf('evt_00z', turn)}, ${owner}, 'plan.created', '{}', clock_timestamp())`);
      await tx.run(insertAttempts(sql`select ${turn}::bigint`, '00z'));
    }),
  (db) =>
    db.many(
      row('message', { id: text }),
      sql`select id from webhook_messages where owner = ${owner} order by id desc limit 50`,
    ),
];

function idOf(prefix: string, turn: number): string {
  return prefix + String(turn).padStart(30 - prefix.length, '0');
}

/** Inserts from JSON, because fields whose column this version of the schema does not have are ignored. */
function insertAttempts(numbers: ReturnType<typeof sql>, start: string) {
  return sql`
    insert into webhook_attempts
    select attempt.* from (${numbers}) as numbers (n), json_populate_record(null::webhook_attempts,
      json_build_object('id', 'att_' || ${start}::text || lpad(n::text, 23, '0'),
        'message_id', 'evt_' || ${start}::text || lpad(n::text, 23, '0'),
        'endpoint_id', 'ep_bench', 'owner', ${owner}::text, 'trigger', 'schedule',
        'started_at', timestamptz '2026-01-01', 'status', 204, 'detail', json_build_object()))
      as attempt`;
}

async function fillDatabase(db: Database, { messages, attempts, tenants }: Amounts): Promise<void> {
  const at = new Date('2026-01-01T00:00:00Z');
  await db.transaction(
    async (tx) => {
      await tx.run(sql`
        insert into partner (id, pms, name, created_at) values (${owner}, 'bench', 'Bench', ${at})`);
      await tx.run(sql`
        insert into tenant (id, partner_id, external_id, first_name, email, created_at, updated_at)
        select 'ten_' || n, ${owner}, 't-' || n, 'Ada', 'ada@example.com', ${at}, ${at}
        from generate_series(1, ${tenants}::integer) as n`);
      await tx.run(sql`
        insert into webhook_messages (id, owner, subject, type, body, created_at)
        select 'evt_00a' || lpad(n::text, 23, '0'), ${owner}, 't-' || n % 1000, 'plan.created',
          repeat('x', 600), ${at}
        from generate_series(1, ${messages}::integer) as n`);
      await tx.run(insertAttempts(sql`select generate_series(1, ${attempts}::integer)`, '00a'));
      await tx.run(raw('analyze tenant, webhook_messages, webhook_attempts'));
    },
    { timeoutMs: 600_000 },
  );
}

/** Returns the migrations before the one that begins to partition messages and attempts. */
async function beforePartitions(folder: string): Promise<MigrationSource[]> {
  const webhooks = migrations.find(({ name }) => name === 'webhooks')?.folder ?? '';
  const files = (await readdir(webhooks)).sort();
  const end = files.findIndex((file) => file.endsWith('_bound_messages.sql'));
  for (const file of files.slice(0, end)) {
    await cp(join(fileURLToPath(webhooks), file), join(folder, file));
  }
  return migrations.map((source) => (source.name === 'webhooks' ? { ...source, folder } : source));
}

/** Writes migrations that follow those of this version, with at least one of each kind. */
async function writeMigrations(folder: string): Promise<MigrationSource[]> {
  const server = migrations.find(({ name }) => name === 'server')?.folder ?? '';
  await cp(fileURLToPath(server), folder, { recursive: true });
  const count = (await readdir(folder)).length;
  const steps = [
    'alter table tenant add column bench_note text;',
    'alter table webhook_messages add column bench_note int not null default 0;',
    '-- no-transaction\ncreate index concurrently bench_tenant on tenant (email, id);',
    '-- no-transaction\ncreate index concurrently bench_attempts on webhook_attempts_first (started_at);',
    '-- backfill: tenant by id\nupdate tenant set bench_note = email where id between $1 and $2;',
    'alter table tenant add constraint bench_note check (bench_note is not null) not valid;',
    '-- no-transaction\nalter table tenant validate constraint bench_note;',
    '-- contract: the bench is over\nalter table webhook_messages drop column bench_note;',
  ];
  for (const [index, text] of steps.entries()) {
    const name = `${String(count + index + 1).padStart(4, '0')}_bench.sql`;
    await writeFile(join(folder, name), `-- oldest-service: 0.2.0\n${text}\n`);
  }
  return migrations.map((source) => (source.name === 'server' ? { ...source, folder } : source));
}

function waitRow(name: string, { waits }: Load<unknown>): Row {
  const value = Math.max(...waits);
  const ratio = value / longestWaitMs;
  return { name, value, unit: 'ms', ceiling: 1, ratio, spread: [0, ratio] };
}
