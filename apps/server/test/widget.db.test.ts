import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { playTenant, testAccount } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

const origin = 'https://portal.example';

function sign(key: string, pms: string, externalId: string): string {
  return createHmac('sha256', key).update(`${pms}+${externalId}`).digest('hex');
}

function ask(body: object, headers: Record<string, string> = { origin }) {
  return svc.call('POST', '/widget/session', { body, headers });
}

function identity(changes: object = {}) {
  const { pms, key } = partner;
  return { pms, external_id: 't-1', signature: sign(key, pms, 't-1'), ...changes };
}

test('a valid signature returns the state with its dates and nothing else', async () => {
  const answer = await ask(identity());
  expect(answer).toMatchObject({ status: 200, data: { state: 'new', next_payment_on: null } });
  await svc.call('POST', '/tenant/portal_info/t-1', { key: partner.key, body: ada });
  const known = await ask(identity());
  // The cycle of the example's rent opens seven days before it is due.
  expect(known.data).toEqual({
    state: 'unavailable',
    status: 'too_early',
    next_payment_on: null,
    available_on: '2026-01-25',
    payments: [],
    environment: 'sandbox',
  });
});

test('a closed cycle is reported until the next one may be open', async () => {
  const external_id = 't-month';
  const { pms, key } = partner;
  const as = { ...identity(), external_id, signature: sign(key, pms, external_id) };
  const simulate = (verb: string, body: object) =>
    svc.call('POST', `/simulation/${external_id}/${verb}`, { key, body });
  const status = async () => (await ask(as)).data;
  await svc.call('POST', `/tenant/portal_info/${external_id}`, { key, body: ada });
  await simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  expect(await status()).toMatchObject({ state: 'can_split' });
  await simulate('advance_clock', { to: '2026-02-21T12:00:00Z' });
  expect(await status()).toMatchObject({ status: 'unavailable', available_on: null });
  await simulate('advance_clock', { to: '2026-02-22T12:00:00Z' });
  expect(await status()).toMatchObject({ state: 'nothing_due', status: 'nothing_due' });
});

/** A tenant whose clock stands at the due date, with an open experience. */
async function tenantAt(externalId: string, result = 'WILL_BE_APPROVED') {
  const { pms, key } = partner;
  const simulate = (verb: string, body: object) =>
    svc.call('POST', `/simulation/${externalId}/${verb}`, { key, body });
  const report = (changes: object = {}) =>
    svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: { ...ada, ...changes } });
  const widget = async () => {
    const signature = sign(key, pms, externalId);
    const { data } = await ask({ pms, external_id: externalId, signature });
    // Amounts, names and reasons never leave through this call.
    expect(Object.keys(data)).toEqual([
      'state',
      'status',
      'next_payment_on',
      'available_on',
      'payments',
      'environment',
    ]);
    expect(JSON.stringify(data)).not.toMatch(/cents|Ada|reason|declined/);
    return data;
  };
  await simulate('set_underwriting_result', {
    underwriting_result: result,
    rent_cycle_date: '2026-02-01',
  });
  const { token } = (await report()).data;
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' } as const;
  return { simulate, report, widget, tenant: await playTenant(svc, token, who) };
}

test('the status follows a tenant from the offer to the last payment and the end of the lease', async () => {
  const { simulate, report, widget, tenant } = await tenantAt('t-life');
  expect(await widget()).toMatchObject({ state: 'can_split', status: 'can_split' });
  await tenant.apply();
  await tenant.pay();
  expect(await widget()).toMatchObject({ state: 'can_split', status: 'approved' });
  const { items } = (await tenant.quotes()).data;
  await tenant.accept(
    items.find((it: { installments: unknown[] }) => it.installments.length === 3),
  );
  const planned = await widget();
  expect(planned).toMatchObject({ state: 'has_plan', status: 'has_plan' });
  const [, second, third] = planned.payments;
  expect(planned.payments).toEqual([
    { due_on: expect.any(String), state: 'paid' },
    { due_on: planned.next_payment_on, state: 'due' },
    { due_on: expect.any(String), state: 'due' },
  ]);
  await simulate('fail_next_payment', { return_code: 'R02' });
  await simulate('advance_clock', { to: `${third.due_on}T09:00:00Z` });
  const late = await widget();
  expect(late).toMatchObject({
    // An SDK that knows no past due shows the plan.
    state: 'has_plan',
    status: 'past_due',
    next_payment_on: second.due_on,
    payments: [{ state: 'paid' }, { state: 'past_due' }, { state: 'due' }],
  });
  await svc.call('POST', `/simulation/t-life/reset`, { key: partner.key, body: {} });
  await report({ charges: [], lease: { ...ada.lease, ends_on: '2026-01-10' } });
  expect(await widget()).toMatchObject({ state: 'unavailable', status: 'moved_out' });
});

