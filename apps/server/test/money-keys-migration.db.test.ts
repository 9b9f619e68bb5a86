import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, json, migrate, raw, row, sql, type Tx, text } from '@svc/db';
import { openTestDatabase, runFolder, type TestDatabase } from '@svc/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { post } from '../src/domain/ledger/post.ts';
import { partnersToSeal, sealTransfers } from '../src/domain/ledger/seal.ts';
import { verifyLedger } from '../src/domain/ledger/verify.ts';
import { migrations } from '../src/migrations.ts';

// Migration 0023 on the rows of two partners: sealed and unsealed transfers, a reversal, a deposit.

const lastBefore = 21;
const bookedAt = new Date('2026-02-01T12:00:00Z');
const tables = [
  'deposit',
  'ledger_account',
  'ledger_entry',
  'ledger_transfer',
  'ledger_unsealed',
  'processor_entry',
  'processor_event',
  'refund',
  'settlement',
];

let opened: TestDatabase;
let db: Database;
let before: Snapshot;
beforeEach(async () => {
  opened = await openTestDatabase(await sourcesBefore());
  db = opened.db;
  await db.transaction(async (tx) => {
    await insertPartner(tx, 'a');
    await insertPartner(tx, 'b');
  });
  const first = await sealAsBefore(1, Buffer.alloc(32), ['a1', 'a2', 'b1', 'b2', 'b3']);
  await sealAsBefore(2, first, ['a3', 'a4', 'b4']);
  before = await snapshot('ledger_seal');
  await migrate(db, migrations);
});
afterEach(() => opened.close());

test('every row keeps its values and gets the partner that it belongs to', async () => {
  const after = await snapshot('ledger_seal_before_partners');
  for (const table of tables) {
    const expected = before.rows[table]?.map((it) => ({ ...it, partner_id: partnerOf(it) }));
    // Without the columns that later migrations add.
    const columns = Object.keys(expected?.[0] ?? {});
    const kept = after.rows[table]?.map((it) => pick(it, columns));
    expect(kept, table).toEqual(expected);
    expect(expected?.length, table).toBeGreaterThan(1);
  }
  expect(after.balances).toEqual(before.balances);
  const partnersOfSeals = [
    ['ptn_a', 'ptn_a', 'ptn_b', 'ptn_b', 'ptn_b'],
    ['ptn_a', 'ptn_a', 'ptn_b'],
  ];
  expect(after.seals).toEqual(
    before.seals.map((seal, index) => ({ ...seal, partner_ids: partnersOfSeals[index] })),
  );
});

test('the old chain is still verified, and each partner continues it with its own', async () => {
  const balances = {
    cash: 9_400,
    fee_income: -200,
    partner_payable: -19_800,
    processor_clearing: -600,
    settlement_clearing: 0,
    tenant_receivable: 11_200,
  };
  const counts = { transfers: 12, seals: 2, seals_before_partners: 2, unsealed: 4, faults: [] };
  const unsealed = await db.transaction(verifyLedger);
  expect(unsealed).toMatchObject({ ...counts, trial_balance: balances });
  expect(unsealed.partners).toMatchObject([
    { pms: 'maple-a', transfers: 6, seals: 0, unsealed: 2 },
    { pms: 'maple-b', transfers: 6, seals: 0, unsealed: 2 },
  ]);
  await sealAll();
  expect(await db.transaction(verifyLedger)).toMatchObject({ ...counts, seals: 4, unsealed: 0 });
});

test('the ledger that the service wrote before the migration passes the verification', async () => {
  const service = await openTestDatabase(await sourcesBefore());
  const rows = await readFile(new URL('fixtures/rows-at-0021.sql', import.meta.url), 'utf8');
  await service.db.transaction((tx) => tx.run(raw(rows)));
  await migrate(service.db, migrations);
  const report = await service.db.transaction(verifyLedger);
  expect(report).toMatchObject({ seals: report.seals_before_partners, unsealed: 0, faults: [] });
  expect(report.partners.map((it) => it.transfers > 1)).toEqual([true, true]);
  expect(report.seals).toBeGreaterThan(0);
  await service.close();
});

