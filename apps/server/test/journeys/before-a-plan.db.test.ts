import { sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { deleteExpired } from '../../src/jobs/delete-expired.ts';
import { ada, useService } from '../harness.ts';
import { visitedPage } from '../visited-page.ts';
import { playTenant } from './play-tenant.ts';
import type { Partner } from './with-plan.ts';

const svc = await useService();

async function open(partner: Partner, externalId: string, info: object = ada) {
  const { key, pms } = partner;
  await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const reported = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: info });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  return playTenant(svc, reported.data.token, who);
}

function applyAs(tenant: Awaited<ReturnType<typeof open>>, dateOfBirth: string) {
  return svc.call('POST', '/experience/application', {
    body: { date_of_birth: dateOfBirth, monthly_income_in_cents: 500_000, consent: true },
    headers: { authorization: `Bearer ${tenant.exchanged.data.session}` },
  });
}

test('an applicant under 18 is refused with the field, and nothing is stored or decided', async () => {
  const partner = await svc.newPartner();
  const tenant = await open(partner, 't-minor');
  for (const born of ['2012-06-15', '2008-02-02']) {
    const { status, error } = await applyAs(tenant, born);
    expect([status, error?.code]).toEqual([422, 'validation_failed']);
    expect(error?.errors).toEqual([
      { param: 'date_of_birth', code: 'too_young', message: 'must be at least 18 years ago' },
    ]);
  }
  const { data: state } = await tenant.state();
  expect(state).toMatchObject({ step: 'offer', application: null, notice: null });
  expect(state.eligibility).toEqual({ state: 'can_apply', reason: null, until: null });
  const events = await svc.call('GET', '/events', { key: partner.key });
  const types = events.data.items.map((it: { type: string }) => it.type);
  expect(types.filter((type: string) => type.startsWith('application.'))).toEqual([]);
});

test('the age is computed with the tenant’s own clock', async () => {
  const partner = await svc.newPartner();
  const tenant = await open(partner, 't-birthday');
  expect((await applyAs(tenant, '2008-02-02')).status).toBe(422);
  await svc.call('POST', '/simulation/t-birthday/advance_clock', {
    key: partner.key,
    body: { by: 'P1D' },
  });
  expect((await applyAs(tenant, '2008-02-02')).status).toBe(200);
});

test('an application is decided before an account is asked for', async () => {
  const partner = await svc.newPartner();
  const tenant = await open(partner, 't-first');
  expect(tenant.exchanged.data.known_applicant).toBeNull();
  const missing = await tenant.applyAgain();
  expect(missing.error?.errors).toEqual([
    {
      param: 'date_of_birth',
      code: 'required',
      message: 'is required: there is no earlier application',
    },
  ]);
  const apply_steps = ['application', 'plan_choice', 'payment_method', 'consent'];
  expect((await tenant.apply()).data).toMatchObject({
    step: 'plan_choice',
    application: { state: 'approved' },
    payment_method: null,
    apply_steps,
  });
  // The amounts are known, but the agreement would have to name the account.
  const [quote] = (await tenant.quotes()).data.items;
  expect(quote).toMatchObject({ installment_count: 2, disclosure: null });
  const early = await tenant.accept({ id: quote.id, disclosure: { sha256: 'a'.repeat(64) } });
  expect(early.error?.code).toBe('step_not_allowed');
  expect((await tenant.pay()).data).toMatchObject({ step: 'plan_choice', apply_steps });
  const [named] = (await tenant.quotes()).data.items;
  expect(named.disclosure.text).toContain('0000');
  expect(named.id).not.toBe(quote.id);
  const { step, plan } = (await tenant.accept(named)).data.state;
  expect([step, plan.state]).toEqual(['done', 'active']);
});

test('an application that an earlier release left waiting for an account is decided', async () => {
  const partner = await svc.newPartner();
  const tenant = await open(partner, 't-waiting');
  await tenant.apply();
  const leaveWaiting = () =>
    svc.db.transaction(async (tx) => {
      const application = sql`
        select a.id from application a join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
        where t.external_id = 't-waiting' and a.state = 'approved'`;
      await tx.run(sql`delete from decision where application_id in (${application})`);
      await tx.run(sql`
        update application set state = 'submitted', decided_at = null,
          approved_amount_in_cents = null
        where id in (${application})`);
    });
  await leaveWaiting();
  expect((await tenant.state()).data).toMatchObject({
    step: 'payment_method',
    apply_steps: ['application', 'payment_method', 'plan_choice', 'consent'],
  });
  expect((await tenant.pay()).data.step).toBe('plan_choice');
  // With an account nothing is missing: the tenant confirms the application.
  await leaveWaiting();
  expect((await tenant.state()).data).toMatchObject({
    step: 'offer',
    known_applicant: { birth_year: 1990 },
  });
  expect((await tenant.applyAgain()).data).toMatchObject({
    step: 'plan_choice',
    payment_method: { last4: '0000' },
  });
});

