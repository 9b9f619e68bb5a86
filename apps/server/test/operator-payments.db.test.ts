import type { PlanManagement } from '@svc/contract';
import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { afterEach, expect, test } from 'vitest';
import { applyEvents } from '../src/domain/disputes/apply-events.ts';
import { verifyLedger } from '../src/domain/ledger/verify.ts';
import type { Listed } from '../src/domain/listed.ts';
import type { OpenPayments } from '../src/domain/payments/list-calls.ts';
import type { ProcessorEvent } from '../src/domain/payments/processor.ts';
import { receiveEvents } from '../src/domain/payments/receive-events.ts';
import { applyOutcomes } from '../src/domain/plans/apply-outcomes.ts';
import { tick } from '../src/jobs/tick.ts';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import type { AuditLine } from '../src/operator/list-audit-log.ts';
import { runUnitOfWork } from '../src/unit-of-work.ts';
import { useService } from './harness.ts';
import { checkAmounts } from './journeys/check-amounts.ts';
import { checkDebt, checkMoney } from './journeys/check-money.ts';
import { testAccount, testCard } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { pms } = partner;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const runTick = () => tick({ ...svc, log: quiet });

const lateReturn = { ...testAccount, account_number: '000111110005' };
const won = { ...testCard, number: '4000000000002685' };
const slow = { ...testAccount, account_number: '000111110003' };

type Tenant = Awaited<ReturnType<typeof withPlan>>;
const paying = (externalId: string, account: object = testAccount) =>
  withPlan(svc, partner, externalId, { account });

async function run(request: OperatorRequest): Promise<Record<string, unknown>> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return { ...answer.result };
}

async function refusal(request: OperatorRequest): Promise<string> {
  const answer = await svc.administer(request);
  if (answer.ok) throw new Error(`not refused: ${JSON.stringify(answer.result)}`);
  return answer.message;
}

const refund = (payment_id: string, amount_in_cents?: number): OperatorRequest => ({
  command: 'payment refund',
  payment_id,
  ...(amount_in_cents !== undefined && { amount_in_cents }),
});
const bankReturn = (payment_id: string, code = 'R10'): OperatorRequest => ({
  command: 'payment return',
  payment_id,
  code,
});

/** The newest payment of an installment. */
async function paymentOf({ plan }: Tenant, number: number): Promise<string> {
  const { id } = await oneRowOf<{ id: string }>(
    svc.db,
    sql`
    select y.id from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
    where i.plan_id = ${plan.id} and i.number = ${number} order by y.id desc limit 1`,
  );
  return id;
}

async function eventsOf(externalId: string, type: string) {
  const rows = await rowsOf<{ body: string }>(
    svc.db,
    sql`
    select body from webhook_messages where subject = ${externalId} and type = ${type} order by id`,
  );
  return rows.map(({ body }) => JSON.parse(body).data);
}

/** The refunds of a payment: state and cents, smallest first. */
async function refundsOf(paymentId: string): Promise<[string, number][]> {
  const rows = await rowsOf<{ state: string; amount: number }>(
    svc.db,
    sql`
    select state, amount_in_cents as amount from processor_call
    where payment_id = ${paymentId} and kind = 'refund' order by amount_in_cents`,
  );
  return rows.map((it) => [it.state, it.amount]);
}

async function balances(tenant: Tenant) {
  const { plan, externalId } = tenant;
  return oneRowOf<Record<'owed' | 'lost' | 'kept', number>>(
    svc.db,
    sql`
    select
      (select coalesce(sum(e.amount_in_cents), 0)::int8 from ledger_entry e
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
        where t.external_id = ${externalId}) as owed,
      (select coalesce(sum(e.amount_in_cents), 0)::int8 from processor_call c
        join payment y on y.partner_id = c.partner_id and y.id = c.payment_id join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
        join ledger_transfer l on l.partner_id = c.partner_id and l.source_id = c.source_id
        join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id and a.kind = 'credit_loss'
        where i.plan_id = ${plan.id} and c.kind = 'refund') as lost,
      (select coalesce(sum(case c.kind when 'charge' then c.amount_in_cents
          else -c.amount_in_cents end), 0)::int8 from processor_call c
        join payment y on y.partner_id = c.partner_id and y.id = c.payment_id join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
        where i.plan_id = ${plan.id} and c.state = 'succeeded') as kept`,
  );
}

