import { row, sql, text } from '@svc/db';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from '../../../test/support/open-stage.ts';
import { type Entry, post, reverse } from './post.ts';
import { verifyLedger } from './verify.ts';

let stage: Stage;
let partnerId: string;
let turn = 0;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** A tenant who paid 30.00 and 20.00; the bank deposited the first of them. */
beforeEach(async () => {
  turn += 1;
  ({ partnerId } = await stage.newPartner());
  const { now } = stage.clock;
  await stage.db.run(sql`
    insert into tenant (id, partner_id, external_id, created_at, updated_at)
    values (${name('ten')}, ${partnerId}, 't', ${now}, ${now})`);
  await stage.db.run(sql`
    insert into payment_method (id, partner_id, tenant_id, type, brand, last4, details_sealed,
      created_at)
    values (${name('pmt')}, ${partnerId}, ${name('ten')}, 'bank_account', null, '0000', '', ${now})`);
  await postOne('payment', name('pay_1'), 3_000);
  await postOne('payment', name('pay_2'), 2_000);
  await note(name('pay_1'), 3_000);
  await note(name('pay_2'), 2_000);
  await stage.db.run(sql`
    insert into deposit (id, partner_id, deposited_on, processor_deposit_id, expected_in_cents,
      amount_in_cents, created_at)
    values (${name('dep')}, ${partnerId}, '2026-01-21', ${name('tb')}, 3000, 2900, ${now})`);
  await stage.db.run(sql`
    update processor_entry set deposit_id = ${name('dep')}, deposited_in_cents = 2900
    where source_id = ${name('pay_1')}`);
  await postOne('deposit', name('dep'), -2_900);
});

const transferRow = row('transfer', { id: text });

const name = (what: string) => `${what}_${turn}`;

function postOne(kind: 'payment' | 'deposit', sourceId: string, cents: number) {
  const { now } = stage.clock;
  const entries: Entry[] = [
    { kind: 'processor_clearing', amountInCents: cents },
    { kind: kind === 'deposit' ? 'cash' : 'fee_income', amountInCents: -cents },
  ];
  const transfer = { partnerId, tenantId: null, kind, sourceId, occurredAt: now, entries };
  return stage.db.transaction((tx) => post({ tx, now }, [transfer]));
}

function note(sourceId: string, cents: number) {
  const { now } = stage.clock;
  return stage.db.run(sql`
    insert into processor_entry (id, partner_id, tenant_id, payment_method_id, source_id,
      amount_in_cents, deposit_at, created_at)
    values (${`tb_${sourceId}`}, ${partnerId}, ${name('ten')}, ${name('pmt')}, ${sourceId},
      ${cents}, '2026-01-21T15:00:00Z', ${now})`);
}

/** Returns the faults of the current test, because each test leaves its faults in the database. */
async function faults(): Promise<string[]> {
  const all = (await stage.db.transaction(verifyLedger)).faults;
  return all.filter((it) => new RegExp(`_${turn}\\b|trf_`).test(it));
}

test('books that agree have no faults, even if the bank kept part of a deposit', async () => {
  expect(await faults()).toEqual([]);
});

test('an entry with another amount is named with its day', async () => {
  await stage.db.run(sql`
    update processor_entry set amount_in_cents = 2001 where source_id = ${name('pay_2')}`);
  expect(await faults()).toEqual([
    `On 2026-01-21 clearing holds 2000 cents for ${name('pay_2')}, and the processor says 2001 cents.`,
  ]);
});

test('a movement that only one side has is named', async () => {
  await stage.db.run(sql`delete from processor_entry where source_id = ${name('pay_2')}`);
  await note(name('pay_3'), 700);
  expect(await faults()).toEqual([
    `On 2026-01-20 clearing holds 2000 cents for ${name('pay_2')}, and the processor knows nothing of it.`,
    `On 2026-01-21 clearing holds nothing for ${name('pay_3')}, and the processor says 700 cents.`,
  ]);
});

test('a deposit whose lines were changed is named with its day', async () => {
  await stage.db.run(sql`
    update processor_entry set deposited_in_cents = 3000 where source_id = ${name('pay_1')}`);
  expect(await faults()).toEqual([
    `On 2026-01-21 clearing holds 2900 cents for ${name('dep')}, and the processor says 3000 cents.`,
  ]);
});

test('a reversal needs a processor entry, too', async () => {
  const { now } = stage.clock;
  const { id } = await stage.db.one(
    transferRow,
    sql`select id from ledger_transfer where source_id = ${name('pay_2')}`,
  );
  const back = await stage.db.transaction((tx) =>
    reverse({ tx, now }, { partnerId, transferId: id }, now),
  );
  expect(await faults()).toEqual([
    `On 2026-01-20 clearing holds -2000 cents for ${back.id}, and the processor knows nothing of it.`,
  ]);
  await note(back.id, -2_000);
  expect(await faults()).toEqual([]);
});
