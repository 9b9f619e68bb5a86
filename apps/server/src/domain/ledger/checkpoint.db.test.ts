import { randomBytes } from 'node:crypto';
import { bytes, raw, row, sql, type Tx } from '@svc/db';
import { countReads } from '@svc/db/testing';
import { createVault, type Vault } from '@svc/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeTriggers } from '../../../test/support/change-triggers.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import { isOneServer } from '../../../test/support/service-database.ts';
import { checkpointsOfOtherKeys, renewCheckpoints, saveCheckpoints } from './checkpoint.ts';
import { type Entry, post } from './post.ts';
import { sealTransfers } from './seal.ts';
import { verifyFromCheckpoints, verifyLedger } from './verify.ts';

let stage: Stage;
let partnerId: string;
let pms: string;
beforeEach(async () => {
  stage = await openStage();
  ({ partnerId, pms } = await stage.newPartner());
});
afterEach(() => stage.close());

const clearing: readonly Entry[] = [
  { kind: 'processor_clearing', amountInCents: 500 },
  { kind: 'fee_income', amountInCents: -500 },
];

const sealRow = row('seal', { sha256: bytes });

let sources = 0;

/** Posts transfers of 1, 2, 3 … cents. */
async function postSome(count: number, entries?: readonly Entry[]): Promise<void> {
  const { now } = stage.clock;
  const transfers = Array.from({ length: count }, (_, index) => {
    sources += 1;
    const loss: readonly Entry[] = [
      { kind: 'credit_loss', amountInCents: index + 1 },
      { kind: 'fee_income', amountInCents: -index - 1 },
    ];
    return {
      partnerId,
      tenantId: null,
      kind: 'charge_off',
      sourceId: `pln_${sources}`,
      occurredAt: now,
      entries: entries ?? loss,
    } as const;
  });
  await stage.db.transaction((tx) => post({ tx, now }, transfers));
}

async function seal(limit = 1_000): Promise<void> {
  const { now } = stage.clock;
  await stage.db.transaction((tx) => sealTransfers({ tx, now }, { partnerId, limit }));
}

/** One run of `svc-admin ledger verify`. */
async function verify({ full = false, vault = stage.service.vault as Vault } = {}) {
  const { now } = stage.clock;
  const { report, checkpoints } = await stage.db.transaction((tx) =>
    verifyFromCheckpoints(tx, { vault, full, now }),
  );
  if (checkpoints.length > 0) await saveCheckpoints(stage.db, vault, checkpoints);
  return report;
}

/** Doubles the amounts of the newest or the oldest transfer, as the database's owner could. */
async function doubleEntries(which: 'min' | 'max'): Promise<void> {
  await changeTriggers(stage.db, (tx) =>
    tx.run(sql`alter table ledger_entry disable trigger ledger_entry_append_only`),
  );
  await stage.db.run(sql`
    update ledger_entry set amount_in_cents = amount_in_cents * 2
    where transfer_id = (select ${raw(which)}(id) from ledger_transfer)`);
}

test('a run checks what is newer than the run before, and its totals are those of the ledger', async () => {
  await postSome(5);
  await seal(2);
  expect(await verify()).toMatchObject({ transfers: 5, checked_transfers: 5, faults: [] });
  await postSome(2);
  await seal(4);
  const everything = await stage.db.transaction(verifyLedger);
  expect(everything).toMatchObject({ transfers: 7, seals: 2, unsealed: 1, faults: [] });
  expect(await verify()).toEqual({
    ...everything,
    checked_transfers: 5,
    partners: [{ ...everything.partners[0], checked_transfers: 5 }],
  });
  // Sealed transfers of the last run are not read again.
  expect(await verify()).toMatchObject({ transfers: 7, checked_transfers: 1, faults: [] });
  expect(await verify({ full: true })).toMatchObject({ checked_transfers: 7, faults: [] });
});