test('the widget says when a payment fails on its day, is late, and is owed for a closed plan', async () => {
  const { simulate, report, widget, tenant } = await tenantAt('t-failed');
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  await tenant.accept(
    items.find((it: { installments: unknown[] }) => it.installments.length === 4),
  );
  const [, second] = (await widget()).payments;
  await simulate('fail_next_payment', { return_code: 'R02' });
  await simulate('advance_clock', { to: `${second.due_on}T21:00:00Z` });
  expect(await widget()).toMatchObject({
    // An SDK up to 0.2 shows the plan.
    state: 'has_plan',
    status: 'payment_failed',
    next_payment_on: second.due_on,
    payments: [{ state: 'paid' }, { state: 'failed' }, { state: 'due' }, { state: 'due' }],
  });
  await simulate('advance_clock', { by: 'P1D' });
  expect(await widget()).toMatchObject({ status: 'past_due', next_payment_on: second.due_on });
  // The plan is closed after 120 days.
  await simulate('advance_clock', { by: 'P150D' });
  await report({ charges: [] });
  const owed = {
    state: 'unavailable',
    status: 'needs_attention',
    next_payment_on: null,
    available_on: null,
    payments: [],
    environment: 'sandbox',
  };
  expect(await widget()).toEqual(owed);
  const { data: state } = await tenant.state();
  expect([state.step, state.plan.state]).toEqual(['manage', 'charged_off']);
  // The partner has had plan.charged_off, and finds the plan at the tenant.
  const { key } = partner;
  const debt = { eligibility: { state: 'nothing_due' }, charged_off_plan_id: state.plan.id };
  expect((await svc.call('GET', '/tenants/t-failed', { key })).data).toMatchObject(debt);
  const { items: tenants } = (await svc.call('GET', '/partner/tenants?search=t-failed', { key }))
    .data;
  expect(tenants).toMatchObject([{ external_id: 't-failed', ...debt }]);
  // The same is true after the tenant has moved out.
  await report({ charges: [], lease: { ...ada.lease, ends_on: '2026-03-01' } });
  expect(await widget()).toEqual(owed);
});

test('a plan has not started while its first payment is processing', async () => {
  const { widget, tenant } = await tenantAt('t-starting');
  await tenant.apply();
  await tenant.pay({ ...testAccount, account_number: '000111110003' });
  const { items } = (await tenant.quotes()).data;
  await tenant.accept(items[0]);
  expect(await widget()).toEqual({
    state: 'has_plan',
    status: 'starting',
    next_payment_on: null,
    available_on: null,
    payments: [
      { due_on: '2026-02-01', state: 'processing' },
      { due_on: expect.any(String), state: 'due' },
    ],
    environment: 'sandbox',
  });
});

test('a payment that was moved is marked, and one that a credit has paid is listed apart', async () => {
  const { key, pms } = partner;
  const tenant = await withPlan(svc, partner, 't-moved');
  const { plan, management } = (await tenant.state()).data;
  const [, , third, last] = plan.installments;
  const [due_date] = management.installments[2].reschedule_days;
  await tenant.change('reschedule', { installment_id: third.id, due_date });
  const settlement = `/settlements/${plan.settlement_id}`;
  await svc.call('PATCH', settlement, { key, body: { status: 'verified' } });
  const refund = { amount_in_cents: last.amount_in_cents };
  await svc.call('POST', `${settlement}/refunds`, { key, body: refund });
  const signature = sign(key, pms, 't-moved');
  const { data } = await ask({ pms, external_id: 't-moved', signature });
  expect(data.payments).toHaveLength(3);
  expect(data.payments.filter((it: { moved?: true }) => it.moved)).toEqual([
    { due_on: due_date, state: 'due', moved: true },
  ]);
  expect(data.credited_on).toEqual([last.due_date]);
  expect(JSON.stringify(data)).not.toContain('cents');
  // Back on its first day, it counts as not moved.
  const back = { installment_id: third.id, due_date: third.due_date };
  await tenant.change('reschedule', back);
  expect(
    JSON.stringify((await ask({ pms, external_id: 't-moved', signature })).data),
  ).not.toContain('moved');
});

