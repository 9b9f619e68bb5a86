import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { useService } from '../harness.ts';
import { checkAmounts } from './check-amounts.ts';
import { checkDebt, checkMoney, checkPartner } from './check-money.ts';
import { testAccount, testCard } from './play-tenant.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();
type Tenant = Awaited<ReturnType<typeof withPlan>>;

/** Pays a part of the second installment, of which `of` cents are owed. */
const payPart = (tenant: Tenant, amount_in_cents: number, of_in_cents = 38_003) =>
  tenant.change('pay', {
    installment_ids: [tenant.plan.installments[1].id],
    part: { amount_in_cents, of_in_cents },
  });

/** The second installment, after checks that ledger, plan, receipts and history agree. */
async function secondOf(tenant: Tenant) {
  const { data } = await tenant.ownPlan();
  checkAmounts(data);
  await checkMoney(svc.db, tenant.plan);
  await checkPartner(svc.db, partner.id);
  await checkDebt(svc.db, data);
  const { paid_in_cents, left_in_cents } = data.management.amounts.installments[1];
  return { paid_in_cents, left_in_cents, state: data.plan.installments[1].state };
}

/** Reports that the bank returned the newest payment of the second installment. */
async function returnNewest(tenant: Tenant) {
  await svc.db.run(sql`
    insert into processor_event (partner_id, id, tenant_id, payment_id, kind, return_code,
      occurs_at, created_at)
    select y.partner_id, 'pev_' || y.id, p.tenant_id, y.id, 'taken_back', 'R01', 'epoch',
      ${svc.clock.now()}
    from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
    where p.id = ${tenant.plan.id} and i.number = 2 and y.outcome = 'succeeded'
    order by y.id desc limit 1`);
  await tenant.simulate('advance_clock', { by: 'PT1M' });
}

test('the tenant pays a part early, and the rest is collected on its day', async () => {
  const tenant = await withPlan(svc, partner, 'part-early');
  const answer = await payPart(tenant, 10_000);
  expect(answer.data).toMatchObject({ failure: null, repayment: { amount_in_cents: 10_000 } });
  expect(await secondOf(tenant)).toEqual({
    state: 'scheduled',
    paid_in_cents: 10_000,
    left_in_cents: 28_003,
  });
  expect(answer.data.state.management.history[0]).toMatchObject({
    kind: 'paid',
    number: 2,
    amount_in_cents: 10_000,
  });
  await tenant.simulate('advance_clock', { by: 'P9D' });
  expect(await secondOf(tenant)).toEqual({
    state: 'paid',
    paid_in_cents: 38_003,
    left_in_cents: 0,
  });
});

test('a second window cannot pay the same part again', async () => {
  const tenant = await withPlan(svc, partner, 'part-twice');
  const answers = await Promise.all([payPart(tenant, 10_000), payPart(tenant, 10_000)]);
  const paid = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2 - paid.length);
  expect((await payPart(tenant, 10_000)).error?.code).toBe('version_conflict');
  expect(await secondOf(tenant)).toMatchObject({ paid_in_cents: 10_000, left_in_cents: 28_003 });
});

test.each([
  ['less than the program allows', 1_999],
  ['so much that too little remains', 36_004],
])('%s is refused with the amounts that may be paid', async (_, amount) => {
  const tenant = await withPlan(svc, partner, `part-${amount}`);
  const { error } = await payPart(tenant, amount);
  expect(error).toMatchObject({
    code: 'validation_failed',
    errors: [{ param: 'part.amount_in_cents', message: 'must be from 2000 to 36003' }],
  });
  const { plan, management } = (await tenant.ownPlan()).data;
  expect(management.installments[1].part_payment).toEqual({
    least_in_cents: 2_000,
    most_in_cents: 36_003,
  });
  const ids = plan.installments.map(({ id }: { id: string }) => id);
  const part = { amount_in_cents: 10_000, of_in_cents: 38_003 };
  const several = await tenant.change('pay', { installment_ids: ids, part });
  expect(several.error?.errors).toMatchObject([{ param: 'installment_ids' }]);
});

test('a part that the bank refuses leaves the payment as it was', async () => {
  const tenant = await withPlan(svc, partner, 'part-refused');
  await tenant.simulate('fail_next_payment', { return_code: 'R01' });
  expect((await payPart(tenant, 10_000)).data.failure.code).toBe('payment_failed:R01');
  expect(await secondOf(tenant)).toEqual({
    state: 'scheduled',
    paid_in_cents: 0,
    left_in_cents: 38_003,
  });
});

test('a part that the bank returns is owed again with the rest', async () => {
  const tenant = await withPlan(svc, partner, 'part-returned');
  await payPart(tenant, 10_000);
  await returnNewest(tenant);
  expect(await secondOf(tenant)).toEqual({
    state: 'scheduled',
    paid_in_cents: 0,
    left_in_cents: 38_003,
  });
});

test('after the payment is complete, a returned part is the only amount owed', async () => {
  const tenant = await withPlan(svc, partner, 'part-then-rest', { account: testCard });
  await payPart(tenant, 10_000);
  await payPart(tenant, 5_000, 28_003);
  const installment_ids = [tenant.plan.installments[1].id];
  await tenant.change('pay', { installment_ids });
  expect(await secondOf(tenant)).toMatchObject({ state: 'paid', paid_in_cents: 38_003 });
  await returnNewest(tenant);
  expect(await secondOf(tenant)).toMatchObject({ paid_in_cents: 15_000, left_in_cents: 23_003 });
  await returnNewest(tenant);
  expect(await secondOf(tenant)).toMatchObject({ paid_in_cents: 10_000, left_in_cents: 28_003 });
});

test('a part of a late payment is paid, and a credit for the rest completes the plan', async () => {
  const tenant = await withPlan(svc, partner, 'part-late');
  await tenant.change('autopay', { enabled: false });
  await tenant.simulate('advance_clock', { by: 'P10D' });
  await payPart(tenant, 10_000);
  expect(await secondOf(tenant)).toMatchObject({ state: 'overdue', left_in_cents: 28_003 });
  const { settlement_id } = await tenant.read();
  const { key } = partner;
  const body = { status: 'verified' };
  await svc.call('PATCH', `/settlements/${settlement_id}`, { key, body });
  const refund = { key, body: { amount_in_cents: 104_009 } };
  const credited = await svc.call('POST', `/settlements/${settlement_id}/refunds`, refund);
  expect(credited.status).toBe(200);
  expect(await secondOf(tenant)).toEqual({
    state: 'paid',
    paid_in_cents: 10_000,
    left_in_cents: 0,
  });
  expect((await tenant.read()).state).toBe('completed');
});

test('what remains of a partly paid plan is written off and still owed', async () => {
  const tenant = await withPlan(svc, partner, 'part-written-off', { account: testAccount });
  await tenant.change('autopay', { enabled: false });
  await payPart(tenant, 10_000);
  await tenant.simulate('advance_clock', { by: 'P65D' });
  await tenant.simulate('advance_clock', { by: 'P65D' });
  const { state } = await tenant.read();
  expect(state).toBe('charged_off');
  expect(await secondOf(tenant)).toMatchObject({ paid_in_cents: 10_000, left_in_cents: 28_003 });
  const { lost } = await oneRowOf<{ lost: number }>(
    svc.db,
    sql`
    select sum(e.amount_in_cents)::int8 as lost from ledger_transfer l
      join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id and a.kind = 'credit_loss'
    where l.source_id = ${tenant.plan.id}`,
  );
  expect(lost).toBe(104_009);
});