test('a changed entry is found in the old chain and in a new one', async () => {
  await sealAll();
  await db.run(sql`alter table ledger_entry disable trigger user`);
  const inOldChain =
    'Seal 1 of the chain that all partners shared no longer matches its 5 transfers.';
  await doubleEntriesOf('trf_00a1');
  expect((await db.transaction(verifyLedger)).faults).toEqual([inOldChain]);
  await doubleEntriesOf('trf_00b5');
  expect((await db.transaction(verifyLedger)).faults).toEqual([
    inOldChain,
    'Seal 1 of maple-b no longer matches its 2 transfers.',
  ]);
});

test('a shortened old chain is found, because every partner continues it', async () => {
  await sealAll();
  await db.run(sql`alter table ledger_seal_before_partners disable trigger user`);
  await db.run(sql`delete from ledger_seal_before_partners where number = 2`);
  expect((await db.transaction(verifyLedger)).faults).toEqual([
    'Seal 1 of maple-a does not follow the start of its chain: seals are missing, inserted or reordered.',
    'Of the sealed transfers of maple-a, 2 are in no seal.',
    'Seal 1 of maple-b does not follow the start of its chain: seals are missing, inserted or reordered.',
    'Of the sealed transfers of maple-b, 1 are in no seal.',
  ]);
});

test('what was posted before cannot be posted or reversed again', async () => {
  const entries = [
    { kind: 'cash', amountInCents: 1 },
    { kind: 'fee_income', amountInCents: -1 },
  ] as const;
  const again = {
    tenantId: null,
    kind: 'payment',
    sourceId: 'pay_a1',
    occurredAt: bookedAt,
    entries,
  } as const;
  const posting = (partnerId: string) =>
    db.transaction((tx) => post({ tx, now: bookedAt }, [{ ...again, partnerId }]));
  await expect(posting('ptn_a')).rejects.toThrow(/ledger_transfer_source_pkey/);
  const reversal = sql`
    insert into ledger_transfer
      (partner_id, id, kind, source_id, reverses_id, occurred_at, created_at)
    values ('ptn_a', 'trf_00a9', 'reversal', 'trf_00a3', 'trf_00a3', ${bookedAt}, ${bookedAt})`;
  await expect(db.run(reversal)).rejects.toThrow(/ledger_transfer_source_pkey/);
});

type Json = Readonly<Record<string, unknown>>;

interface Snapshot {
  readonly rows: Readonly<Record<string, readonly Json[]>>;
  readonly balances: readonly Json[];
  readonly seals: readonly Json[];
}

const jsonRow = row('row as json', { value: json() });

async function read(statement: string): Promise<Json[]> {
  return (await db.many(jsonRow, raw(statement))).map((it) => it.value as Json);
}

async function snapshot(seals: string): Promise<Snapshot> {
  const rows: Record<string, Json[]> = {};
  for (const table of tables) {
    rows[table] = await read(
      `select to_jsonb(t) as value from ${table} t order by (to_jsonb(t) - 'partner_id')::text`,
    );
  }
  return {
    rows,
    balances: await read(`
      select jsonb_build_object('account', account_id, 'cents', sum(amount_in_cents)) as value
      from ledger_entry group by account_id order by account_id`),
    seals: await read(`select to_jsonb(s) as value from ${seals} s order by number`),
  };
}

/** The partner by the letter in the row's ids. */
function partnerOf({ id, transfer_id }: Json): string {
  return `ptn_${/[ab]\d?$/.exec(String(id ?? transfer_id))?.[0][0]}`;
}

async function sealAll(): Promise<void> {
  for (const partnerId of await partnersToSeal(db)) {
    await db.transaction((tx) => sealTransfers({ tx, now: bookedAt }, { partnerId, limit: 100 }));
  }
}

function doubleEntriesOf(transferId: string): Promise<number> {
  return db.run(sql`
    update ledger_entry set amount_in_cents = amount_in_cents * 2
    where transfer_id = ${transferId}`);
}

/** The migrations up to 0021, in a separate folder. */
async function sourcesBefore() {
  const [webhooks, server] = migrations;
  if (!webhooks || !server) throw new Error('a source of migrations is missing');
  const from = fileURLToPath(server.folder);
  const folder = await mkdtemp(join(await runFolder(), 'before-0022-'));
  for (const file of await readdir(from)) {
    if (Number(file.slice(0, 4)) <= lastBefore) await cp(join(from, file), join(folder, file));
  }
  return [webhooks, { name: server.name, folder }];
}

