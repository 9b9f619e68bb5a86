import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { addBankingDays } from '../../src/domain/tenants/banking-days.ts';
import { useService } from '../harness.ts';
import { testAccount } from './play-tenant.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

const patch = (id: string, body: object) =>
  svc.call('PATCH', `/settlements/${id}`, { key: partner.key, body });
const list = async (query: string) =>
  (await svc.call('GET', `/settlements?${query}`, { key: partner.key })).data.items;

const refund = (id: string, body: object) =>
  svc.call('POST', `/settlements/${id}/refunds`, { key: partner.key, body });

async function eventsOf(externalId: string, types: string): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    svc.db,
    sql`
    select type from webhook_messages where subject = ${externalId} and type like ${types}
    order by id`,
  );
  return rows.map((it) => it.type);
}

/** How many of a tenant's entries the processor has not deposited, and by how much deposits were short. */
async function clearingOf(externalId: string) {
  return oneRowOf<{ waiting: number; difference: number }>(
    svc.db,
    sql`
    select count(*) filter (where deposit_id is null) as waiting,
      coalesce(sum(amount_in_cents - deposited_in_cents), 0)::int8 as difference
    from processor_entry e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
    where t.external_id = ${externalId}`,
  );
}

async function balanceOf(kind: string): Promise<number> {
  const { total } = await oneRowOf<{ total: number }>(
    svc.db,
    sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as total from ledger_entry e
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where a.partner_id = ${partner.id} and a.kind = ${kind}`,
  );
  return total;
}

test('a debit that arrived passes through clearing', async () => {
  const tenant = await withPlan(svc, partner, 't-arrives');
  const id = tenant.plan.settlement_id;
  await patch(id, { status: 'unverified' });
  // The id of the debit is reported later.
  const sent = await patch(id, { status: 'unverified', processor_transaction_id: 'ach-1' });
  expect(sent.data).toMatchObject({ status: 'unverified', processor_transaction_id: 'ach-1' });
  expect(await balanceOf('settlement_clearing')).toBe(-152_012);
  expect((await patch(id, { status: 'unverified' })).data.version).toBe(sent.data.version);
  await patch(id, { status: 'verified' });
  expect(await balanceOf('settlement_clearing')).toBe(0);
  expect(await balanceOf('partner_payable')).toBe(0);
  const other = await patch(id, { status: 'verified', processor_transaction_id: 'ach-9' });
  expect(other).toMatchObject({ status: 422, error: { param: 'processor_transaction_id' } });
  const back = await patch(id, { status: 'unverified' });
  expect(back).toMatchObject({ status: 409, error: { code: 'settlement_transition_invalid' } });
  expect((await list('processor_transaction_id=ach-1')).map((it: { id: string }) => it.id)).toEqual(
    [id],
  );
});

test('a failed debit restores the debt to the portal and emits both events', async () => {
  const tenant = await withPlan(svc, partner, 't-fails');
  const id = tenant.plan.settlement_id;
  const early = await patch(id, { status: 'unverified', failure_reason: 'closed' });
  expect(early.error?.errors?.[0]?.param).toBe('failure_reason');
  await patch(id, { status: 'unverified' });
  const failed = await patch(id, { status: 'failed', failure_reason: 'closed' });
  expect(failed.data.failure_reason).toBe('closed');
  expect(await balanceOf('settlement_clearing')).toBe(0);
  const types = await rowsOf<{ type: string }>(
    svc.db,
    sql`
    select type from webhook_messages where subject = 't-fails' and type like 'settlement%'
    order by id`,
  );
  expect(types.map((it) => it.type)).toEqual([
    'settlement.created',
    'settlement.updated',
    'settlement.updated',
    'settlement.failed',
  ]);
});

test('fifty concurrent reports of one debit have one effect', async () => {
  const tenant = await withPlan(svc, partner, 't-race');
  const id = tenant.plan.settlement_id;
  const before = await balanceOf('cash');
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => patch(id, { status: 'verified' })),
  );
  expect(answers.every((it) => it.status === 200)).toBe(true);
  expect((await balanceOf('cash')) - before).toBe(-152_012);
});

test('a settlement that is not debited becomes stale; the report adds up in rows and in CSV', async () => {
  const tenant = await withPlan(svc, partner, 't-stale');
  const [{ debit_by }] = await list('external_id=t-stale');
  await tenant.simulate('advance_clock', { to: `${addBankingDays(debit_by, 3)}T18:00:00Z` });
  expect(await list('is_stale=true&external_id=t-stale')).toHaveLength(0);
  await tenant.simulate('advance_clock', { by: 'P1D' });
  const [stale] = await list('is_stale=true&external_id=t-stale');
  expect(stale).toMatchObject({ id: tenant.plan.settlement_id, is_stale: true });
  const day = svc.clock.now().toISOString().slice(0, 10);
  const report = await svc.call('GET', `/settlements/report?date=${day}`, { key: partner.key });
  const { items, totals, csv } = report.data;
  const count = totals.reduce((sum: number, it: { count: number }) => sum + it.count, 0);
  expect(count).toBe(items.length);
  expect(csv.trimEnd().split('\r\n')).toHaveLength(items.length + 1);
});

test('a debit returned after it arrived reverses its entries, and the charge is owed again', async () => {
  const tenant = await withPlan(svc, partner, 't-returned');
  const id = tenant.plan.settlement_id;
  const back = (body: object = {}) =>
    svc.call('POST', `/settlements/${id}/return`, { key: partner.key, body });
  const early = await back();
  expect(early).toMatchObject({ status: 409, error: { code: 'settlement_transition_invalid' } });
  const [cash, payable] = [await balanceOf('cash'), await balanceOf('partner_payable')];
  await patch(id, { status: 'verified', processor_transaction_id: 'ach-2' });
  const returned = await back({ reason: 'R10' });
  expect(returned.data).toMatchObject({ status: 'returned', failure_reason: 'R10' });
  expect((await back()).data.version).toBe(returned.data.version);
  expect([await balanceOf('cash'), await balanceOf('partner_payable')]).toEqual([cash, payable]);
  expect(await balanceOf('settlement_clearing')).toBe(0);
  expect((await patch(id, { status: 'verified' })).status).toBe(409);
  expect((await patch(id, { status: 'returned' })).status).toBe(422);
  expect(await eventsOf('t-returned', 'settlement.%')).toEqual([
    'settlement.created',
    'settlement.updated',
    'settlement.updated',
    'settlement.failed',
  ]);
  await tenant.change('pay', {
    installment_ids: tenant.plan.installments.map((it: { id: string }) => it.id),
  });
  expect((await tenant.read()).state).toBe('completed');
  expect((await tenant.state()).data.cycle.amount_due_in_cents).toBe(152_012);
});

test('only the operator can reopen a failed or returned settlement, to be debited and returned again', async () => {
  const tenant = await withPlan(svc, partner, 't-again');
  const id = tenant.plan.settlement_id;
  const reopen = () => svc.administer({ command: 'settlement reopen', settlement_id: id });
  const reopened = (from: string) => ({
    ok: true,
    result: expect.objectContaining({
      status: 'unsettled',
      debit_by: from,
      processor_transaction_id: null,
      failure_reason: null,
    }),
  });
  expect(await reopen()).toEqual({
    ok: false,
    message:
      'This settlement is unsettled. Only one whose debit failed or was returned can be reopened.',
  });
  await patch(id, { status: 'unverified', processor_transaction_id: 'ach-a' });
  await patch(id, { status: 'failed', failure_reason: 'R02' });
  expect((await patch(id, { status: 'unsettled' })).status).toBe(409);
  expect((await patch(id, { status: 'unverified' })).status).toBe(409);
  await tenant.simulate('advance_clock', { to: '2026-02-04T18:00:00Z' });
  const [cash, payable] = [await balanceOf('cash'), await balanceOf('partner_payable')];
  expect(await reopen()).toEqual(reopened('2026-02-04'));
  expect(await reopen()).toMatchObject({ ok: false });
  await patch(id, { status: 'verified', processor_transaction_id: 'ach-b' });
  const again = await svc.call('POST', `/settlements/${id}/return`, { key: partner.key, body: {} });
  expect(again.data.status).toBe('returned');
  expect([await balanceOf('cash'), await balanceOf('partner_payable')]).toEqual([cash, payable]);
  expect(await reopen()).toEqual(reopened('2026-02-04'));
  await patch(id, { status: 'verified', processor_transaction_id: 'ach-c' });
  expect([await balanceOf('cash'), await balanceOf('partner_payable')]).toEqual([
    cash - 152_012,
    payable + 152_012,
  ]);
  expect(await balanceOf('settlement_clearing')).toBe(0);
  const changes = await rowsOf<{ change: string }>(
    svc.db,
    sql`
    select (body::json #>> '{data,old_status}') || ' ' || (body::json #>> '{data,new_status}')
      as change
    from webhook_messages where subject = 't-again' and type = 'settlement.updated' order by id`,
  );
  expect(changes.map((it) => it.change)).toEqual([
    'unsettled unverified',
    'unverified failed',
    'failed unsettled',
    'unsettled verified',
    'verified returned',
    'returned unsettled',
    'unsettled verified',
  ]);
  await tenant.simulate('reset');
  expect(await svc.administer({ command: 'ledger verify' })).toMatchObject({
    ok: true,
    result: { faults: [] },
  });
  expect(await balanceOf('partner_payable')).toBe(payable + 152_012);
});

test('refunds by the portal reduce the last payments first and then go to the tenant', async () => {
  const tenant = await withPlan(svc, partner, 't-refund');
  const { settlement_id: id, installments } = tenant.plan;
  const early = await refund(id, { amount_in_cents: 100 });
  expect(early).toMatchObject({ status: 409, error: { code: 'refund_not_possible' } });
  await patch(id, { status: 'verified', processor_transaction_id: 'ach-3' });
  const wrong = await refund(id, { amount_in_cents: 152_013, charge_id: 'C-9' });
  expect(wrong.error?.errors?.map((it) => it.param)).toEqual(['amount_in_cents', 'charge_id']);
  const first = await refund(id, { amount_in_cents: 40_000, charge_id: 'C-1', reason: 'repair' });
  expect(first.data).toMatchObject({ credited_in_cents: 40_000, paid_back_in_cents: 0 });
  const plan = await tenant.read();
  expect(plan.installments.map((it: { state: string }) => it.state)).toEqual([
    'paid',
    'scheduled',
    'scheduled',
    'canceled',
  ]);
  const [, , third, fourth] = installments;
  const rest = third.amount_in_cents - (40_000 - fourth.amount_in_cents);
  expect(plan.installments[2].amount_in_cents).toBe(rest);
  await tenant.simulate('advance_clock', { by: 'P1M' });
  expect((await tenant.read()).state).toBe('completed');
  const second = await refund(id, { amount_in_cents: 10_000 });
  expect(second.data).toMatchObject({ credited_in_cents: 0, paid_back_in_cents: 10_000 });
  const { management } = (await tenant.state()).data;
  expect(management.amounts).toMatchObject({
    credited_in_cents: 40_000,
    refunded_in_cents: 10_000,
  });
  expect(management.history.map((it: { kind: string }) => it.kind)).toEqual(
    expect.arrayContaining(['credited', 'refunded']),
  );
  const listed = await svc.call('GET', `/settlements/${id}/refunds`, { key: partner.key });
  expect(listed.data.items.map((it: { id: string }) => it.id)).toEqual([
    second.data.id,
    first.data.id,
  ]);
  const { data } = await svc.call('GET', `/settlements/${id}`, { key: partner.key });
  expect(data.refunded_in_cents).toBe(50_000);
  expect(await eventsOf('t-refund', 'plan.updated')).toHaveLength(2);
  await tenant.simulate('advance_clock', { by: 'P5D' });
  expect(await clearingOf('t-refund')).toEqual({ waiting: 0, difference: 0 });
});

test('fifty concurrent refunds never exceed the settlement', async () => {
  const tenant = await withPlan(svc, partner, 't-refunds');
  const id = tenant.plan.settlement_id;
  await patch(id, { status: 'verified', processor_transaction_id: 'ach-4' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => refund(id, { amount_in_cents: 50_000 })),
  );
  expect(answers.filter((it) => it.status === 200)).toHaveLength(3);
  expect(answers.filter((it) => it.status === 422)).toHaveLength(47);
  expect((await tenant.read()).state).toBe('completed');
});

test('payments are deposited on the next banking day; a short deposit is in the report', async () => {
  const fine = await withPlan(svc, partner, 't-fine');
  const account = { ...testAccount, account_number: '000111110004' };
  const short = await withPlan(svc, partner, 't-short', { account });
  const before = await oneRowOf<{ count: number }>(
    svc.db,
    sql`
    select count(*) from processor_entry e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
    where t.external_id = 't-fine' and e.deposit_id is null`,
  );
  expect(before.count).toBe(1);
  for (const it of [fine, short]) await it.simulate('advance_clock', { by: 'P2M' });
  expect(await clearingOf('t-fine')).toEqual({ waiting: 0, difference: 0 });
  expect(await clearingOf('t-short')).toEqual({ waiting: 0, difference: 400 });
  await patch(fine.plan.settlement_id, { status: 'verified', processor_transaction_id: 'ach-1' });
  await patch(short.plan.settlement_id, { status: 'verified' });
  const day = svc.clock.now().toISOString().slice(0, 10);
  const { data } = await svc.call('GET', `/settlements/report?date=${day}`, { key: partner.key });
  const codeOf = (id: string) =>
    data.mismatches
      .filter((it: { id: string }) => it.id === id)
      .map((it: { code: string }) => it.code);
  expect(codeOf(fine.plan.settlement_id)).toEqual(['processor_transaction_id_repeated']);
  expect(codeOf(short.plan.settlement_id)).toEqual(['processor_transaction_id_missing']);
  const differing = data.deposits.filter((it: { id: string }) => codeOf(it.id).length > 0);
  expect(differing).toHaveLength(4);
  const [{ mismatches }] = differing;
  expect(mismatches[0].expected_in_cents - mismatches[0].amount_in_cents).toBe(100);
});

test('the CSV report contains no spreadsheet formulas', async () => {
  const tenant = await withPlan(svc, partner, '=HYPERLINK("http://x","y")');
  await patch(tenant.plan.settlement_id, {
    status: 'unverified',
    processor_transaction_id: '+1,5',
  });
  const day = svc.clock.now().toISOString().slice(0, 10);
  const ask = (headers: Record<string, string>) =>
    fetch(`${svc.url}/v1/settlements/report.csv?date=${day}`, { headers });
  const file = await ask({ authorization: `Bearer ${partner.key}` });
  expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(file.headers.get('content-disposition')).toContain(`settlements-${day}.csv`);
  const text = await file.text();
  expect(text).toMatch(/^id,external_id,.*mismatches\r\n/);
  expect(text).toContain(`,"'=HYPERLINK(""http://x"",""y"")",`);
  expect(text).toContain(`,"'+1,5",`);
  const refused = await ask({});
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    401,
    'application/json; charset=utf-8',
  ]);
});
