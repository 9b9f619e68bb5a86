import { sql } from '@svc/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBankingDays } from '../../src/domain/plans/offer/banking-days.ts';
import { type Running, startRunning } from '../harness.ts';
import { type Partner, withPlan } from './with-plan.ts';

let svc: Running;
let partner: Partner;
beforeAll(async () => {
  svc = await startRunning();
  partner = await svc.newPartner();
});
afterAll(() => svc.close());

const patch = (id: string, body: object) =>
  svc.call('PATCH', `/settlements/${id}`, { key: partner.key, body });
const list = async (query: string) =>
  (await svc.call('GET', `/settlements?${query}`, { key: partner.key })).data.items;

async function balanceOf(kind: string): Promise<number> {
  const { total } = await svc.db.one<{ total: number }>(sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as total from ledger_entry e
    join ledger_account a on a.id = e.account_id
    where a.partner_id = ${partner.id} and a.kind = ${kind}`);
  return total;
}

test('a debit that arrived: on its way in clearing, then gone from it', async () => {
  const tenant = await withPlan(svc, partner, 't-arrives');
  const id = tenant.plan.settlement_id;
  const sent = await patch(id, { status: 'unverified', processor_transaction_id: 'ach-1' });
  expect(sent.data).toMatchObject({ status: 'unverified', processor_transaction_id: 'ach-1' });
  expect(await balanceOf('settlement_clearing')).toBe(-152_012);
  expect((await patch(id, { status: 'unverified' })).data.version).toBe(sent.data.version);
  await patch(id, { status: 'verified' });
  expect(await balanceOf('settlement_clearing')).toBe(0);
  expect(await balanceOf('partner_payable')).toBe(0);
  const back = await patch(id, { status: 'unverified' });
  expect(back).toMatchObject({ status: 409, error: { code: 'settlement_transition_invalid' } });
  expect((await list('processor_transaction_id=ach-1')).map((it: { id: string }) => it.id)).toEqual(
    [id],
  );
});

test('a debit that failed: the debt to the portal stands again, and both events say so', async () => {
  const tenant = await withPlan(svc, partner, 't-fails');
  const id = tenant.plan.settlement_id;
  const early = await patch(id, { status: 'unverified', failure_reason: 'closed' });
  expect(early.error?.errors?.[0]?.param).toBe('failure_reason');
  await patch(id, { status: 'unverified' });
  const failed = await patch(id, { status: 'failed', failure_reason: 'closed' });
  expect(failed.data.failure_reason).toBe('closed');
  expect(await balanceOf('settlement_clearing')).toBe(0);
  const types = await svc.db.many<{ type: string }>(sql`
    select type from webhook_messages where subject = 't-fails' and type like 'settlement%'
    order by id`);
  expect(types.map((it) => it.type)).toEqual([
    'settlement.created',
    'settlement.updated',
    'settlement.updated',
    'settlement.failed',
  ]);
});

test('fifty reports of the same debit move it once', async () => {
  const tenant = await withPlan(svc, partner, 't-race');
  const id = tenant.plan.settlement_id;
  const before = await balanceOf('cash');
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => patch(id, { status: 'verified' })),
  );
  expect(answers.every((it) => it.status === 200)).toBe(true);
  expect((await balanceOf('cash')) - before).toBe(-152_012);
});

test('one that nobody debits is stale; the day’s report adds up in rows and in CSV', async () => {
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
