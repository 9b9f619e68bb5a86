import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { expect, test } from 'vitest';
import { verifyLedger } from '../../src/domain/ledger/verify.ts';
import { tick } from '../../src/jobs/tick.ts';
import { ada, useService } from '../harness.ts';
import { checkAmounts } from './check-amounts.ts';
import { checkDebt, checkMoney } from './check-money.ts';
import { testAccount, testCard } from './play-tenant.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

const lateReturn = { ...testAccount, account_number: '000111110005' };
const chargedBack = { ...testCard, number: '4000000000000259' };
const won = { ...testCard, number: '4000000000002685' };
const wonInPart = { ...testCard, number: '4000000000005423' };
const paying = (externalId: string, account: object) =>
  withPlan(svc, partner, externalId, { account });
type Tenant = Awaited<ReturnType<typeof withPlan>>;

async function eventsOf(externalId: string, ...types: string[]) {
  const rows = await rowsOf<{ body: string }>(
    svc.db,
    sql`
    select body from webhook_messages where subject = ${externalId} and type = any(${types}::text[])
    order by id`,
  );
  return rows.map(({ body }) => JSON.parse(body).data);
}

async function owed({ externalId }: Tenant): Promise<number> {
  const { total } = await oneRowOf<{ total: number }>(
    svc.db,
    sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as total from ledger_entry e
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
    where t.external_id = ${externalId}`,
  );
  return total;
}

/** Adds the event by which a processor reports that the payment of one installment was returned. */
async function addReturn(tenant: Tenant, number: number, returnCode: string) {
  await svc.db.run(sql`
    insert into processor_event (partner_id, id, tenant_id, payment_id, kind, return_code,
      occurs_at, created_at)
    select y.partner_id, 'pev_' || y.id, t.id, y.id, 'taken_back', ${returnCode}, 'epoch', ${svc.clock.now()}
    from payment y join installment i on i.partner_id = y.partner_id and i.id = y.installment_id join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
      join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
    where p.id = ${tenant.plan.id} and i.number = ${number} and y.outcome = 'succeeded'`);
}

/** The rows of the operator's command for one tenant. */
async function listed(command: 'dispute list' | 'loss list', { externalId }: Tenant) {
  const answer = await svc.administer({ command });
  const { items } = (answer as { result: { items: { external_id: string }[] } }).result;
  return items.filter(({ external_id }) => external_id === externalId);
}

async function widgetStatus({ externalId: external_id }: Tenant): Promise<string> {
  const { pms, key } = partner;
  const signature = await signWidget({ apiKey: key, pms, externalId: external_id });
  const body = { pms, external_id, signature };
  const headers = { origin: 'https://portal.example' };
  return (await svc.call('POST', '/widget/session', { body, headers })).data.status;
}

const firstOf = (tenant: Tenant) => tenant.plan.installments[0].id as string;

test('a card’s chargeback reopens the installment without a retry and keeps the settlement', async () => {
  const tenant = await paying('t-charged-back', chargedBack);
  const { settlement_id } = await tenant.read();
  await tenant.simulate('advance_clock', { by: 'P11D' });
  const failures = await eventsOf('t-charged-back', 'installment.failed');
  expect(failures).toMatchObject([
    {
      number: 1,
      method: 'card',
      return_code: 'charged_back',
      taken_back: true,
      next_attempt_at: null,
      amount_in_cents: 41_003,
    },
  ]);
  const { state, installments } = await tenant.read();
  expect([state, installments[0].state]).toEqual(['active', 'overdue']);
  const { management } = (await tenant.state()).data;
  expect(management.autopay).toBe(false);
  expect(management.history.map((it: { kind: string }) => it.kind).slice(0, 2)).toEqual(
    expect.arrayContaining(['taken_back', 'autopay_disabled']),
  );
  expect(management.installments[0].failure.return_code).toBe('charged_back');
  expect(management.receipts.map((it: { number: number }) => it.number)).toEqual([2]);
  expect(await owed(tenant)).toBe(41_003 + 2 * 38_003);
  const settlement = await svc.call('GET', `/settlements/${settlement_id}`, { key: partner.key });
  expect(settlement.data.status).toBe('unsettled');
  expect(await eventsOf('t-charged-back', 'settlement.updated')).toEqual([]);
});

test('the tenant pays a returned installment with another method, and the plan is completed', async () => {
  const tenant = await paying('t-pays-again', chargedBack);
  await tenant.simulate('advance_clock', { by: 'P11D' });
  await tenant.pay(testCard);
  const ids = tenant.plan.installments.map((it: { id: string }) => it.id);
  expect((await tenant.change('pay', { installment_ids: ids })).data.failure).toBeNull();
  expect((await tenant.read()).state).toBe('completed');
  expect(await owed(tenant)).toBe(0);
  await tenant.simulate('advance_clock', { by: 'P3M' });
  expect((await tenant.read()).state).toBe('completed');
});

test('a return 45 days later reopens a completed plan as past due', async () => {
  const tenant = await paying('t-late', lateReturn);
  await tenant.simulate('advance_clock', { by: 'P40D' });
  expect((await tenant.read()).state).toBe('completed');
  await tenant.simulate('advance_clock', { by: 'P10D' });
  expect((await tenant.read()).state).toBe('past_due');
  const changes = await eventsOf('t-late', 'plan.updated', 'plan.past_due');
  expect(changes.map(({ change, reason }) => change ?? reason)).toEqual([
    'reopened',
    'unpaid_for_30_days',
  ]);
  const state = (await tenant.state()).data;
  expect(state).toMatchObject({
    step: 'manage',
    reopened_plan: null,
    plan: { id: tenant.plan.id },
  });
  expect(await owed(tenant)).toBe(41_003);
  await tenant.pay(testCard);
  await tenant.change('pay', { installment_ids: [firstOf(tenant)] });
  expect((await tenant.read()).state).toBe('completed');
});

test('a returned payment that is not paid again is written off after 120 days, and so are later returns', async () => {
  const tenant = await paying('t-written-off', lateReturn);
  await tenant.simulate('advance_clock', { by: 'P150D' });
  expect((await tenant.read()).state).toBe('charged_off');
  expect(await owed(tenant)).toBe(0);
  await addReturn(tenant, 2, 'R10');
  await tenant.simulate('advance_clock', { by: 'P1D' });
  expect((await tenant.read()).state).toBe('charged_off');
  expect(await owed(tenant)).toBe(0);
  const { lost } = await oneRowOf<{ lost: number }>(
    svc.db,
    sql`
    select sum(e.amount_in_cents)::int8 as lost from ledger_entry e
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id join ledger_transfer l on l.partner_id = e.partner_id and l.id = e.transfer_id
    where a.kind = 'credit_loss' and (l.source_id = ${tenant.plan.id} or l.source_id in (
      select id from processor_event where kind = 'taken_back' and tenant_id = (
        select id from tenant where external_id = 't-written-off')))`,
  );
  expect(lost).toBe(41_003 + 38_003);
});

test('the operator lists reversed payments with their outcome, and losses', async () => {
  const tenant = await paying('t-listed', chargedBack);
  const who = { pms: partner.pms, external_id: 't-listed', plan_id: tenant.plan.id };
  await tenant.simulate('advance_clock', { by: 'P11D' });
  const open = {
    ...who,
    began_on: '2026-02-11',
    dispute: null,
    status: null,
    answer_by: null,
    amount_in_cents: 41_003,
    taken_in_cents: 41_003,
    won_in_cents: 0,
    reason: 'charged_back',
    state: 'open',
    won_on: null,
    payment_id: expect.stringMatching(/^pay_/),
  };
  expect(await listed('dispute list', tenant)).toEqual([open]);
  expect(await listed('loss list', tenant)).toEqual([]);
  await tenant.simulate('advance_clock', { by: 'P150D' });
  expect(await listed('dispute list', tenant)).toEqual([{ ...open, state: 'written_off' }]);
  const amount = 41_003 + 2 * 38_003;
  expect(await listed('loss list', tenant)).toMatchObject([
    { ...who, written_off_in_cents: amount, still_owed_in_cents: amount },
  ]);
});

test('we win a dispute: the money comes back and pays the installment', async () => {
  const tenant = await paying('t-won', won);
  await tenant.change('autopay', { enabled: false });
  const others = tenant.plan.installments.slice(1).map((it: { id: string }) => it.id);
  await tenant.change('pay', { installment_ids: others });
  expect((await tenant.read()).state).toBe('completed');
  await tenant.simulate('advance_clock', { by: 'P20D' });
  expect((await tenant.read()).state).toBe('active');
  await tenant.simulate('advance_clock', { by: 'P25D' });
  expect((await tenant.read()).state).toBe('completed');
  expect(await owed(tenant)).toBe(0);
  expect(await eventsOf('t-won', 'plan.completed')).toHaveLength(2);
  expect(await listed('dispute list', tenant)).toMatchObject([
    { state: 'won', won_on: expect.any(String) },
  ]);
});

test('we win a part of a dispute: that part pays, the rest is owed, and the tenant can pay it', async () => {
  const tenant = await paying('t-won-in-part', wonInPart);
  await tenant.change('autopay', { enabled: false });
  const others = tenant.plan.installments.slice(1).map((it: { id: string }) => it.id);
  await tenant.change('pay', { installment_ids: others });
  await tenant.simulate('advance_clock', { by: 'P20D' });
  expect(await owed(tenant)).toBe(41_003);
  expect(await widgetStatus(tenant)).toBe('past_due');
  expect(await listed('dispute list', tenant)).toMatchObject([
    { status: 'under_review', state: 'open', taken_in_cents: 41_003, won_in_cents: 0 },
  ]);
  await tenant.simulate('advance_clock', { by: 'P25D' });
  expect(await owed(tenant)).toBe(31_003);
  expect((await tenant.read()).installments[0]).toMatchObject({ amount_in_cents: 31_003 });
  const changes = await eventsOf('t-won-in-part', 'plan.updated');
  expect(changes.map((it) => it.change)).toContain('part_paid');
  expect(await widgetStatus(tenant)).toBe('past_due');
  expect(await listed('dispute list', tenant)).toMatchObject([
    { status: 'lost', state: 'won_in_part', taken_in_cents: 41_003, won_in_cents: 10_000 },
  ]);
  const own = (await tenant.ownPlan()).data;
  checkAmounts(own);
  await checkMoney(svc.db, tenant.plan);
  await checkDebt(svc.db, own);
  await tenant.pay(testCard);
  await tenant.change('pay', { installment_ids: [firstOf(tenant)] });
  expect((await tenant.read()).state).toBe('completed');
  expect(await owed(tenant)).toBe(0);
});

test('a dispute won after the tenant has paid again refunds the tenant', async () => {
  const tenant = await paying('t-won-twice', won);
  await tenant.simulate('advance_clock', { by: 'P11D' });
  await tenant.pay(testCard);
  await tenant.change('pay', { installment_ids: [firstOf(tenant)] });
  await tenant.simulate('advance_clock', { by: 'P32D' });
  expect(await owed(tenant)).toBe(2 * 38_003);
  const { history } = (await tenant.state()).data.management;
  expect(history).toContainEqual(
    expect.objectContaining({ kind: 'refunded', amount_in_cents: 41_003 }),
  );
});

test('a retryable return is retried automatically', async () => {
  const tenant = await paying('t-short', testAccount);
  await addReturn(tenant, 1, 'R01');
  await tenant.simulate('advance_clock', { by: 'PT1H' });
  const [failed] = await eventsOf('t-short', 'installment.failed');
  expect(failed).toMatchObject({ taken_back: true, return_code: 'R01' });
  expect(failed.next_attempt_at).not.toBeNull();
  await tenant.simulate('advance_clock', { by: 'P2D' });
  expect((await tenant.read()).installments[0].state).toBe('paid');
});

test('an earlier plan reopened beside a newer one is shown and can be paid by hand', async () => {
  const tenant = await paying('t-two', lateReturn);
  await tenant.simulate('advance_clock', { to: '2026-03-01T18:00:00Z' });
  const march = { ...ada.charges[0], id: 'C-march', due_date: '2026-03-01' };
  const info = { key: partner.key, body: { ...ada, charges: [march] } };
  await svc.call('POST', '/tenant/portal_info/t-two', info);
  await tenant.apply();
  await tenant.pay(testAccount);
  const { items } = (await tenant.quotes()).data;
  await tenant.accept(items.at(-1));
  const next = (await tenant.state()).data.plan;
  expect(next.id).not.toBe(tenant.plan.id);
  await tenant.simulate('advance_clock', { by: 'P20D' });
  const state = (await tenant.state()).data;
  expect(state.plan.id).toBe(next.id);
  expect(state.reopened_plan).toEqual({
    id: tenant.plan.id,
    rent_cycle_date: '2026-02-01',
    left_in_cents: 41_003,
    installment_ids: [firstOf(tenant)],
  });
  const nextAfter = state.plan.installments.map((it: { state: string }) => it.state);
  expect(nextAfter).toContain('scheduled');
  // The newest account pays, not the account whose bank returned the debit.
  const paid = await tenant.change('pay', { installment_ids: [firstOf(tenant)] });
  expect(paid.data).toMatchObject({ failure: null, state: { reopened_plan: null } });
  await tenant.simulate('advance_clock', { by: 'P20D' });
  expect(await owed(tenant)).toBe(0);
});

test('once the newer plan is paid off, the reopened plan is the open plan', async () => {
  const tenant = await paying('t-then', lateReturn);
  await tenant.simulate('advance_clock', { to: '2026-03-01T18:00:00Z' });
  const march = { ...ada.charges[0], id: 'C-march', due_date: '2026-03-01' };
  const info = { key: partner.key, body: { ...ada, charges: [march] } };
  await svc.call('POST', '/tenant/portal_info/t-then', info);
  await tenant.apply();
  await tenant.pay(testAccount);
  await tenant.accept((await tenant.quotes()).data.items.at(-1));
  await tenant.simulate('advance_clock', { to: '2026-04-20T18:00:00Z' });
  const state = (await tenant.state()).data;
  expect(state).toMatchObject({ step: 'manage', plan: { id: tenant.plan.id, state: 'past_due' } });
  await tenant.simulate('advance_clock', { by: 'P3M' });
  expect((await tenant.read()).state).toBe('charged_off');
  await tenant.simulate('reset');
  expect(await owed(tenant)).toBe(0);
});

test('in real time the tick handles a processor event once', async () => {
  const tenant = await paying('t-tick', testAccount);
  await addReturn(tenant, 1, 'R07');
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const deps = { db: svc.db, clock: svc.clock, log: quiet, service: svc.service };
  const ticks = [tick({ ...deps }), tick({ ...deps })];
  await Promise.all(ticks);
  expect((await tenant.read()).installments[0].state).toBe('overdue');
  expect(await eventsOf('t-tick', 'installment.failed')).toHaveLength(1);
});

test('a reset also reverses returns', async () => {
  const tenant = await paying('t-reset', won);
  await tenant.simulate('advance_clock', { by: 'P11D' });
  await tenant.simulate('reset');
  expect(await owed(tenant)).toBe(0);
  const { left } = await oneRowOf<{ left: number }>(
    svc.db,
    sql`
    select count(*) as left from processor_event e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
    where t.external_id = 't-reset' and e.handled_at is null`,
  );
  expect(left).toBe(0);
});

test('after all returns and won disputes, clearing matches the processor', async () => {
  expect((await svc.db.transaction(verifyLedger)).faults).toEqual([]);
});