async function insertPartner(tx: Tx, x: 'a' | 'b'): Promise<void> {
  const [partner, tenant, plan, method] = [`ptn_${x}`, `ten_${x}`, `pln_${x}`, `pmt_${x}`];
  await tx.run(sql`
    insert into partner (id, pms, name, created_at)
    values (${partner}, ${`maple-${x}`}, 'Maple', ${bookedAt})`);
  await tx.run(sql`
    insert into tenant (id, partner_id, external_id, created_at, updated_at)
    values (${tenant}, ${partner}, 'T-1', ${bookedAt}, ${bookedAt})`);
  await tx.run(sql`
    insert into payment_method (id, tenant_id, type, brand, last4, details_sealed, created_at)
    values (${method}, ${tenant}, 'bank_account', null, '0000', '', ${bookedAt})`);
  await tx.run(sql`
    insert into application (id, partner_id, tenant_id, product_variant, rent_cycle_date, state,
      date_of_birth_sealed, monthly_income_in_cents, amount_in_cents, approved_amount_in_cents,
      expires_at, submitted_at, created_at)
    values (${`app_${x}`}, ${partner}, ${tenant}, 'rent', '2026-02-01', 'approved', '', 500000,
      9900, 9900, ${bookedAt}, ${bookedAt}, ${bookedAt})`);
  await tx.run(sql`
    insert into plan (id, partner_id, tenant_id, application_id, payment_method_id,
      product_variant, rent_cycle_date, state, principal_in_cents, fee_in_cents, apr_bps,
      disclosure_text, disclosure_sha256, quote_id, consent, accepted_at, created_at)
    values (${plan}, ${partner}, ${tenant}, ${`app_${x}`}, ${method}, 'rent', '2026-02-01',
      'active', 9900, 100, 0, '', ${Buffer.alloc(32)}, 'qte_1', '{}', ${bookedAt}, ${bookedAt})`);
  await tx.run(sql`
    insert into installment (id, plan_id, number, due_date, amount_in_cents, agreed_in_cents, state)
    values (${`ins_${x}`}, ${plan}, 1, '2026-02-01', 5000, 5000, 'paid')`);
  await tx.run(sql`
    insert into payment (id, installment_id, attempt, amount_in_cents, outcome, occurred_at,
      created_at)
    values (${`pay_${x}1`}, ${`ins_${x}`}, 1, 5000, 'succeeded', ${bookedAt}, ${bookedAt})`);
  await tx.run(sql`
    insert into settlement (id, partner_id, tenant_id, plan_id, status, amount_in_cents,
      rent_cycle_date, debit_by, stale_after, created_at, updated_at)
    values (${`stl_${x}`}, ${partner}, ${tenant}, ${plan}, 'returned', 9900, '2026-02-01',
      '2026-02-03', '2026-02-06', ${bookedAt}, ${bookedAt})`);
  await tx.run(sql`
    insert into refund (id, settlement_id, amount_in_cents, credited_in_cents, paid_back_in_cents,
      occurred_at, created_at)
    values (${`rfd_${x}`}, ${`stl_${x}`}, 300, 0, 300, ${bookedAt}, ${bookedAt})`);
  await tx.run(sql`
    insert into deposit (id, partner_id, deposited_on, processor_deposit_id, expected_in_cents,
      amount_in_cents, created_at)
    values (${`dep_${x}`}, ${partner}, '2026-02-02', ${`tb_dep_${x}`}, 5000, 5000, ${bookedAt})`);
  await tx.run(sql`
    insert into processor_entry (id, partner_id, tenant_id, payment_method_id, source_id,
      amount_in_cents, deposit_at, created_at, deposit_id, deposited_in_cents)
    values
      (${`tb_pay_${x}1`}, ${partner}, ${tenant}, ${method}, ${`pay_${x}1`}, 5000, ${bookedAt}, ${bookedAt},
        ${`dep_${x}`}, 5000),
      (${`tb_rfd_${x}`}, ${partner}, ${tenant}, ${method}, ${`rfd_${x}`}, -300, ${bookedAt}, ${bookedAt},
        null, null)`);
  await tx.run(sql`
    insert into processor_event (id, tenant_id, payment_id, kind, return_code, occurs_at,
      created_at)
    values (${`pev_${x}`}, ${tenant}, ${`pay_${x}1`}, 'taken_back', 'R01', ${bookedAt}, ${bookedAt})`);
  await postAsBefore(tx, x, 1, 'advance', plan, {
    tenant_receivable: 10_000,
    partner_payable: -9_900,
    fee_income: -100,
  });
  const payment = { processor_clearing: 5_000, tenant_receivable: -5_000 };
  await postAsBefore(tx, x, 2, 'payment', `pay_${x}1`, payment);
  const sent = { partner_payable: 9_900, settlement_clearing: -9_900 };
  await postAsBefore(tx, x, 3, 'settlement_sent', `stl_${x}`, sent);
  await postAsBefore(tx, x, 4, 'deposit', `dep_${x}`, { cash: 5_000, processor_clearing: -5_000 });
  const reversal = { partner_payable: -9_900, settlement_clearing: 9_900 };
  await postAsBefore(tx, x, 5, 'reversal', `trf_00${x}3`, reversal);
  await postAsBefore(tx, x, 6, 'refund', `rfd_${x}`, {
    cash: -300,
    processor_clearing: -300,
    tenant_receivable: 600,
  });
}