async function audited(paymentId: string) {
  const { items } = (await run({ command: 'audit list', pms })) as unknown as Listed<AuditLine>;
  return items.filter((it) => it.subject_id === paymentId);
}

function report(event: Partial<ProcessorEvent> & Pick<ProcessorEvent, 'id'>): Promise<void> {
  return runUnitOfWork(svc.commands, svc.clock.now(), async (uow) => {
    const full = { occurredAt: svc.clock.now(), ...event } as ProcessorEvent;
    const { name } = svc.commands.service.processor ?? { name: '' };
    await receiveEvents(uow, name, [full]);
    await applyEvents(uow, { limit: 10, ids: [event.id] });
  });
}

const historyOf = async (tenant: Tenant): Promise<PlanManagement['history']> =>
  (await tenant.ownPlan()).data.management.history;

const verified: Tenant[] = [];

/** Checks, whatever a test did, that the books are right, and that every screen shows the ledger's amounts. */
async function checkEverything(): Promise<void> {
  await runTick();
  expect((await svc.db.transaction(verifyLedger)).faults).toEqual([]);
  for (const tenant of verified.splice(0)) {
    await checkMoney(svc.db, tenant.plan);
    const own = (await tenant.ownPlan()).data;
    checkAmounts(own);
    await checkDebt(svc.db, own);
  }
}
afterEach(checkEverything);

test('a payment is given back in parts, never more than was paid, and stays paid', async () => {
  const tenant = await paying('t-parts');
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  expect(await run(refund(id, 1_003))).toEqual({
    payment_id: id,
    plan_id: tenant.plan.id,
    amount_in_cents: 1_003,
    our_loss_in_cents: 1_003,
  });
  expect(await refusal(refund(id, 40_001))).toBe(
    'Only 40000 cents of this payment are left to give back.',
  );
  expect(await run(refund(id))).toMatchObject({ amount_in_cents: 40_000 });
  expect(await refusal(refund(id))).toBe('All of this payment was given back already.');
  expect(await refusal(refund(id, 1))).toBe('All of this payment was given back already.');
  await runTick();
  expect(await refundsOf(id)).toEqual([
    ['succeeded', 1_003],
    ['succeeded', 40_000],
  ]);
  const { state, installments } = await tenant.read();
  expect([state, installments[0].state]).toEqual(['active', 'paid']);
  const { management } = (await tenant.state()).data;
  expect([management.autopay, management.amounts.refunded_in_cents]).toEqual([true, 41_003]);
  // The operator finds the payment's id by the tenant.
  const ofTenant = { command: 'payment list', pms, tenant: 't-parts' } as const;
  const payments = await run(ofTenant);
  expect(payments).toEqual({
    items: [
      expect.objectContaining({ payment_id: id, state: 'succeeded', refunded_in_cents: 41_003 }),
    ],
    has_more: false,
  });
  expect(describeResult(ofTenant, payments)).toContain(`${id}  410.03  succeeded  410.03`);
  expect(await refusal({ ...ofTenant, tenant: 't-nobody' })).toContain(
    `${pms} has no tenant t-nobody.`,
  );
  const refunded = (await historyOf(tenant)).filter((it) => it.kind === 'refunded');
  expect(refunded.map((it) => it.amount_in_cents)).toEqual([40_000, 1_003]);
  const changes = await eventsOf('t-parts', 'plan.updated');
  expect(changes.map((it) => it.change)).toEqual(['refunded', 'refunded']);
  expect(await eventsOf('t-parts', 'installment.failed')).toEqual([]);
  expect(await balances(tenant)).toMatchObject({ owed: 3 * 38_003, lost: 41_003, kept: 0 });
  expect((await audited(id)).map((it) => [it.action, it.credential_id, it.details])).toEqual([
    [
      'payment.refunded',
      'ops-ada',
      {
        plan_id: tenant.plan.id,
        amount_in_cents: 40_000,
        our_loss_in_cents: 40_000,
        reason: 'a test',
      },
    ],
    ['payment.refunded', 'ops-ada', expect.objectContaining({ amount_in_cents: 1_003 })],
  ]);
});