test('a transfer that was changed after the checkpoint is found, sealed or not', async () => {
  await postSome(2);
  await seal();
  await verify();
  await postSome(1);
  await doubleEntries('max');
  expect(await verify()).toMatchObject({ checked_transfers: 1, faults: [] });
  await stage.db.run(sql`
    update ledger_entry set amount_in_cents = 700
    where amount_in_cents > 0 and transfer_id = (select max(id) from ledger_transfer)`);
  const faults = [
    expect.stringMatching(/^The accounts of \S+ are off by 698 cents\.$/),
    expect.stringMatching(/^Transfer trf_\w+ does not balance\.$/),
  ];
  expect((await verify()).faults).toEqual(faults);
  await seal();
  expect((await verify()).faults).toEqual(faults);
  await stage.db.run(sql`
    update ledger_entry set amount_in_cents = 2
    where amount_in_cents > 0 and transfer_id = (select max(id) from ledger_transfer)`);
  expect((await verify()).faults).toEqual([`Seal 2 of ${pms} no longer matches its 1 transfers.`]);
});

test('a transfer that was changed before the checkpoint is found by a full run only', async () => {
  await postSome(3);
  await seal();
  await verify();
  await postSome(1);
  await doubleEntries('min');
  expect((await verify()).faults).toEqual([]);
  expect((await verify({ full: true })).faults).toEqual([
    `Seal 1 of ${pms} no longer matches its 3 transfers.`,
  ]);
});

test('a chain that was sealed again before the checkpoint is a fault, and everything is checked', async () => {
  await postSome(3);
  await seal();
  await verify();
  await postSome(1);
  await doubleEntries('min');
  // The seals have no key, so a person with the database can make a new one.
  await changeTriggers(stage.db, (tx) =>
    tx.run(sql`alter table ledger_seal disable trigger ledger_seal_append_only`),
  );
  await stage.db.run(sql`delete from ledger_seal`);
  await stage.db.run(sql`
    insert into ledger_unsealed (partner_id, transfer_id)
    select partner_id, id from ledger_transfer on conflict do nothing`);
  await seal();
  const faults = [`The checkpoint of ${pms} does not match seal 1, so the chain was changed.`];
  expect(await verify()).toMatchObject({ checked_transfers: 4, faults });
  // Nothing was saved: the fault stays until somebody removes the checkpoint.
  expect(await verify({ full: true })).toMatchObject({ checked_transfers: 4, faults });
});

test('a forged checkpoint is a fault, and everything is checked', async () => {
  await postSome(3);
  await seal();
  await doubleEntries('min');
  const forged = createVault(randomBytes(32));
  const { report, checkpoints } = await stage.db.transaction((tx) =>
    verifyFromCheckpoints(tx, { vault: forged, full: false, now: stage.clock.now }),
  );
  expect([report.faults.length, checkpoints]).toEqual([1, []]);
  const { sha256 } = await stage.db.one(sealRow, sql`select sha256 from ledger_seal`);
  const checkpoint = {
    partnerId,
    sealNumber: 1,
    sealSha256: sha256,
    transfers: 3,
    lastTransferId: 'trf_z',
    trialBalance: {},
    verifiedAt: stage.clock.now,
  };
  await saveCheckpoints(stage.db, forged, [checkpoint]);
  const faults = [
    `The checkpoint of ${pms} was changed, or its key was removed from SVC_SECRET_KEY before "svc-admin secret rotate".`,
    `Seal 1 of ${pms} no longer matches its 3 transfers.`,
  ];
  expect(await verify()).toMatchObject({ checked_transfers: 3, faults });
});

test.each([
  ['transfers', 'transfers + 1'],
  ['seal_number', 'seal_number - 1'],
  ['last_transfer_id', "'trf_z'"],
  ['trial_balance', `'{"cash": 5}'`],
  ['verified_at', "'2026-01-19T00:00:00Z'"],
])('a checkpoint with another %s is a fault', async (column, value) => {
  await postSome(1);
  await seal();
  await verify();
  await stage.db.run(raw(`update ledger_checkpoint set ${column} = ${value}`));
  expect((await verify()).faults).toEqual([
    expect.stringContaining(`The checkpoint of ${pms} was changed`),
  ]);
});

