import { bigint, type Database, listOf, raw, row, sql, text } from '@svc/db';
import type { Clock } from '@svc/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from '../../test/support/open-stage.ts';
import { post, reverse } from '../domain/ledger/post.ts';
import { sealTransfers } from '../domain/ledger/seal.ts';
import { verifyLedger } from '../domain/ledger/verify.ts';
import { newId } from '../ids.ts';
import { runLane } from './lane.ts';
import { createPartitions, ledgerPartitionsLane } from './ledger-partitions.ts';

let stage: Stage;
let partnerId: string;
let logged: string[];
beforeEach(async () => {
  stage = await openStage();
  logged = [];
  ({ partnerId } = await stage.newPartner());
});
afterEach(() => stage.close());

/** The first partition ends with the year after the migration, or the one after that. */
const year = new Date().getUTCFullYear() + 3;

function deps(at: string, db: Database = stage.db) {
  const clock: Clock = { now: () => new Date(at), after: () => () => {} };
  const note = (_: object, message: string) => void logged.push(message);
  return { db, clock, log: { info: note, warn: note, error: note } };
}

const create = (at: string) => createPartitions({ ...deps(at), now: new Date(at) });

let sources = 0;

async function postAt(at: string): Promise<string> {
  sources += 1;
  const now = new Date(at);
  const [posted] = await stage.db.transaction((tx) =>
    post({ tx, now }, [
      {
        partnerId,
        tenantId: null,
        kind: 'charge_off',
        sourceId: `pln_${sources}`,
        occurredAt: now,
        entries: [
          { kind: 'credit_loss', amountInCents: 500 },
          { kind: 'fee_income', amountInCents: -500 },
        ],
      },
    ]),
  );
  return posted?.id ?? '';
}

/** The tables that hold a transfer's rows, named without their shard's number. */
async function placeOf(id: string): Promise<string[]> {
  const { places } = await stage.db.one(
    row('places', { places: listOf(text) }),
    sql`
    select array_agg(distinct place order by place) as places from (
      select tableoid::regclass::text as place from ledger_transfer where id = ${id}
      union all select tableoid::regclass::text from ledger_entry where transfer_id = ${id}) t`,
  );
  return places.map((it) => it.replace(/_\d{5,}$/, ''));
}

const partitionsRow = row('partitions', { names: listOf(text) });

async function partitions(): Promise<string[]> {
  const { names } = await stage.db.one(
    partitionsRow,
    sql`
    select array_agg(inhrelid::regclass::text order by 1) as names from pg_inherits
    where inhparent = 'ledger_transfer'::regclass`,
  );
  return names.toSorted();
}

test('transfers on both sides of a year boundary are in its partitions and make one ledger', async () => {
  expect(await create(`${year}-06-01T00:00:00Z`)).toBeGreaterThanOrEqual(4);
  const before = await postAt(`${year}-12-31T23:59:59.999Z`);
  const after = await postAt(`${year + 1}-01-01T00:00:00.000Z`);
  expect(await placeOf(before)).toEqual([`ledger_entry_${year}`, `ledger_transfer_${year}`]);
  expect(await placeOf(after)).toEqual([`ledger_entry_${year + 1}`, `ledger_transfer_${year + 1}`]);
  // Today's transfers are in the partition that was the whole table.
  const today = await postAt('2026-01-20T15:00:00Z');
  expect(await placeOf(today)).toEqual(['ledger_entry_first', 'ledger_transfer_first']);
  const now = new Date(`${year + 1}-01-02T00:00:00Z`);
  const reversal = await stage.db.transaction((tx) =>
    reverse({ tx, now }, { partnerId, transferId: before }, now),
  );
  await stage.db.transaction((tx) => sealTransfers({ tx, now }, { partnerId, limit: 3 }));
  expect(await stage.db.transaction(verifyLedger)).toMatchObject({
    transfers: 4,
    seals: 1,
    unsealed: 1,
    trial_balance: { credit_loss: 1_000, fee_income: -1_000 },
    faults: [],
  });
  const again = stage.db.transaction((tx) =>
    reverse({ tx, now }, { partnerId, transferId: before }, now),
  );
  await expect(again).rejects.toThrow(/ledger_transfer_source_pkey/);
  for (const id of [before, after, reversal.id]) {
    const change = sql`update ledger_transfer set kind = 'x' where id = ${id}`;
    await expect(stage.db.run(change)).rejects.toThrow(/append-only/);
    const removal = sql`delete from ledger_entry where transfer_id = ${id}`;
    await expect(stage.db.run(removal)).rejects.toThrow(/append-only/);
  }
});

