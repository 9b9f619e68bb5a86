import { AsyncResource } from 'node:async_hooks';
import { type Row, row, type Sql, sql, type Tx, text } from '@svc/db';
import { testKind } from '@svc/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeTriggers } from '../../../test/support/change-triggers.ts';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import { recountTotals, totalsThrough, transfersOfDays } from './day-totals.ts';
import { post, reverse } from './post.ts';
import { partnersToSeal, sealTransfers } from './seal.ts';
import { verifyLedger } from './verify.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

async function postOne(partnerId: string, cents: number, sourceId: string): Promise<void> {
  const transfer = {
    partnerId,
    tenantId: null,
    kind: 'charge_off',
    sourceId,
    occurredAt: stage.clock.now,
    entries: [
      { kind: 'credit_loss', amountInCents: cents },
      { kind: 'tenant_receivable', amountInCents: -cents },
    ],
  } as const;
  await stage.db.transaction((tx) => post({ tx, now: stage.clock.now }, [transfer]));
}

async function postSome(partnerId: string, count: number): Promise<void> {
  for (let cents = 1; cents <= count; cents += 1) {
    await postOne(partnerId, cents, `${partnerId}-${cents}`);
  }
}

const idRow = row('transfer', { id: text });

const seal = (partnerId: string, limit: number) =>
  stage.db.transaction((tx) => sealTransfers({ tx, now: stage.clock.now }, { partnerId, limit }));

test('each partner has its own chain of seals, and a changed entry is found', async () => {
  const { partnerId: one, pms } = await stage.newPartner();
  const { partnerId: two, pms: other } = await stage.newPartner();
  await postSome(one, 5);
  await postSome(two, 3);
  expect(await seal(one, 2)).toBe(2);
  expect(await seal(two, 2)).toBe(2);
  expect(await seal(one, 2)).toBe(2);
  expect(await stage.db.transaction(verifyLedger)).toEqual({
    transfers: 8,
    checked_transfers: 8,
    seals: 3,
    seals_before_partners: 0,
    unsealed: 2,
    trial_balance: { credit_loss: 21, tenant_receivable: -21 },
    faults: [],
    partners: [
      {
        pms,
        transfers: 5,
        checked_transfers: 5,
        seals: 2,
        unsealed: 1,
        trial_balance: { credit_loss: 15, tenant_receivable: -15 },
        faults: [],
      },
      {
        pms: other,
        transfers: 3,
        checked_transfers: 3,
        seals: 1,
        unsealed: 1,
        trial_balance: { credit_loss: 6, tenant_receivable: -6 },
        faults: [],
      },
    ],
  });
  await changeTriggers(stage.db, (tx) =>
    tx.run(sql`alter table ledger_entry disable trigger ledger_entry_append_only`),
  );
  await stage.db.run(sql`
    update ledger_entry set amount_in_cents = amount_in_cents * 2
    where transfer_id = (
      select transfer_ids[1] from ledger_seal where partner_id = ${one} and number = 2)`);
  const { faults, partners } = await stage.db.transaction(verifyLedger);
  expect(faults).toEqual([`Seal 2 of ${pms} no longer matches its 2 transfers.`]);
  expect(partners.map((it) => it.faults.length)).toEqual([1, 0]);
  await expect(stage.db.run(sql`update ledger_seal set sealed_at = sealed_at`)).rejects.toThrow(
    /append-only/,
  );
});

test('totals by day reach each new seal, and are counted again where an earlier version has sealed', async () => {
  const { partnerId, pms } = await stage.newPartner();
  const today = '2100-01-01';
  const totals = () =>
    stage.db.transaction(async (tx) => Object.fromEntries(await totalsThrough(tx, today)));
  const faults = async () => (await stage.db.transaction(verifyLedger)).faults;
  const countAll = (lastSeal: number) =>
    stage.db.transaction((tx) => recountTotals(tx, { partnerId, lastSeal }));
  await postSome(partnerId, 5);
  expect(await totals()).toEqual({});
  await seal(partnerId, 3);
  expect(await totals()).toEqual({ credit_loss: 6, tenant_receivable: -6 });
  expect(await faults()).toEqual([]);

  // A service of 0.2.0 adds a seal and counts nothing.
  await stage.db.run(sql`delete from ledger_day_total`);
  await stage.db.run(sql`update ledger_counted set seal_number = 0`);
  await seal(partnerId, 2);
  expect(await totals()).toEqual({ credit_loss: 15, tenant_receivable: -15 });
  expect(await faults()).toEqual([]);
  await stage.db.run(sql`delete from ledger_counted`);
  expect(await totals()).toEqual({ credit_loss: 15, tenant_receivable: -15 });
  await countAll(2);
  await countAll(2);
  expect(await totals()).toEqual({ credit_loss: 15, tenant_receivable: -15 });
  await postOne(partnerId, 7, 'one more');
  await seal(partnerId, 2);
  expect(await totals()).toEqual({ credit_loss: 22, tenant_receivable: -22 });
  expect(await faults()).toEqual([]);

  await stage.db.run(sql`
    update ledger_day_total set total_in_cents = 21 where kind = 'credit_loss'`);
  expect(await faults()).toEqual([
    `The totals by day of ${pms} differ from its transfers. Delete its row in ledger_counted, and close a day to count again.`,
  ]);
  await stage.db.run(sql`delete from ledger_counted`);
  await countAll(3);
  expect(await faults()).toEqual([]);
});