test('a posted transfer that is neither sealed nor waiting for a seal is found', async () => {
  await postSome(2);
  await seal();
  await verify();
  stage.clock.now = new Date(stage.clock.now.getTime() + 1_000);
  await postSome(2);
  await stage.db.run(sql`
    delete from ledger_unsealed where transfer_id = (select max(id) from ledger_transfer)`);
  expect((await verify()).faults).toEqual([`Of the new transfers of ${pms}, 1 are in no seal.`]);
});

test('clearing is compared with the processor for new transfers and new processor entries', async () => {
  await postSome(1);
  await seal();
  await verify();
  await postSome(1, clearing);
  await stage.db.run(sql`
    insert into tenant (id, partner_id, external_id, created_at, updated_at)
    values ('ten_1', ${partnerId}, 't', ${stage.clock.now}, ${stage.clock.now})`);
  await stage.db.run(sql`
    insert into payment_method (id, partner_id, tenant_id, type, brand, last4, details_sealed,
      created_at)
    values ('pmt_1', ${partnerId}, 'ten_1', 'bank_account', null, '0000', '', ${stage.clock.now})`);
  await stage.db.run(sql`
    insert into processor_entry (id, partner_id, tenant_id, payment_method_id, source_id,
      amount_in_cents, deposit_at, created_at)
    values ('tb_1', ${partnerId}, 'ten_1', 'pmt_1', 'pay_other', 700, '2026-01-21T15:00:00Z',
      ${stage.clock.now})`);
  const missing = `On 2026-01-20 clearing holds 500 cents for pln_${sources}, and the processor knows nothing of it.`;
  const surplus =
    'On 2026-01-21 clearing holds nothing for pay_other, and the processor says 700 cents.';
  expect((await verify()).faults).toEqual([missing, surplus]);
  expect((await verify({ full: true })).faults).toEqual([missing, surplus]);
});

test('a checkpoint of the old key is valid while both keys are listed, and the next run writes the new one', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  await postSome(2);
  await seal();
  await verify({ vault: createVault(oldKey) });
  const both = createVault(newKey, oldKey);
  expect(await verify({ vault: both })).toMatchObject({ checked_transfers: 0, faults: [] });
  expect(await checkpointsOfOtherKeys(stage.db, both)).toEqual([]);
});

test('rotating writes the mac of an old key again, and leaves one of no key', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  await postSome(2);
  await seal();
  await verify({ vault: createVault(oldKey) });
  const both = createVault(newKey, oldKey);
  expect(await checkpointsOfOtherKeys(stage.db, both)).toHaveLength(1);
  expect(await renewCheckpoints(stage.db, both)).toBe(1);
  expect(await checkpointsOfOtherKeys(stage.db, both)).toEqual([]);
  expect(await verify({ vault: createVault(newKey) })).toMatchObject({
    checked_transfers: 0,
    faults: [],
  });
  expect(await renewCheckpoints(stage.db, createVault(randomBytes(32), oldKey))).toBe(0);
});

// The embedded database has the same planner and takes longer.
test.runIf(isOneServer)(
  'a run reads as many rows after twice as many old transfers',
  async () => {
    const old = 3_000;
    const counted = [];
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < old; index += 1_000) {
        await postSome(1_000);
        await seal();
      }
      stage.clock.now = new Date(stage.clock.now.getTime() + 86_400_000);
      await verify();
      await postSome(20);
      await seal(10);
      await stage.db.run(raw('analyze'));
      counted.push(await rowsRead());
      await seal();
      await verify();
    }
    const [few = 0, many = 0] = counted;
    // The planner may scan a table of a few rows, such as that of the seals.
    expect(many).toBeLessThan(few + 50);
    expect(few).toBeLessThan(1_000);
  },
  60_000,
);

async function rowsRead(): Promise<number> {
  const { vault } = stage.service;
  const { rows } = await countReads(stage.db, async (q) => {
    const options = { vault, full: false, now: stage.clock.now };
    // Each statement is counted in a separate transaction.
    const run = async (statement: Parameters<Tx['run']>[0]) =>
      statement.text.startsWith('set transaction') ? 0 : q.run(statement);
    const { report } = await verifyFromCheckpoints({ ...q, run } as Tx, options);
    expect(report).toMatchObject({ checked_transfers: 20, faults: [] });
  });
  return rows;
}