test('a refund repeated with its key gives back once, whoever repeats it and at once, too', async () => {
  const tenant = await paying('t-key');
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  const manner = { idempotencyKey: 'ticket-17' };
  const send = (cents: number) => svc.administer(refund(id, cents), manner);
  const [first, second] = await Promise.all([send(1_000), send(1_000)]);
  const again = await send(1_000);
  const result = { payment_id: id, plan_id: tenant.plan.id, amount_in_cents: 1_000 };
  for (const answer of [first, second, again]) expect(answer).toMatchObject({ ok: true, result });
  expect([first, second].filter((it) => it.ok && it.doneAt !== undefined)).toHaveLength(1);
  expect(again).toMatchObject({ doneAt: svc.clock.now().toISOString() });
  expect(await send(2_000)).toMatchObject({
    ok: false,
    message: expect.stringContaining('ticket-17 belongs to another command, of ops-ada'),
  });
  await runTick();
  expect(await refundsOf(id)).toEqual([['succeeded', 1_000]]);
  expect(await audited(id)).toHaveLength(1);
});

test('a refused command leaves its key free', async () => {
  const tenant = await paying('t-free-key');
  const id = await paymentOf(tenant, 1);
  const manner = { idempotencyKey: 'ticket-18' };
  expect(await svc.administer(refund(id, 41_004), manner)).toMatchObject({ ok: false });
  expect(await svc.administer(refund(id, 41_003), manner)).toMatchObject({ ok: true });
});

test('a dry run says what a command would do, and changes nothing', async () => {
  const tenant = await paying('t-dry');
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  const before = await eventsOf('t-dry', 'plan.updated');
  for (const request of [refund(id), bankReturn(id)]) {
    const dry = await svc.administer(request, { dryRun: true, idempotencyKey: 'ticket-19' });
    expect(dry).toMatchObject({ ok: true, result: { amount_in_cents: 41_003 } });
  }
  await runTick();
  expect(await refundsOf(id)).toEqual([]);
  expect(await audited(id)).toEqual([]);
  expect(await eventsOf('t-dry', 'plan.updated')).toEqual(before);
  expect((await tenant.read()).installments[0].state).toBe('paid');
  expect(await run(refund(id))).toMatchObject({ amount_in_cents: 41_003 });
});

test('the last key of a portal is revoked only if the operator says so', async () => {
  const other = await svc.newPartner();
  const revoke = { command: 'key revoke', key_id: other.keyId } as const;
  expect(await refusal(revoke)).toBe(
    `${other.keyId} is the last API key of ${other.pms} that has the scope everything and works without end. Without it, calls of the portal and its widgets may be refused. Create another one first with "key create ${other.pms}", or pass --even-last.`,
  );
  expect((await svc.call('GET', '/partner/webhook_portal_url', { key: other.key })).status).toBe(
    200,
  );
  const { key_id } = (await run({ command: 'key create', pms: other.pms })) as { key_id: string };
  const both = [revoke, { command: 'key revoke', key_id } as const];
  // One of two concurrent operators is refused.
  const answers = await Promise.all(both.map((it) => svc.administer(it)));
  expect(answers.filter((it) => it.ok)).toHaveLength(1);
  const [last] = both.filter((_, index) => !answers[index]?.ok);
  if (!last) throw new Error('both keys were revoked');
  expect(await run({ ...last, even_last: true })).toMatchObject({ revoked: true });
  // Repeating it is no second revocation, and is not refused.
  expect(await run(last)).toMatchObject({ revoked: false });
});

