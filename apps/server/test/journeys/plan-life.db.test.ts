import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from '../harness.ts';
import { playTenant, testAccount } from './play-tenant.ts';
import { retryUnavailable } from './retry-unavailable.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

async function eventsOf(externalId: string, types: RegExp): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    svc.db,
    sql`
    select type from webhook_messages where subject = ${externalId} order by id`,
  );
  return rows.map((it) => it.type).filter((type) => types.test(type));
}

async function owedBy(externalId: string): Promise<number> {
  const { owed } = await oneRowOf<{ owed: number }>(
    svc.db,
    sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as owed from ledger_entry e
    join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
    where t.external_id = ${externalId} and t.partner_id = ${partner.id}`,
  );
  return owed;
}

test('advancing a month sends reminders, collects each payment on its day and completes the plan', async () => {
  const tenant = await withPlan(svc, partner, 't-month');
  const before = await tenant.read();
  const moved = await tenant.simulate('advance_clock', { by: 'P1M' });
  expect(moved.data.simulated_time.slice(0, 10)).toBe('2026-03-01');
  const plan = await tenant.read();
  expect(plan.state).toBe('completed');
  expect(plan.installments.every((it: { state: string }) => it.state === 'paid')).toBe(true);
  expect(plan.version).toBeGreaterThan(before.version);
  expect(await eventsOf('t-month', /^installment|^plan\.completed/)).toEqual([
    'installment.paid',
    ...Array(3).fill(['installment.upcoming', 'installment.paid']).flat(),
    'plan.completed',
  ]);
  expect(await owedBy('t-month')).toBe(0);
});

test('a returning tenant types nothing again, and pays from the same account', async () => {
  const { simulate } = await withPlan(svc, partner, 't-back');
  await simulate('advance_clock', { by: 'P1M' });
  const { key, pms } = partner;
  const charges = [{ ...ada.charges[0], id: 'C-2', due_date: '2026-03-01' }];
  const info = await svc.call('POST', '/tenant/portal_info/t-back', {
    key,
    body: { ...ada, charges },
  });
  const who = { pms, apiKey: key, externalId: 't-back', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  expect(tenant.exchanged.data).toMatchObject({
    step: 'offer',
    known_applicant: { birth_year: 1990, monthly_income_in_cents: 500_000 },
    apply_steps: ['application', 'plan_choice', 'consent'],
  });
  expect(JSON.stringify(tenant.exchanged.data)).not.toContain('1990-04');
  const applied = await tenant.applyAgain(480_000);
  expect(applied.data).toMatchObject({
    step: 'plan_choice',
    known_applicant: null,
    payment_method: { last4: '0000' },
  });
  await tenant.accept((await tenant.quotes()).data.items.at(-1));
  expect((await tenant.state()).data.plan).toMatchObject({
    state: 'active',
    rent_cycle_date: '2026-03-01',
  });
  const once = ['application.submitted', 'application.approved'];
  expect(await eventsOf('t-back', /^application/)).toEqual([...once, ...once]);
});

test('rent that we already paid is not offered again until a reset', async () => {
  const tenant = await withPlan(svc, partner, 't-paid');
  await tenant.change('pay', {
    installment_ids: tenant.plan.installments.map((it: { id: string }) => it.id),
  });
  const paid = (await tenant.state()).data;
  expect(paid).toMatchObject({
    step: 'done',
    plan: { id: tenant.plan.id, state: 'completed' },
    management: { amounts: { left_in_cents: 0, paid_in_cents: 155_012 } },
    past_plans: [{ id: tenant.plan.id, state: 'completed' }],
  });
  expect(paid.management.receipts).toHaveLength(4);
  expect(paid.management.history[0].kind).toBe('completed');
  await tenant.simulate('reset');
  await tenant.simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  expect((await tenant.state()).data.step).toBe('offer');
});

test('a plan is paid from another account once it is added', async () => {
  const tenant = await withPlan(svc, partner, 't-account');
  const changed = await tenant.pay({ ...testAccount, account_number: '000111110002' });
  expect(changed.data).toMatchObject({
    step: 'manage',
    management: { payment_method: { label: 'Bank account ending in 0002' } },
  });
  await tenant.simulate('advance_clock', { by: 'P14D' });
  expect((await tenant.state()).data.management.installments[1].failure.return_code).toBe('R02');
  expect(await eventsOf('t-account', /^plan\.updated/)).toEqual(['plan.updated']);
});

test('R01 is retried twice, then the plan is past due until the tenant pays', async () => {
  const tenant = await withPlan(svc, partner, 't-late');
  for (let turn = 0; turn < 3; turn += 1) {
    await tenant.simulate('fail_next_payment', { return_code: 'R01' });
  }
  const last = tenant.plan.installments.at(-1);
  await tenant.simulate('advance_clock', { by: 'P20D' });
  const state = (await tenant.state()).data;
  expect(state.plan.installments[1].state).toBe('overdue');
  expect(state.management.installments[1].failure.return_code).toBe('R01');
  const failures = await eventsOf('t-late', /^installment\.failed/);
  expect(failures).toHaveLength(3);
  await tenant.simulate('advance_clock', { to: `${last.due_date.slice(0, 4)}-03-20T12:00:00Z` });
  expect((await tenant.read()).state).toBe('past_due');
  const paid = await tenant.change('pay', { installment_ids: [state.plan.installments[1].id] });
  expect(paid.data.repayment.amount_in_cents).toBe(state.plan.installments[1].amount_in_cents);
  expect((await tenant.read()).state).toBe('completed');
  expect(await owedBy('t-late')).toBe(0);
});

test.each(['R07', 'R08', 'R10'])('%s is not retried', async (code) => {
  const tenant = await withPlan(svc, partner, `t-${code}`);
  await tenant.simulate('fail_next_payment', { return_code: code });
  await tenant.simulate('advance_clock', { by: 'P14D' });
  expect((await tenant.read()).installments[1].state).toBe('overdue');
  expect(await eventsOf(`t-${code}`, /^installment\.failed/)).toHaveLength(1);
});

test('concurrent payments, moves and clock advances collect each payment once', async () => {
  const tenant = await withPlan({ call: retryUnavailable(svc.call) }, partner, 't-race');
  const { plan, management } = (await tenant.state()).data;
  const ids: string[] = plan.installments.map((it: { id: string }) => it.id);
  const days: string[] = management.installments[2].reschedule_days;
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, turn) => {
      if (turn % 3 === 0) return tenant.change('pay', { installment_ids: ids });
      if (turn % 3 === 1) return tenant.simulate('advance_clock', { by: 'P1D' });
      const due_date = days[turn % days.length];
      return tenant.change('reschedule', { installment_id: ids[2], due_date, reason: 'other' });
    }),
  );
  expect(answers.every((it) => [200, 409, 422].includes(it.status))).toBe(true);
  expect((await tenant.read()).state).toBe('completed');
  expect(await eventsOf('t-race', /^installment\.paid/)).toHaveLength(4);
  expect(await owedBy('t-race')).toBe(0);
});

test('a payment moves to an offered day only, and is collected on that day', async () => {
  const tenant = await withPlan(svc, partner, 't-move');
  const { plan, management } = (await tenant.state()).data;
  const part = plan.installments[1];
  const day = management.installments[1].reschedule_days.at(-1);
  const wrong = await tenant.change('reschedule', {
    installment_id: part.id,
    due_date: '2026-02-14',
    reason: 'paid_on_another_day',
  });
  expect(wrong.error?.errors?.[0]?.param).toBe('due_date');
  const moved = await tenant.change('reschedule', {
    installment_id: part.id,
    due_date: day,
  });
  expect(moved.data.change.change).toBe('installment_rescheduled');
  await tenant.simulate('advance_clock', { to: `${part.due_date}T23:00:00Z` });
  expect((await tenant.read()).installments[1].state).toBe('scheduled');
  await tenant.simulate('advance_clock', { to: `${day}T23:00:00Z` });
  expect((await tenant.read()).installments[1].state).toBe('paid');
});

test('without autopay nothing is collected; after 120 days the plan is charged off and shown as owed', async () => {
  const tenant = await withPlan(svc, partner, 't-manual');
  expect((await tenant.change('autopay', { enabled: false })).data.change.change).toBe(
    'autopay_disabled',
  );
  await tenant.simulate('advance_clock', { by: 'P200D' });
  expect((await tenant.read()).state).toBe('charged_off');
  const { step, plan, management } = (await tenant.state()).data;
  expect([step, plan.id, management.amounts.left_in_cents]).toEqual([
    'manage',
    tenant.plan.id,
    114_009,
  ]);
  expect(await eventsOf('t-manual', /^installment\.(paid|failed)/)).toEqual(['installment.paid']);
  expect(await owedBy('t-manual')).toBe(0);
});