test('the transfers of days are between the ids of their totals, or not sealed', async () => {
  const { partnerId } = await stage.newPartner();
  const find = (from: string | null, to: string | null) =>
    stage.db.transaction(async (tx) => {
      const days = { partnerIds: [partnerId], kind: 'credit_loss', from, to };
      return (await transfersOfDays(tx, days)).get(partnerId);
    });
  const ids = async () =>
    (
      await stage.db.many(
        idRow,
        sql`select id from ledger_transfer where partner_id = ${partnerId} order by id`,
      )
    ).map(({ id }) => id);
  await postSome(partnerId, 3);
  await seal(partnerId, 2);
  await seal(partnerId, 2);
  stage.clock.now = new Date(stage.clock.now.getTime() + 2 * 86_400_000);
  await postOne(partnerId, 4, 'two days later');
  await seal(partnerId, 1);
  await postOne(partnerId, 5, 'not sealed');
  const [first, , third, fourth, fifth] = await ids();
  const unsealed = [fifth];
  const later = stage.clock.now.toISOString().slice(0, 10);
  expect(await find(later, null)).toMatchObject({ first: fourth, last: fourth, unsealed });
  expect(await find(null, '2000-01-01')).toMatchObject({ first: null, last: null, unsealed });
  expect(await find(null, later)).toMatchObject({ first, last: fourth, unsealed });
  const dayBefore = new Date(stage.clock.now.getTime() - 86_400_000).toISOString().slice(0, 10);
  expect(await find(null, dayBefore)).toMatchObject({ first, last: third, unsealed });
  await stage.db.run(sql`delete from ledger_counted`);
  expect(await find(null, later)).toBeUndefined();
});

test('two processes that seal at once continue one chain', async () => {
  const { partnerId: one } = await stage.newPartner();
  const { partnerId: two } = await stage.newPartner();
  await postSome(one, 5);
  await postSome(two, 1);
  expect((await partnersToSeal(stage.db)).sort()).toEqual([one, two].sort());
  const sealed = await Promise.all([seal(one, 3), seal(one, 3), seal(two, 3), seal(one, 3)]);
  expect([...sealed].sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  expect(await stage.db.transaction(verifyLedger)).toMatchObject({
    seals: 3,
    unsealed: 0,
    faults: [],
  });
  expect(await partnersToSeal(stage.db)).toEqual([]);
});

test('a deleted seal and a transfer that is not listed under its source are found', async () => {
  const { partnerId, pms } = await stage.newPartner();
  await postSome(partnerId, 3);
  await seal(partnerId, 1);
  await seal(partnerId, 2);
  await changeTriggers(stage.db, (tx) =>
    tx.run(sql`alter table ledger_seal disable trigger ledger_seal_append_only`),
  );
  await stage.db.run(sql`delete from ledger_seal where number = 1`);
  await changeTriggers(stage.db, (tx) =>
    tx.run(sql`
    alter table ledger_transfer_source disable trigger ledger_transfer_source_append_only`),
  );
  await stage.db.run(sql`
    update ledger_transfer_source set source_id = 'other' where source_id = ${`${partnerId}-2`}`);
  const { faults } = await stage.db.transaction(verifyLedger);
  expect(faults).toEqual([
    expect.stringMatching(/^Transfer trf_\w+ differs from its row in ledger_transfer_source\.$/),
    `Seal 2 of ${pms} is not the first of its chain: seals before it are missing.`,
    `Of the sealed transfers of ${pms}, 1 are in no seal.`,
  ]);
});

test.skipIf(testKind() === 'pglite')('transfers sealed meanwhile are no fault', async () => {
  const { partnerId } = await stage.newPartner();
  await postSome(partnerId, 2);
  await seal(partnerId, 1);
  // Bound to the outside of the transaction, like another process.
  const sealMeanwhile = AsyncResource.bind(() => seal(partnerId, 1));
  const report = await stage.db.transaction((tx) => {
    const many = async <T extends object>(row: Row<T>, statement: Sql) => {
      const rows = await tx.many(row, statement);
      // Another process seals after the transfers were counted.
      if (row.name === 'ledger counts') await sealMeanwhile();
      return rows;
    };
    return verifyLedger({ ...tx, many } as Tx);
  });
  expect(report).toMatchObject({ seals: 1, unsealed: 1, faults: [] });
});

test('a cause that several processes post at once is posted once for each partner', async () => {
  const { partnerId: one } = await stage.newPartner();
  const { partnerId: two } = await stage.newPartner();
  // The accounts exist, so that the transfers themselves race.
  await postSome(one, 1);
  await postSome(two, 1);
  const racing = await Promise.allSettled(
    [one, two, one, two, one].map((partnerId) => postOne(partnerId, 500, 'pln_1')),
  );
  expect(racing.filter((it) => it.status === 'fulfilled')).toHaveLength(2);
  const { partners, faults } = await stage.db.transaction(verifyLedger);
  expect(partners.map((it) => it.transfers)).toEqual([2, 2]);
  expect(faults).toEqual([]);
});

test('a partner can neither use the account nor reverse the transfer of another', async () => {
  const { partnerId: one } = await stage.newPartner();
  const { partnerId: two } = await stage.newPartner();
  await postSome(one, 1);
  await postSome(two, 1);
  const { id: transferId } = await stage.db.one(
    idRow,
    sql`select id from ledger_transfer where partner_id = ${one}`,
  );
  const { id: accountId } = await stage.db.one(
    idRow,
    sql`select id from ledger_account where partner_id = ${two} limit 1`,
  );
  const entry = sql`
    insert into ledger_entry (partner_id, transfer_id, account_id, amount_in_cents)
    values (${one}, ${transferId}, ${accountId}, 5)`;
  await expect(stage.db.run(entry)).rejects.toThrow(/foreign key/);
  const { now } = stage.clock;
  const reversal = stage.db.transaction((tx) =>
    reverse({ tx, now }, { partnerId: two, transferId }, now),
  );
  await expect(reversal).rejects.toThrow(`partner ${two} has no transfer ${transferId}`);
});
