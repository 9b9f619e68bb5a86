import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, migrate, raw, sql } from '@svc/db';
import { describeSchema, openTestDatabase, rowsOf, runFolder } from '@svc/db/testing';
import { beforeAll, expect, test } from 'vitest';
import { migrations } from '../src/migrations.ts';

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

// The money tables are checked in money-keys-migration.db.test.ts, the test of migration 0023.
const migrated = [
  'api_key',
  'application',
  'audit_entry',
  'charge',
  'decision',
  'experience_session',
  'idempotency_key',
  'installment',
  'mail',
  'payment',
  'payment_method',
  'plan',
  'plan_charge',
  'plan_history',
  'portal_link',
  'portal_session',
  'review',
  'tenant',
  'tenant_due',
  'tenant_token',
  'test_preset',
];

let db: Database;
let before: Tables;
let after: Tables;

beforeAll(async () => {
  const opened = await openTestDatabase(await migrationsUpTo(21));
  ({ db } = opened);
  const rows = await readFile(new URL('fixtures/rows-at-0021.sql', import.meta.url), 'utf8');
  await db.transaction((tx) => tx.run(raw(rows)));
  before = await readTables();
  // Compare before later migrations run, because they may add columns.
  await migrate(db, await migrationsUpTo(23));
  after = await readTables();
  await migrate(db, migrations);
  return opened.close;
});

/** The server's migrations up to a number, as an older release has them. */
async function migrationsUpTo(number: number) {
  const [webhooks, server] = migrations;
  if (!webhooks || !server) throw new Error('two sources of migrations are expected');
  const folder = join(await runFolder(), `migrations-${process.pid}-${number}`);
  await cp(fileURLToPath(server.folder), folder, { recursive: true });
  const newer = (await readdir(folder)).filter((file) => Number(file.slice(0, 4)) > number);
  await Promise.all(newer.map((file) => rm(join(folder, file))));
  return [webhooks, { name: server.name, folder }];
}

async function readTables(): Promise<Tables> {
  const tables: Record<string, readonly Row[]> = {};
  for (const table of migrated) {
    const rows = await rowsOf<{ row: Row }>(db, raw(`select to_json(t) as row from ${table} t`));
    tables[table] = rows.map((it) => it.row).sort(byText);
  }
  return tables;
}

function byText(one: Row, other: Row): number {
  const [a, b] = [one, other].map((it) => JSON.stringify({ ...it, partner_id: undefined }));
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

function find(table: string, id: unknown): Row {
  const row = before[table]?.find((it) => it.id === id);
  if (!row) throw new Error(`no ${table} ${id}`);
  return row;
}

/** The partner of a row before the migration, by the rows that it refers to. */
function partnerOf(table: string, row: Row): unknown {
  if (row.partner_id !== undefined) return row.partner_id;
  if (row.tenant_id !== undefined) return find('tenant', row.tenant_id).partner_id;
  if (row.application_id !== undefined) return find('application', row.application_id).partner_id;
  if (row.plan_id !== undefined) return find('plan', row.plan_id).partner_id;
  if (table === 'payment') return partnerOf('installment', find('installment', row.installment_id));
  const [owner] = String(row.scope).split(' ');
  return owner?.startsWith('ten_') ? find('tenant', owner).partner_id : owner;
}

test('each row keeps its values and gets the partner that it belonged to', () => {
  for (const table of migrated) {
    const rows = before[table] ?? [];
    expect(new Set(rows.map((row) => partnerOf(table, row))).size, table).toBe(2);
    expect(after[table], table).toEqual(
      rows.map((row) => ({ ...row, partner_id: partnerOf(table, row) })),
    );
  }
});

test('a migrated database has the schema of a new one', async () => {
  const written = await readFile(new URL('../schema.sql', import.meta.url), 'utf8');
  expect(await describeSchema(db)).toBe(written);
});

test('no row can name a row of another partner', async () => {
  const [one, other] = await rowsOf<{ id: string }>(db, sql`select id from partner order by id`);
  for (const table of [
    'charge',
    'mail',
    'application',
    'plan',
    'installment',
    'payment',
    'review',
  ]) {
    const moved = raw(
      `update ${table} set partner_id = '${other?.id}' where partner_id = '${one?.id}'`,
    );
    await expect(db.run(moved), table).rejects.toThrow('violates foreign key constraint');
  }
});

test('an id is unique for its partner only, and the hash of a secret for all', async () => {
  const [one, other] = await rowsOf<{ id: string }>(db, sql`select id from partner order by id`);
  const copied = await db.run(sql`
    insert into tenant (id, partner_id, external_id, created_at, updated_at)
    select id, ${other?.id}, 'copy', created_at, updated_at from tenant
    where partner_id = ${one?.id} and external_id = 't-paying'`);
  expect(copied).toBe(1);
  const stolen = sql`
    insert into tenant_token (secret_sha256, partner_id, tenant_id, created_at, expires_at)
    select k.secret_sha256, ${other?.id}, k.tenant_id, k.created_at, k.expires_at
    from tenant_token k join tenant t on t.partner_id = k.partner_id and t.id = k.tenant_id
    where k.partner_id = ${one?.id} and t.external_id = 't-paying' limit 1`;
  await expect(db.run(stolen)).rejects.toThrow('tenant_token_pkey');
});