async function postAsBefore(
  tx: Tx,
  x: 'a' | 'b',
  number: number,
  kind: string,
  sourceId: string,
  entries: Readonly<Record<string, number>>,
): Promise<void> {
  const id = `trf_00${x}${number}`;
  await tx.run(sql`
    insert into ledger_transfer (id, partner_id, kind, source_id, reverses_id, occurred_at,
      created_at)
    values (${id}, ${`ptn_${x}`}, ${kind}, ${sourceId}, ${kind === 'reversal' ? sourceId : null},
      ${bookedAt}, ${bookedAt})`);
  for (const account of Object.keys(entries)) {
    await tx.run(sql`
      insert into ledger_account (id, partner_id, tenant_id, kind)
      values (${`acc_${account}_${x}`}, ${`ptn_${x}`},
        ${account === 'tenant_receivable' ? `ten_${x}` : null}, ${account})
      on conflict do nothing`);
  }
  const lines = Object.entries(entries).map(
    ([account, cents]) => `('${id}', 'acc_${account}_${x}', ${cents})`,
  );
  await tx.run(
    raw(`insert into ledger_entry (transfer_id, account_id, amount_in_cents)
      values ${lines.join(', ')}`),
  );
}

function pick(it: Json, columns: readonly string[]): Json {
  return Object.fromEntries(Object.entries(it).filter(([name]) => columns.includes(name)));
}

const lineRow = row('sealed line', { line: text });

/** Seals as the release before 0022 did. Returns the hash of the seal. */
async function sealAsBefore(
  number: number,
  previous: Buffer,
  names: readonly string[],
): Promise<Buffer> {
  const ids = names.map((name) => `trf_00${name}`);
  const lines = await db.many(
    lineRow,
    sql`
    select json_build_array(l.id, l.partner_id, l.kind, l.source_id, l.reverses_id,
        (extract(epoch from l.occurred_at) * 1000)::bigint,
        (extract(epoch from l.created_at) * 1000)::bigint,
        (select json_agg(json_build_array(e.account_id, e.amount_in_cents)
            order by e.account_id collate "C")
          from ledger_entry e where e.transfer_id = l.id))::text as line
    from ledger_transfer l where l.id = any(${ids}::text[]) order by l.id collate "C"`,
  );
  const hash = createHash('sha256').update(previous);
  for (const { line } of lines) hash.update(line).update('\n');
  const sha256 = hash.digest();
  await db.run(sql`
    insert into ledger_seal (number, transfer_ids, previous_sha256, sha256, sealed_at)
    values (${number}, ${ids}::text[], ${previous}, ${sha256}, ${bookedAt})`);
  await db.run(sql`delete from ledger_unsealed where transfer_id = any(${ids}::text[])`);
  return sha256;
}
