import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from '../harness.ts';
import { testAccount, testCard } from './play-tenant.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

const slow = { ...testAccount, account_number: '000111110003' };

/** A tenant whose bank answers for the first payment on the next banking day, 2026-02-02 at 9:00. */
const waiting = (externalId: string) => withPlan(svc, partner, externalId, { account: slow });

async function eventsOf(externalId: string): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    svc.db,
    sql`
    select type from webhook_messages where subject = ${externalId}
      and type not like 'application%' and type not like 'tenant%' order by id`,
  );
  return rows.map((it) => it.type);
}

async function countTransfers(externalId: string): Promise<number> {
  const { count } = await oneRowOf<{ count: number }>(
    svc.db,
    sql`
    select count(*) from ledger_transfer l join plan p on p.partner_id = l.partner_id
    join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
    where t.external_id = ${externalId} and (l.source_id = p.id or l.source_id in (
      select y.id from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      where i.partner_id = p.partner_id and i.plan_id = p.id))`,
  );
  return count;
}

test('a processing payment keeps its own method when the tenant changes methods', async () => {
  const tenant = await waiting('t-another');
  await tenant.pay({ ...testCard, number: '4000000000009995' });
  await tenant.simulate('advance_clock', { by: 'P2D' });
  const { state } = await tenant.read();
  const { management } = (await tenant.state()).data;
  expect([state, management.receipts[0].payment_method.type]).toEqual(['active', 'bank_account']);
  expect(management.payment_method.type).toBe('card');
});

test('a processing first payment creates a plan that owes nothing yet and can be canceled', async () => {
  const tenant = await waiting('t-back');
  expect(tenant.accepted.data).toMatchObject({ settlement: null, failure: null });
  const { plan, management, step } = (await tenant.state()).data;
  expect(step).toBe('manage');
  expect(plan).toMatchObject({ state: 'created', settlement_id: null });
  expect(plan.installments.map((it: { state: string }) => it.state)).toEqual([
    'processing',
    'scheduled',
    'scheduled',
    'scheduled',
  ]);
  expect(management).toMatchObject({
    may_cancel: true,
    amounts: { paid_in_cents: 0, left_in_cents: 155_012 },
    receipts: [],
  });
  const early = await tenant.change('pay', { installment_ids: [plan.installments[1].id] });
  expect(early.error?.message).toContain('on its way');
  const canceled = await tenant.change('cancel', {});
  expect(canceled.data.change).toEqual({ plan_id: plan.id, change: 'canceled' });
  expect(canceled.data.state).toMatchObject({ step: 'plan_choice', plan: null });
  expect((await tenant.change('cancel', {})).data.change).toBeNull();
  await tenant.simulate('advance_clock', { by: 'P40D' });
  expect((await tenant.read()).state).toBe('canceled');
  expect(await eventsOf('t-back')).toEqual(['plan.created', 'plan.canceled']);
  expect(await countTransfers('t-back')).toBe(0);
});

test('the bank’s answer activates the plan: settlement, entries and events on that morning', async () => {
  const tenant = await waiting('t-begins');
  await tenant.simulate('advance_clock', { to: '2026-02-02T14:59:00Z' });
  expect((await tenant.read()).state).toBe('created');
  await tenant.simulate('advance_clock', { to: '2026-02-02T15:00:00Z' });
  const plan = await tenant.read();
  expect(plan.state).toBe('active');
  expect(await eventsOf('t-begins')).toEqual([
    'plan.created',
    'plan.activated',
    'settlement.created',
    'installment.paid',
  ]);
  const { data } = await svc.call('GET', `/settlements/${plan.settlement_id}`, {
    key: partner.key,
  });
  expect(data).toMatchObject({ amount_in_cents: 152_012, debit_by: '2026-02-02' });
  expect(await countTransfers('t-begins')).toBe(2);
  const late = await tenant.change('cancel', {});
  expect(late).toMatchObject({ status: 409, error: { code: 'step_not_allowed' } });
  await tenant.simulate('advance_clock', { by: 'P1M' });
  expect((await tenant.read()).state).toBe('completed');
});

test('a returned first payment cancels the plan, and the tenant may try again', async () => {
  const tenant = await waiting('t-comes-back');
  await tenant.simulate('fail_next_payment', { return_code: 'R02' });
  await tenant.simulate('advance_clock', { by: 'P2D' });
  expect(await eventsOf('t-comes-back')).toEqual(['plan.created', 'plan.canceled']);
  expect(await countTransfers('t-comes-back')).toBe(0);
  const { step } = (await tenant.state()).data;
  expect(step).toBe('plan_choice');
});

test('reset cancels a plan whose first payment is processing', async () => {
  const tenant = await waiting('t-reset');
  await tenant.simulate('reset');
  expect((await tenant.read()).state).toBe('canceled');
  const { outcome } = await oneRowOf<{ outcome: string }>(
    svc.db,
    sql`
    select y.outcome from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.plan_id = ${tenant.plan.id}`,
  );
  expect(outcome).toBe('canceled');
});

test('a charge that changes meanwhile cancels the plan, and the tenant gets new quotes', async () => {
  const tenant = await waiting('t-drift');
  const charges = [{ ...ada.charges[0], amount_in_cents: 140_000 }];
  const info = await svc.call('POST', '/tenant/portal_info/t-drift', {
    key: partner.key,
    body: { ...ada, charges },
  });
  expect(info.data.eligibility).toEqual({ state: 'approved', reason: null });
  expect((await tenant.read()).state).toBe('canceled');
  expect((await eventsOf('t-drift')).sort()).toEqual([
    'charge.drift_detected',
    'plan.canceled',
    'plan.created',
  ]);
  const { items } = (await tenant.quotes()).data;
  expect(items[0].amount_financed_in_cents).toBe(140_000);
});
