import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { verifyLedger } from '../src/domain/ledger/verify.ts';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import { useService } from './harness.ts';
import { checkAmounts } from './journeys/check-amounts.ts';
import { checkDebt, checkMoney } from './journeys/check-money.ts';
import { testAccount } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

const slow = { ...testAccount, account_number: '000111110003' };

type Tenant = Awaited<ReturnType<typeof withPlan>>;

const waive = ({ plan }: Tenant, amount_in_cents?: number): OperatorRequest => ({
  command: 'plan waive-fee',
  plan_id: plan.id,
  ...(amount_in_cents === undefined ? { all: true } : { amount_in_cents }),
});
const move = ({ plan }: Tenant, number: number, to: string): OperatorRequest => ({
  command: 'plan move',
  plan_id: plan.id,
  payment_number: number,
  due_date: to,
});

async function run(request: OperatorRequest): Promise<Record<string, unknown>> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return { ...answer.result };
}

async function refusal(request: OperatorRequest): Promise<string> {
  const answer = await svc.administer(request);
  return answer.ok ? `done: ${JSON.stringify(answer.result)}` : answer.message;
}

/** The bank says that the tenant's account did not permit the first payment, so autopay ends, too. */
async function returnFirst({ plan }: Tenant) {
  const { id } = await oneRowOf<{ id: string }>(
    svc.db,
    sql`
    select y.id from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.plan_id = ${plan.id} order by y.id limit 1`,
  );
  await run({ command: 'payment return', payment_id: id, code: 'R10' });
}

/** The newest event of a type about a tenant. */
async function eventOf({ externalId }: Tenant, type: string) {
  const { body } = await oneRowOf<{ body: string }>(
    svc.db,
    sql`
    select body from webhook_messages where subject = ${externalId} and type = ${type}
    order by id desc limit 1`,
  );
  return JSON.parse(body).data;
}

async function mailsOf({ externalId }: Tenant, type: string) {
  return rowsOf<{ data: Record<string, unknown> }>(
    svc.db,
    sql`
    select m.data from mail m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where t.external_id = ${externalId} and m.type = ${type} order by m.id`,
  );
}

async function auditOf({ plan }: Tenant) {
  const { data } = await svc.call('GET', '/webhooks/audit_log', { key: partner.key });
  return data.items.filter((it: { subject_id: string | null }) => it.subject_id === plan.id);
}

/** Expects that the amounts the tenant sees agree with the ledger. */
async function check(tenant: Tenant) {
  await checkMoney(svc.db, tenant.plan);
  const own = (await tenant.ownPlan()).data;
  await checkDebt(svc.db, own);
  checkAmounts(own);
  expect(await svc.db.transaction(verifyLedger)).toMatchObject({ faults: [] });
  return own.management;
}

test('a waived fee lowers the last payment, and is no income', async () => {
  const tenant = await withPlan(svc, partner, 't-waived');
  const result = await run(waive(tenant, 1_000));
  expect(result).toMatchObject({
    amount_in_cents: 1_000,
    fee_in_cents: 3_000,
    left_in_cents: 113_009,
    changed: [{ number: 4, was_in_cents: 38_003, amount_in_cents: 37_003 }],
  });
  expect(describeResult(waive(tenant, 1_000), result)).toContain(
    'Payment 4, due Feb 23, 2026: $370.03 instead of $380.03.',
  );

  const { amounts, history } = await check(tenant);
  expect(amounts).toMatchObject({ credited_in_cents: 1_000, waived_in_cents: 1_000 });
  expect(history[0]).toMatchObject({ kind: 'fee_waived', amount_in_cents: 1_000 });
  const entries = await rowsOf(
    svc.db,
    sql`
    select a.kind, e.amount_in_cents::int as amount from ledger_transfer l
      join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
      join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
    where l.source_id = ${tenant.plan.id} and l.kind = 'fee_waived' order by 1`,
  );
  expect(entries).toEqual([
    { kind: 'fee_income', amount: 1_000 },
    { kind: 'tenant_receivable', amount: -1_000 },
  ]);
  const event = await eventOf(tenant, 'plan.updated');
  expect(event).toMatchObject({ change: 'fee_waived', fee_in_cents: 3_000 });
  expect(event.installments[3].amount_in_cents).toBe(37_003);
  expect(await mailsOf(tenant, 'plan.refunded')).toMatchObject([
    { data: { credited_in_cents: 1_000, is_fee_waiver: true, left_in_cents: 113_009 } },
  ]);
  expect(await auditOf(tenant)).toMatchObject([
    { action: 'plan.fee_waived', details: { amount_in_cents: 1_000, reason: expect.any(String) } },
  ]);
});

test('a fee is waived once, and never more than the fee', async () => {
  const tenant = await withPlan(svc, partner, 't-waived-once');
  expect(await refusal(waive(tenant, 3_001))).toContain('At most 3000 cents can be waived');
  await run(waive(tenant));
  expect(await refusal(waive(tenant, 1))).toContain('was waived already');
  const { amounts } = await check(tenant);
  expect(amounts.waived_in_cents).toBe(3_000);
});

test('the first payment becomes less if the bank returned it', async () => {
  const tenant = await withPlan(svc, partner, 't-waived-first');
  await returnFirst(tenant);
  expect((await check(tenant)).amounts.installments[0].left_in_cents).toBe(41_003);
  expect(await run(waive(tenant))).toMatchObject({
    changed: [{ number: 1, was_in_cents: 41_003, amount_in_cents: 38_003 }],
  });
  const { amounts } = await check(tenant);
  expect(amounts.installments[0]).toMatchObject({
    credited_in_cents: 3_000,
    left_in_cents: 38_003,
  });
});