test('payments that do not exist, did not succeed or have another code are refused', async () => {
  expect(await refusal(refund('pay_none'))).toBe('There is no payment pay_none.');
  expect(await refusal(bankReturn('pay_none'))).toBe('There is no payment pay_none.');
  const tenant = await paying('t-refused');
  const id = await paymentOf(tenant, 1);
  for (const code of ['R99', 'R1', 'charged_back', 'insufficient_funds', 'constructor']) {
    expect(await refusal(bankReturn(id, code))).toMatch(/^--code must be the bank's return code/);
  }
  const byCard = await paying('t-refused-card', testCard);
  expect(await refusal(bankReturn(await paymentOf(byCard, 1), 'R01'))).toBe(
    'This is a payment by card. Pass --code charged_back.',
  );
  const pending = await paying('t-refused-slow', slow);
  const onItsWay = await paymentOf(pending, 1);
  expect(await refusal(refund(onItsWay))).toMatch(/^This payment is pending\./);
  expect(await refusal(bankReturn(onItsWay))).toMatch(/^This payment is pending\./);
  await svc.db.run(sql`
    update tenant set pending_payment_failures = array['R02'] where external_id = 't-refused'`);
  await tenant.change('pay', { installment_ids: [tenant.plan.installments[1].id] });
  const failed = await paymentOf(tenant, 2);
  expect(await refusal(refund(failed))).toMatch(/^This payment is failed\./);
  expect(await refusal(bankReturn(failed))).toMatch(/^This payment is failed\./);
  const takenBy = (processor: string) =>
    svc.db.run(sql`
    update processor_call set processor = ${processor} where key = ${id}`);
  await takenBy('stripe');
  expect(await refusal(refund(id))).toBe(
    'This payment was taken by stripe, and SVC_PROCESSOR is simulator. Refund it there.',
  );
  await takenBy('simulator');
  await run(bankReturn(id));
  expect(await refusal(refund(id))).toMatch(/^This payment is returned\./);
  expect(await audited(onItsWay)).toEqual([]);
});

test('the second of two concurrent operators cannot refund more than is left', async () => {
  const tenant = await paying('t-two-refunds');
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  const answers = await Promise.all([1, 2].map(() => svc.administer(refund(id, 30_000))));
  expect(answers.filter((it) => it.ok)).toHaveLength(1);
  const whole = await Promise.all([1, 2, 3].map(() => svc.administer(refund(id))));
  expect(whole.filter((it) => it.ok)).toHaveLength(1);
  await runTick();
  expect(await balances(tenant)).toMatchObject({ kept: 0, lost: 41_003 });
});

test('one operator can refund a payment that another records as returned at the same time', async () => {
  for (let round = 0; round < 3; round += 1) {
    const tenant = await paying(`t-refund-or-return-${round}`);
    verified.push(tenant);
    const id = await paymentOf(tenant, 1);
    const [back, returned] = await Promise.all([
      svc.administer(refund(id, 10_000)),
      svc.administer(bankReturn(id)),
    ]);
    expect(returned.ok).toBe(true);
    if (!back.ok) expect(back.message).toMatch(/^This payment is returned\./);
    await runTick();
    expect((await tenant.read()).installments[0].state).toBe('overdue');
    expect(await refundsOf(id)).toEqual(back.ok ? [['succeeded', 10_000]] : []);
    const actions = (await audited(id)).map((it) => it.action).toSorted();
    expect(actions).toEqual([...(back.ok ? ['payment.refunded'] : []), 'payment.returned']);
  }
});

test('while money is stopped no refund begins, and a return is recorded', async () => {
  const tenant = await paying('t-stopped');
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  await run({ command: 'money stop' });
  expect(await refusal(refund(id))).toBe(
    'Money is stopped, so no refund begins. See "svc-admin money status".',
  );
  expect(await refundsOf(id)).toEqual([]);
  expect(await run(bankReturn(id))).toMatchObject({ changed: true });
  await run({ command: 'money start' });
});

test('a refund waits while money is stopped after it was ordered', async () => {
  const tenant = await paying('t-ordered');
  const id = await paymentOf(tenant, 1);
  await run(refund(id, 500));
  await run({ command: 'money stop' });
  await runTick();
  expect(await refundsOf(id)).toEqual([['created', 500]]);
  await run({ command: 'money start' });
  await runTick();
  expect(await refundsOf(id)).toEqual([['succeeded', 500]]);
});

test('a refund that the bank refused is listed, and the next one pays it without another loss', async () => {
  const tenant = await paying('t-refused-refund');
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  await run(refund(id, 5_000));
  const call = await oneRowOf<{ partnerId: string; tenantId: string; key: string }>(
    svc.db,
    sql`
    select partner_id as "partnerId", tenant_id as "tenantId", key from processor_call
    where payment_id = ${id} and kind = 'refund'`,
  );
  const outcome = { state: 'failed', ref: null, returnCode: 'R02' } as const;
  await runUnitOfWork(svc.commands, svc.clock.now(), (uow) =>
    applyOutcomes(uow, [{ ...call, outcome, source: 'found' }]),
  );
  const listed = async () =>
    ((await run({ command: 'payment list', pms })) as unknown as OpenPayments).calls.filter(
      (it) => it.payment_id === id,
    );
  expect(await listed()).toMatchObject([
    { kind: 'refund', state: 'failed', return_code: 'R02', amount_in_cents: 5_000 },
  ]);
  expect((await balances(tenant)).owed).toBe(3 * 38_003 - 5_000);
  svc.clock.advance(1_000);
  expect(await run(refund(id, 6_000))).toMatchObject({ our_loss_in_cents: 1_000 });
  await runTick();
  expect(await listed()).toEqual([]);
  expect(await balances(tenant)).toMatchObject({ owed: 3 * 38_003, lost: 6_000 });
  expect((await historyOf(tenant)).filter((it) => it.kind === 'refunded')).toHaveLength(2);
});

test('a return by the operator reopens the plan once, whatever the processor says later', async () => {
  const tenant = await paying('t-returned', lateReturn);
  verified.push(tenant);
  await tenant.simulate('advance_clock', { by: 'P40D' });
  expect((await tenant.read()).state).toBe('completed');
  const id = await paymentOf(tenant, 1);
  const answers = await Promise.all([1, 2].map(() => svc.administer(bankReturn(id))));
  const changed = answers.filter((it) => it.ok && 'changed' in it.result && it.result.changed);
  expect([answers.every((it) => it.ok), changed.length]).toEqual([true, 1]);
  expect(await run(bankReturn(id, 'R02'))).toMatchObject({ changed: false, return_code: 'R10' });
  const owes = async () => [(await tenant.read()).installments[0].state, await balances(tenant)];
  const before = await owes();
  expect(before).toMatchObject(['overdue', { owed: 41_003 }]);
  expect((await tenant.read()).state).not.toBe('completed');
  const changes = await eventsOf('t-returned', 'plan.updated');
  expect(changes.map((it) => it.change)).toEqual(['reopened']);
  // The simulator returns this payment 45 days after it; then a sweep finds the same return.
  await tenant.simulate('advance_clock', { by: 'P10D' });
  const charge = { key: id, ref: null };
  await report({ id: 'evt-same-return', kind: 'returned', charge, returnCode: 'R10' });
  const call = { ...charge, kind: 'charge' } as const;
  const outcome = { state: 'failed', ref: null, returnCode: 'R10' } as const;
  await report({ id: 'evt-failed-after-all', kind: 'outcome', call, outcome });
  await runTick();
  expect(await owes()).toEqual(before);
  const failures = await eventsOf('t-returned', 'installment.failed');
  expect(failures).toMatchObject([{ taken_back: true, return_code: 'R10' }]);
  expect((await audited(id)).map((it) => it.details)).toMatchObject([
    { return_code: 'R10', amount_in_cents: 41_003, reason: 'a test' },
  ]);
  await tenant.pay(testCard);
  await tenant.change('pay', { installment_ids: [tenant.plan.installments[0].id] });
  expect((await tenant.read()).state).toBe('completed');
});

test('a payment won back counts again, and can be returned again, also in part', async () => {
  const tenant = await paying('t-won-back', testCard);
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  await run(bankReturn(id, 'charged_back'));
  await report({ id: 'evt-won-back', kind: 'dispute_won', charge: { key: id, ref: null } });
  expect((await tenant.read()).installments[0].state).toBe('paid');
  const part = { ...bankReturn(id, 'charged_back'), amount_in_cents: 10_000 } as OperatorRequest;
  expect(await run(part)).toMatchObject({ amount_in_cents: 10_000, changed: true });
  expect((await tenant.read()).installments[0]).toMatchObject({
    state: 'overdue',
    amount_in_cents: 10_000,
  });
  // That much is out already.
  expect(await run(part)).toMatchObject({ changed: false });
  expect(await run(bankReturn(id, 'charged_back'))).toMatchObject({ amount_in_cents: 31_003 });
  await runTick();
  expect((await tenant.read()).installments[0]).toMatchObject({ amount_in_cents: 41_003 });
  const bank = await paying('t-return-part');
  const debit = { ...bankReturn(await paymentOf(bank, 1), 'R01'), amount_in_cents: 1 };
  expect(await refusal(debit as OperatorRequest)).toMatch(/returns a debit as a whole/);
});

test('a return for a payment that is still processing is listed, and the processor is asked', async () => {
  const tenant = await paying('t-early-return', slow);
  const id = await paymentOf(tenant, 1);
  const charge = { key: id, ref: null };
  await report({ id: 'evt-early-return', kind: 'returned', charge, returnCode: 'R10' });
  const open = (await run({ command: 'payment list', pms })) as unknown as OpenPayments;
  expect(open.waiting_returns.filter((it) => it.payment_id === id)).toMatchObject([
    { kind: 'taken_back', return_code: 'R10', amount_in_cents: 41_003, payment_state: 'pending' },
  ]);
  const call = open.calls.find((it) => it.payment_id === id);
  expect(call?.next_check_at).toBe(svc.clock.now().toISOString());
  const text = describeResult({ command: 'payment list', pms }, open);
  expect(text).toMatch(/returned +R10 +410\.03 +pending/);
  await runTick();
  const after = (await run({ command: 'payment list', pms })) as unknown as OpenPayments;
  const next = Date.parse(after.calls.find((it) => it.payment_id === id)?.next_check_at ?? '');
  expect(next - svc.clock.now().getTime()).toBeLessThanOrEqual(5 * 60_000);
});

test('a payment given back in part, charged back, paid again and won leaves no cent behind', async () => {
  const tenant = await paying('t-everything', won);
  verified.push(tenant);
  const id = await paymentOf(tenant, 1);
  await run(refund(id, 1_000));
  await tenant.simulate('advance_clock', { by: 'P11D' });
  expect((await tenant.read()).installments[0].state).toBe('overdue');
  await tenant.pay(testCard);
  await tenant.change('pay', { installment_ids: [tenant.plan.installments[0].id] });
  const again = await paymentOf(tenant, 1);
  await tenant.simulate('advance_clock', { by: 'P90D' });
  await runTick();
  // 41,003 go back, and the first payment has only 40,003 left.
  expect(await refundsOf(id)).toEqual([
    ['succeeded', 1_000],
    ['succeeded', 40_003],
  ]);
  expect(again).not.toBe(id);
  // The chargeback has stopped autopay, so the last two installments are still owed.
  const kept = 41_003 + 38_003 - 1_000;
  expect(await balances(tenant)).toEqual({ owed: 2 * 38_003, lost: 1_000, kept });
});

test('a reset of the simulation gives back what the operator has not', async () => {
  const tenant = await paying('t-reset');
  await run(refund(await paymentOf(tenant, 1), 2_000));
  await tenant.simulate('reset');
  await runTick();
  expect(await balances(tenant)).toMatchObject({ owed: 0, kept: 0 });
});

test('calls without an outcome and ignored events are listed, newest first, by partner', async () => {
  const other = await svc.newPartner();
  const tenant = await paying('t-open', slow);
  const id = await paymentOf(tenant, 1);
  const charge = { key: id, ref: null };
  const call = { ...charge, kind: 'charge' } as const;
  const outcome = { state: 'succeeded', ref: 'ch_1', amountInCents: 1 } as const;
  await report({ id: 'evt-other-amount', kind: 'outcome', call, outcome });
  svc.clock.advance(1_000);
  await report({
    id: 'evt-unknown',
    kind: 'returned',
    charge: { key: 'pay_x', ref: null },
    returnCode: 'R01',
  });
  const list = async (of: { pms?: string } = {}) =>
    (await run({ command: 'payment list', ...of })) as unknown as OpenPayments;
  const all = await list();
  expect(all.calls.find((it) => it.payment_id === id)).toEqual({
    payment_id: id,
    // A charge's key is its payment's id.
    key: id,
    kind: 'charge',
    state: 'processing',
    amount_in_cents: 41_003,
    pms,
    external_id: 't-open',
    plan_id: tenant.plan.id,
    processor: 'simulator',
    return_code: null,
    tries: expect.any(Number),
    began_at: expect.any(String),
    age_in_seconds: expect.any(Number),
    next_check_at: expect.any(String),
  });
  const ages = all.calls.map((it) => it.age_in_seconds);
  expect(ages).toEqual([...ages].sort((a, b) => a - b));
  const mine = ['evt-unknown', 'evt-other-amount'];
  expect(all.ignored_events.filter((it) => mine.includes(it.event_id))).toMatchObject([
    { event_id: 'evt-unknown', about: 'pay_x', reason: 'no call of ours has this key or id' },
    {
      event_id: 'evt-other-amount',
      about: id,
      reason: 'it moved another amount than we asked for',
      next_try_at: null,
    },
  ]);
  const ofPartner = (await list({ pms })).ignored_events.map((it) => it.event_id);
  expect(ofPartner.filter((it) => mine.includes(it))).toEqual(['evt-other-amount']);
  expect(await list({ pms: other.pms })).toMatchObject({ calls: [], ignored_events: [] });
  expect(await refusal({ command: 'payment list', pms: 'nobody' })).toBe(
    'There is no partner nobody.',
  );
  const text = describeResult({ command: 'payment list' }, all);
  expect(text).toContain(`${pms}/t-open`);
  expect(text).toContain('it moved another amount than we asked for');
});
