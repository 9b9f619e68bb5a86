import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bigint, type Database, listOf, migrate, raw, row, sql, text } from '@svc/db';
import { openTestDatabase, runFolder, type TestDatabase } from '@svc/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { post, reverse } from '../src/domain/ledger/post.ts';
import { sealTransfers } from '../src/domain/ledger/seal.ts';
import { verifyLedger } from '../src/domain/ledger/verify.ts';
import { migrations } from '../src/migrations.ts';

// The steps that partition the ledger by year, on a ledger with transfers, while the service posts.

const now = new Date();
const partnerId = 'ptn_1';
const [webhooks, server] = migrations;
if (!webhooks || !server) throw new Error('two sources of migrations are expected');
const files = (await readdir(fileURLToPath(server.folder))).sort();
const first = files.findIndex((file) => file.endsWith('_ledger_transfer_years.sql'));
const last = files.findIndex((file) => file.endsWith('_statistics_of_entries.sql'));
/** Later steps, whose tables do not depend on these. */
const dayTotals = await Promise.all(
  files
    .filter((file) => /_ledger_day_(?:totals|debits)\.sql$/.test(file))
    .map((file) => readFile(join(fileURLToPath(server.folder), file), 'utf8')),
);

/** The server's migrations before the file at the index. */
async function migrationsBefore(index: number) {
  if (!webhooks || !server) throw new Error('two sources of migrations are expected');
  const folder = await mkdtemp(join(await runFolder(), 'before-years-'));
  for (const file of files.slice(0, index)) {
    await cp(join(fileURLToPath(server.folder), file), join(folder, file));
  }
  return [webhooks, { name: server.name, folder }];
}

let opened: TestDatabase;
let db: Database;
let posted: string[];
beforeEach(async () => {
  opened = await openTestDatabase(await migrationsBefore(first));
  db = opened.db;
  posted = [];
  await db.run(sql`
    insert into partner (id, pms, name, created_at) values (${partnerId}, 'maple', 'Maple', ${now})`);
});
afterEach(() => opened.close());

async function postOne(): Promise<void> {
  const transfer = {
    partnerId,
    tenantId: null,
    kind: 'charge_off',
    sourceId: `pln_${posted.length}`,
    occurredAt: now,
    entries: [
      { kind: 'credit_loss', amountInCents: 700 },
      { kind: 'fee_income', amountInCents: -700 },
    ],
  } as const;
  const [made] = await db.transaction((tx) => post({ tx, now }, [transfer]));
  posted.push(made?.id ?? '');
}

const fileRow = row('file of a table', { node: bigint });

async function fileOf(table: string): Promise<number> {
  const { node } = await db.one(
    fileRow,
    sql`select pg_relation_filenode(${table}::text::regclass)::int8 as node`,
  );
  return node;
}

test('after each step the service posts, reverses, seals and verifies', async () => {
  // The service counts what it seals.
  for (const step of dayTotals) await db.run(raw(step));
  for (let index = first; index <= last; index += 1) {
    await postOne();
    await migrate(db, await migrationsBefore(index + 1));
    await postOne();
    const transferId = posted.at(-2) ?? '';
    await db.transaction((tx) => reverse({ tx, now }, { partnerId, transferId }, now));
    await db.transaction((tx) => sealTransfers({ tx, now }, { partnerId, limit: 2 }));
    const { transfers, faults } = await db.transaction(verifyLedger);
    expect([files[index], transfers, faults]).toEqual([files[index], (posted.length * 3) / 2, []]);
    const again = db.transaction((tx) => reverse({ tx, now }, { partnerId, transferId }, now));
    await expect(again).rejects.toThrow(/ledger_transfer_source_pkey/);
    const removal = sql`delete from ledger_entry where transfer_id = ${transferId}`;
    await expect(db.run(removal)).rejects.toThrow(/append-only/);
  }
});

const stateRow = row('state of the first partitions', {
  places: listOf(text),
  keys: bigint,
  unvalidated: bigint,
});

test('the old tables become partitions without a rewrite, with validated keys', async () => {
  await postOne();
  const before = [await fileOf('ledger_transfer'), await fileOf('ledger_entry')];
  await migrate(db, migrations);
  await postOne();
  expect([await fileOf('ledger_transfer_first'), await fileOf('ledger_entry_first')]).toEqual(
    before,
  );
  const state = await db.one(
    stateRow,
    sql`
    select (select array_agg(distinct tableoid::regclass::text) from ledger_entry) as places,
      (select count(*) from pg_constraint
        where contype = 'f' and conrelid = 'ledger_entry_first'::regclass
          and confrelid in ('ledger_transfer'::regclass, 'ledger_account'::regclass)) as keys,
      (select count(*) from pg_constraint where not convalidated) as unvalidated`,
  );
  expect(state).toEqual({ places: ['ledger_entry_first'], keys: 2, unvalidated: 0 });
});