test('a waiver of all that is left completes the plan', async () => {
  const tenant = await withPlan(svc, partner, 't-waived-end');
  const [, second, third, fourth] = tenant.plan.installments;
  await tenant.change('pay', { installment_ids: [second.id, third.id] });
  const part = { amount_in_cents: 36_003, of_in_cents: 38_003 };
  await tenant.change('pay', { installment_ids: [fourth.id], part });
  expect(await run(waive(tenant))).toMatchObject({ amount_in_cents: 2_000, left_in_cents: 0 });
  expect((await tenant.read()).state).toBe('completed');
  expect(await eventOf(tenant, 'plan.completed')).toMatchObject({ plan_id: tenant.plan.id });
  await check(tenant);
  expect(await refusal(waive(tenant, 1))).toContain('was waived already');
});

test('a plan that has not begun, is canceled or charged off has no fee to waive', async () => {
  const tenant = await withPlan(svc, partner, 't-waived-not', { account: slow });
  expect(await refusal(waive(tenant))).toContain('Cancel the plan instead');
  await run({ command: 'plan cancel', plan_id: tenant.plan.id });
  expect(await refusal(waive(tenant))).toContain('This plan is canceled');
  const lost = await withPlan(svc, partner, 't-waived-lost');
  await run(waive(lost, 500));
  await returnFirst(lost);
  await lost.simulate('advance_clock', { by: 'P200D' });
  expect((await lost.read()).state).toBe('charged_off');
  const { amounts } = await check(lost);
  expect(amounts).toMatchObject({ waived_in_cents: 500, credited_in_cents: 500 });
  expect(await refusal(waive({ ...lost, plan: { id: 'pln_none' } }))).toContain('There is no plan');
});

test.each([0, 1, 2, 3])('a collection and a waiver at once, round %s', async (round) => {
  const tenant = await withPlan(svc, partner, `t-race-${round}`);
  const last = tenant.plan.installments[3];
  const pay = () => tenant.change('pay', { installment_ids: [last.id] });
  const both = round % 2 === 0 ? [run(waive(tenant)), pay()] : [pay(), run(waive(tenant))];
  await Promise.all(both);
  const { amounts } = await check(tenant);
  expect(amounts.waived_in_cents).toBe(3_000);
  // Whichever came first: the waiver lowered the payment that was then taken, or the one before it.
  expect(amounts.left_in_cents).toBe(
    2 * 38_003 - (amounts.installments[3].credited_in_cents > 0 ? 0 : 3_000),
  );
  await tenant.simulate('advance_clock', { by: 'P40D' });
  expect((await tenant.read()).state).toBe('completed');
  await check(tenant);
});

test('two people waive a fee at once, and one of them is refused', async () => {
  const tenant = await withPlan(svc, partner, 't-race-waive');
  const answers = await Promise.all([svc.administer(waive(tenant)), svc.administer(waive(tenant))]);
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await check(tenant)).amounts.waived_in_cents).toBe(3_000);
});

test('a payment moves to a day that the tenant is offered', async () => {
  const tenant = await withPlan(svc, partner, 't-moved');
  const days: string[] = (await check(tenant)).installments[3].reschedule_days;
  const refused = await refusal(move(tenant, 4, '2026-02-28'));
  expect(refused).toBe(`Payment 4 can move to: ${days.join(', ')}.`);
  expect(await refusal(move(tenant, 1, '2026-02-20'))).toBe(
    'This payment is paid, so it cannot move.',
  );
  expect(await refusal(move(tenant, 9, '2026-02-20'))).toContain('so there is no 9');

  const [to = ''] = days;
  expect(await run(move(tenant, 4, to))).toMatchObject({ number: 4, to, changed: true });
  expect((await tenant.read()).installments[3].due_date).toBe(to);
  expect(await eventOf(tenant, 'installment.rescheduled')).toMatchObject({
    number: 4,
    due_date: to,
  });
  expect(await mailsOf(tenant, 'installment.rescheduled')).toMatchObject([
    { data: { by_operator: true, due_date: to } },
  ]);
  expect(await run(move(tenant, 4, to))).toMatchObject({ changed: false });
  expect(await auditOf(tenant)).toMatchObject([
    { action: 'plan.payment_moved', details: { number: 4, to } },
  ]);
});

test('a plan is canceled until its first payment has gone through', async () => {
  const tenant = await withPlan(svc, partner, 't-canceled', { account: slow });
  const request: OperatorRequest = { command: 'plan cancel', plan_id: tenant.plan.id };
  expect(await run(request)).toMatchObject({ first_payment_in_cents: 41_003, changed: true });
  expect(await eventOf(tenant, 'plan.canceled')).toMatchObject({ reason: 'canceled_by_operator' });
  expect(await mailsOf(tenant, 'plan.canceled')).toMatchObject([
    { data: { reason: 'canceled_by_operator' } },
  ]);
  expect(await run(request)).toMatchObject({ changed: false });
  expect(await auditOf(tenant)).toMatchObject([{ action: 'plan.canceled' }]);
  await check(tenant);
  const begun = await withPlan(svc, partner, 't-canceled-not');
  expect(await refusal({ command: 'plan cancel', plan_id: begun.plan.id })).toContain(
    'can no longer be canceled',
  );
});