test('a blocked tenant sees the blocking charges, not those of this month', async () => {
  const charge = (id: string, type: string, due_date: string, amount_in_cents: number) => ({
    id,
    type,
    due_date,
    amount_in_cents,
  });
  const rent = charge('C-1', 'rent', '2026-02-01', 152_012);
  const partner = await svc.newPartner();
  const { data: late } = await (
    await open(partner, 't-late', {
      ...ada,
      charges: [
        rent,
        { ...charge('C-0', 'rent', '2026-01-01', 150_000), amount_paid_in_cents: 100_000 },
        { ...charge('C-paid', 'rent', '2025-12-01', 150_000), amount_paid_in_cents: 150_000 },
      ],
    })
  ).state();
  expect(late.eligibility.reason).toBe('past_due_balance');
  expect(late.blocking_charges).toMatchObject([
    { id: 'C-0', amount_in_cents: 150_000, amount_paid_in_cents: 100_000 },
  ]);
  // A charge of a later month blocks too.
  const { data: fee } = await (
    await open(partner, 't-fee', {
      ...ada,
      charges: [rent, charge('C-fee', 'late_fee', '2026-03-05', 5_000)],
    })
  ).state();
  expect(fee.eligibility.reason).toBe('late_fee_open');
  expect(fee.blocking_charges).toMatchObject([{ id: 'C-fee' }]);
  const { data: free } = await (await open(partner, 't-free')).state();
  expect(free.blocking_charges).toEqual([]);
});

test('an amount of which the fee is more than a tenth is refused everywhere, and one cent more is offered', async () => {
  const partner = await svc.newPartner();
  const owing = (id: string, amount_in_cents: number) =>
    open(partner, id, {
      ...ada,
      charges: [{ id: 'C-1', type: 'rent', due_date: '2026-02-01', amount_in_cents }],
    });
  for (const [index, amount] of [50_00, 61_00, 100_00, 299_99].entries()) {
    const tenant = await owing(`t-small-${index}`, amount);
    const told = await svc.call('GET', `/tenants/t-small-${index}`, { key: partner.key });
    expect(told.data.eligibility).toMatchObject({
      state: 'blocked',
      reason: 'amount_below_minimum',
    });
    const { data } = await tenant.state();
    expect(data).toMatchObject({
      step: 'blocked',
      eligibility: { reason: 'amount_below_minimum' },
      terms: { minimum_in_cents: 300_00, installment_counts: [] },
    });
  }
  const tenant = await owing('t-enough', 300_00);
  const { data } = await tenant.state();
  expect(data).toMatchObject({ step: 'offer', terms: { installment_counts: [2, 3, 4] } });
});

test('the page of a simulated bank refuses forged accounts and addresses that are over', async () => {
  const partner = await svc.newPartner();
  const tenant = await open(partner, 't-bank');
  await tenant.apply();
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  const setupOf = async (bank: string) => {
    const body = { type: 'bank_account', bank };
    const { data } = await svc.call('POST', '/experience/payment_setup', { body, headers });
    const { pathname } = new URL(await visitedPage(svc, data.url));
    return { id: data.id as string, page: new URL(pathname, svc.url).href };
  };
  const check = async (id: string) =>
    (await svc.call('POST', `/experience/payment_setup/${id}/check`, { headers })).data;
  const visit = async (page: string, form?: Record<string, string>, language = 'en-US') => {
    const response = await fetch(page, {
      headers: { 'accept-language': language },
      redirect: 'manual',
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    const title = /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1] ?? null;
    return [response.status, title];
  };
  const expired = 'This page has expired';

  const { id, page } = await setupOf('platypus');
  expect(await visit(page)).toEqual([200, 'Choose an account to share']);
  // The browser's language, and the switch on the page, which comes first.
  const choose = 'Elige la cuenta bancaria que quieres compartir';
  expect(await visit(page, undefined, 'fr-FR, es-MX;q=0.9, en;q=0.8')).toEqual([200, choose]);
  expect(await visit(`${page}?locale=es`)).toEqual([200, choose]);
  const unknown = new URL('unknown', page).href;
  expect(await visit(unknown)).toEqual([404, expired]);
  expect(await visit(`${unknown}?locale=es`)).toEqual([404, 'Esta página expiró']);
  expect(await visit(unknown, { account: '000111110000' })).toEqual([404, expired]);
  // A forged form ends nothing: the visit stays open.
  expect(await visit(page, { account: '123456789' })).toEqual([404, expired]);
  expect(await visit(page, {})).toEqual([400, expired]);
  expect(await check(id)).toMatchObject({ state: 'open' });
  expect(await visit(page, { account: '000111110000' })).toEqual([303, null]);
  expect(await visit(page, { account: '000111110001' })).toEqual([404, expired]);
  expect(await visit(page)).toEqual([404, expired]);
  expect(await check(id)).toMatchObject({ state: 'ready' });

  const late = await setupOf('tin_roof');
  svc.clock.advance(60 * 60_000);
  expect(await visit(late.page)).toEqual([404, expired]);
  expect(await visit(late.page, { account: '000111110000' })).toEqual([404, expired]);
  expect(await visit(late.page, { cancel: '1' })).toEqual([404, expired]);

  // The first visit began an hour before the second. Each is kept for 30 days.
  const kept = async (hours: number) => {
    await deleteExpired(
      { ...svc, now: new Date(svc.clock.now().getTime() + hours * 3_600_000) },
      1_000,
    );
    const count = sql`
      select count(*)::int as count from simulator_setup where partner_id = ${partner.id}`;
    return (await oneRowOf<{ count: number }>(svc.db, count)).count;
  };
  expect(await kept(30 * 24 - 1)).toBe(2);
  expect(await kept(30 * 24 + 1)).toBe(0);
});