test('a paid plan is named until the next rent is due', async () => {
  const { simulate, widget, tenant } = await tenantAt('t-paid');
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  await tenant.accept(items[0]);
  await simulate('advance_clock', { to: '2026-03-05T18:00:00Z' });
  expect(await widget()).toMatchObject({ state: 'nothing_due', status: 'paid_off', payments: [] });
  await simulate('advance_clock', { to: '2026-04-03T18:00:00Z' });
  expect(await widget()).toMatchObject({ state: 'nothing_due', status: 'nothing_due' });
});

test('a decline is only a date', async () => {
  const { widget, tenant } = await tenantAt('t-declined', 'WILL_BE_DECLINED');
  await tenant.apply();
  await tenant.pay();
  expect(await widget()).toEqual({
    state: 'unavailable',
    status: 'unavailable',
    next_payment_on: null,
    available_on: '2026-05-02',
    payments: [],
    environment: 'sandbox',
  });
});

describe('a wrong signature is refused, and the sandbox tells it from an unknown portal', () => {
  const right = () => identity().signature;
  test.each([
    ['one digit changed', () => right().replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['trailing characters', () => `${right()}zz`],
    ['a trailing line', () => `${right()}\n`],
    ['upper case', () => right().toUpperCase()],
    ['too short', () => right().slice(0, 62)],
    ['empty', () => ''],
    ['of another tenant', () => sign(partner.key, partner.pms, 't-2')],
    ['of another key', () => sign('svc_sandbox_other', partner.pms, 't-1')],
  ])('%s', async (_, signature) => {
    const wrong = await ask(identity({ signature: signature() }));
    const unknown = await ask({ pms: 'nobody-here', external_id: 't-1', signature: right() });
    expect(wrong).toMatchObject({ status: 401, error: { code: 'signature_invalid' } });
    expect(unknown).toMatchObject({ status: 401, error: { code: 'portal_unknown' } });
  });
});

test('a signature is valid as long as its key, also during a rotation', async () => {
  const { pms, key, keyId } = await svc.newPartner();
  await svc.administer({ command: 'key create', pms });
  const old = { pms, external_id: 't', signature: sign(key, pms, 't') };
  expect((await ask(old)).status).toBe(200);
  await svc.administer({ command: 'key revoke', key_id: keyId, even_last: true });
  expect((await ask(old)).status).toBe(401);
});

test('the preflight allows any page for two hours', async () => {
  const response = await fetch(`${svc.url}/v1/widget/session`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '7200',
    vary: 'Origin',
  });
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
});

test('the page can read every answer, including refusals', async () => {
  const elsewhere = { allowed_origins: ['https://other.example'] };
  const restricted = await svc.newPartner();
  await svc.call('PUT', '/partner/allowed_origins', { key: restricted.key, body: elsewhere });
  const { pms, key } = restricted;
  const answers = [
    [200, await ask(identity())],
    [401, await ask(identity({ signature: 'x' }))],
    [403, await ask({ pms, external_id: 't', signature: sign(key, pms, 't') })],
    [422, await ask({ pms: 1 })],
    [400, await svc.call('POST', '/widget/session', { body: '{', headers: { origin } })],
    [415, await ask({}, { origin, 'content-type': 'text/csv' })],
  ] as const;
  for (const [status, { status: got, headers, error }] of answers) {
    expect(got).toBe(status);
    // The SDK uses these fields to distinguish our refusals from those of a proxy.
    const refusal = {
      code: expect.any(String),
      message: expect.any(String),
      request_id: expect.any(String),
    };
    if (status !== 200) expect(error).toMatchObject(refusal);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('access-control-expose-headers')).toBe('X-Request-Id, Retry-After');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  }
});

test('a text/plain request needs no preflight', async () => {
  const answer = await ask(identity(), { origin, 'content-type': 'text/plain;charset=UTF-8' });
  expect(answer).toMatchObject({ status: 200, data: { next_payment_on: null } });
});