test('an entry of any year needs its transfer, its account and a balance', async () => {
  await create(`${year}-06-01T00:00:00Z`);
  await postAt('2026-01-20T15:00:00Z');
  const at = new Date(`${year}-03-01T00:00:00Z`);
  const id = newId('trf', at);
  const insert = (transferId: string) => sql`
    insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
    select partner_id, ${transferId}, id, case kind when 'credit_loss' then 5 else -5 end
    from ledger_account where partner_id = ${partnerId}`;
  await expect(stage.db.run(insert(id))).rejects.toThrow(/ledger_entry_transfer_fkey|foreign key/);
  const alone = stage.run({ kind: 'system' }, ({ tx }) =>
    tx.run(sql`
      insert into ledger_transfer (partner_id, id, kind, source_id, occurred_at, created_at)
      values (${partnerId}, ${id}, 'charge_off', 'pln_x', ${at}, ${at})`),
  );
  await expect(alone).rejects.toThrow(/does not balance: 0 cents over 0 entries/);
});

test('partitions are created ahead, once, and the next run has nothing to do', async () => {
  await create(`${year}-02-01T00:00:00Z`);
  const names = await partitions();
  expect(names).toContain(`ledger_transfer_${year + 1}`);
  expect(names).not.toContain(`ledger_transfer_${year + 2}`);
  expect(await create(`${year}-12-31T23:59:59Z`)).toBe(0);
  expect(await partitions()).toEqual(names);
  expect(await create(`${year + 1}-01-01T00:00:00Z`)).toBe(2);
  expect(await partitions()).toContain(`ledger_transfer_${year + 2}`);
});

test('processes that create partitions at once create each of them once', async () => {
  const at = `${year}-02-01T00:00:00Z`;
  await Promise.all([
    runLane(ledgerPartitionsLane(deps(at))),
    runLane(ledgerPartitionsLane(deps(at))),
  ]);
  await create(at);
  const { count } = await stage.db.one(
    row('count', { count: bigint }),
    sql`select count(*) from pg_inherits where inhparent = 'ledger_entry'::regclass`,
  );
  expect(count).toBe((await partitions()).length);
});

test('a missing partition stops no money, and the years after it get theirs', async () => {
  const stray = await postAt(`${year}-05-01T00:00:00Z`);
  expect(await placeOf(stray)).toEqual(['ledger_entry_default', 'ledger_transfer_default']);
  await create(`${year}-06-01T00:00:00Z`);
  expect(logged).toContain(
    `The partition ledger_transfer_${year} cannot be created, because ledger_transfer_default has rows of ${year}: they stay there and count like all others, and the next year gets its partition.`,
  );
  expect(await partitions()).toContain(`ledger_transfer_${year + 1}`);
  expect(await create(`${year}-06-01T00:00:00Z`)).toBe(0);
  expect(await placeOf(await postAt(`${year}-06-02T00:00:00Z`))).toEqual([
    'ledger_entry_default',
    'ledger_transfer_default',
  ]);
  expect(await stage.db.transaction(verifyLedger)).toMatchObject({ transfers: 2, faults: [] });
});

test('a partition that could not be created is one sentence that says what to do', async () => {
  await stage.db.run(raw(`create table ledger_transfer_${year} (id text)`));
  await expect(create(`${year}-06-01T00:00:00Z`)).rejects.toThrow(
    new RegExp(
      `^The partition ledger_transfer_${year} could not be created \\(.*already exists\\): postings of ${year} are stored in ledger_transfer_default until it exists, so let the role of DATABASE_URL create tables`,
    ),
  );
  expect(await placeOf(await postAt(`${year}-05-01T00:00:00Z`))).toContain(
    'ledger_transfer_default',
  );
});

test('the planner gets statistics of the whole tables as they grow', async () => {
  // On a cluster, each shard's table name ends with a number.
  const ofTable = `
    select count(*) from pg_stats where tablename ~ '^ledger_entry(_[0-9]{5,})?$' and inherited`;
  const columnsRow = row('columns with statistics', { count: bigint });
  const statistics = async () => {
    const { count } = await stage.db.one(
      columnsRow,
      stage.db.cluster
        ? sql`select sum(result::bigint)::bigint as count from run_command_on_workers(${ofTable}::text)`
        : raw(ofTable),
    );
    return count;
  };
  const run = () => runLane(ledgerPartitionsLane(deps(`${year}-02-01T00:00:00Z`)));
  await run();
  expect(await statistics()).toBe(0);
  for (let count = 0; count < 300; count += 1) await postAt('2026-01-20T15:00:00Z');
  // Autovacuum does the same.
  await stage.db.run(raw('analyze ledger_entry_first'));
  expect(await statistics()).toBe(0);
  await run();
  expect(await statistics()).toBe(4);
});
