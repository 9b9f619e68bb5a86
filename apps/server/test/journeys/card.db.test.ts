import { raw, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from '../harness.ts';
import { playTenant, testAccount, testCard } from './play-tenant.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

const card = (number: string, change: object = {}) => ({ ...testCard, number, ...change });
const paying = (externalId: string, account: object = testCard) =>
  withPlan(svc, partner, externalId, { account });

async function bodiesOf(externalId: string, type: string) {
  const rows = await rowsOf<{ body: string }>(
    svc.db,
    sql`
    select body from webhook_messages where subject = ${externalId} and type = ${type}
    order by id`,
  );
  return rows.map(({ body }) => JSON.parse(body).data as Record<string, unknown>);
}

test('a plan paid by card is collected on each due date and deposited on the next banking day', async () => {
  const tenant = await paying('t-card');
  expect(tenant.accepted.data.settlement.amount_in_cents).toBe(152_012);
  expect(tenant.plan.state).toBe('active');
  await tenant.simulate('advance_clock', { by: 'P1M' });
  expect((await tenant.read()).state).toBe('completed');
  const paid = await bodiesOf('t-card', 'installment.paid');
  expect(paid.map(({ method }) => method)).toEqual(Array(4).fill('card'));
  const { receipts, payment_method } = (await tenant.state()).data.management;
  expect(payment_method).toMatchObject({
    type: 'card',
    brand: 'visa',
    last4: '4242',
    label: 'Visa card ending in 4242',
  });
  expect(receipts.map((it: { method: string }) => it.method)).toEqual(
    Array(4).fill('Visa card ending in 4242'),
  );
  const { waiting } = await oneRowOf<{ waiting: number }>(
    svc.db,
    sql`
    select coalesce(sum(e.amount_in_cents), 0)::int8 as waiting from processor_entry e
    join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id where t.external_id = 't-card' and e.deposit_id is null`,
  );
  expect(waiting).toBe(0);
});

test('no row, event or log line contains a card’s number or security code', async () => {
  const number = '5105105105105100';
  const inHex = Buffer.from(number).toString('hex');
  await paying('t-secret', card(number, { cvc: '737' }));
  const { details, id } = await oneRowOf<{ details: Buffer; id: string }>(
    svc.db,
    sql`
    select m.details_sealed as details, m.id from payment_method m
    join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id where t.external_id = 't-secret'`,
  );
  expect(JSON.parse(svc.service.vault.open(details, id))).toEqual({
    type: 'card',
    token: 'tok_5100',
    expires: '2027-12',
  });
  const tables = await rowsOf<{ name: string }>(
    svc.db,
    sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const { found } = await oneRowOf<{ found: number }>(
      svc.db,
      sql`select count(*) as found from ${raw(name)} t
        where t::text like ${`%${number}%`} or t::text like ${`%${inHex}%`}`,
    );
    expect([name, found]).toEqual([name, 0]);
  }
  expect(svc.lines.filter((line) => line.includes(number) || line.includes('"737"'))).toEqual([]);
});

test('a card that declines from the second payment on is retried twice; another card pays', async () => {
  const tenant = await paying('t-later', card('4000000000000341'));
  expect(tenant.accepted.data.failure).toBeNull();
  await tenant.simulate('advance_clock', { by: 'P15D' });
  const failures = await bodiesOf('t-later', 'installment.failed');
  expect(failures.map(({ number, return_code }) => [number, return_code])).toEqual(
    Array(3).fill([2, 'card_declined']),
  );
  expect(failures.at(-1)).toMatchObject({ method: 'card', next_attempt_at: null });
  const { plan } = (await tenant.state()).data;
  expect(plan.installments[1].state).toBe('overdue');
  const again = await tenant.change('pay', { installment_ids: [plan.installments[1].id] });
  expect(again.data.failure.code).toBe('payment_failed:card_declined');
  expect((await tenant.pay(testCard)).data.step).toBe('manage');
  const paid = await tenant.change('pay', { installment_ids: [plan.installments[1].id] });
  expect(paid.data.repayment.amount_in_cents).toBe(38_003);
  await tenant.simulate('advance_clock', { by: 'P1M' });
  expect((await tenant.read()).state).toBe('completed');
});

test.each([
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000002', 'card_declined'],
  ['4000000000000069', 'expired_card'],
])(
  'card %s declines the first payment, so there is no plan; another card works',
  async (number, code) => {
    const tenant = await paying(`t-${code}`, card(number));
    expect(tenant.accepted.data).toMatchObject({
      settlement: null,
      failure: { code: `first_payment_failed:${code}` },
    });
    await tenant.pay(testCard);
    const { items } = (await tenant.quotes()).data;
    const accepted = await tenant.accept(items.at(-1));
    expect(accepted.data).toMatchObject({ failure: null, state: { step: 'done' } });
  },
);

test('each invalid field of a card is reported', async () => {
  const tenant = await paying('t-fields', testAccount);
  const errorsOf = async (typed: object) =>
    (await tenant.pay(typed)).error?.errors?.map(({ param, code }) => `${param} ${code}`);
  expect(await errorsOf(card('4242424242424241', { expires: '12/27', cvc: '12' }))).toEqual([
    'number invalid_value',
    'expires invalid_format',
    'cvc invalid_format',
  ]);
  // An American Express card, and one that no test uses.
  expect(await errorsOf(card('378282246310005'))).toEqual(['number invalid_value']);
  expect(await errorsOf(card('4111111111111111'))).toEqual(['number invalid_value']);
  expect(await errorsOf(card('4012888888881881', { expires: '2026-01' }))).toEqual([
    'number not_accepted',
    'expires too_small',
  ]);
  expect((await tenant.state()).data.management.payment_method.type).toBe('bank_account');
  expect((await tenant.pay(card('4242424242424242', { expires: '2026-02' }))).status).toBe(200);
});

test('a card is valid until the last day of its month', async () => {
  const tenant = await paying('t-month', card('4242424242424242', { expires: '2026-02' }));
  await tenant.change('autopay', { enabled: false });
  const pay = (at: number) =>
    tenant.change('pay', { installment_ids: [tenant.plan.installments[at].id] });
  await tenant.simulate('advance_clock', { to: '2026-03-01T05:59:00Z' });
  expect((await pay(1)).data.failure).toBeNull();
  await tenant.simulate('advance_clock', { to: '2026-03-01T06:00:00Z' });
  expect((await pay(2)).data.failure.code).toBe('payment_failed:expired_card');
});

test('a card that expires before the last payment is accepted with a warning', async () => {
  const { key, pms } = partner;
  const externalId = 't-ends';
  const [charge] = ada.charges;
  const simulate = (call: string, body: object) =>
    svc.call('POST', `/simulation/${externalId}/${call}`, { key, body });
  await simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-20',
  });
  const { data } = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key,
    body: { ...ada, charges: [{ ...charge, due_date: '2026-02-20' }] },
  });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, data.token, who);
  await tenant.apply();
  await tenant.pay(card('4242424242424242', { expires: '2026-02' }));
  const { items } = (await tenant.quotes()).data;
  const codes = items.map((it: { warnings: { code: string }[] }) => it.warnings[0]?.code);
  expect(codes).toEqual(Array(3).fill('card_ends_early'));
  await tenant.accept(items.at(-1));
  const { plan, management, payment_method } = (await tenant.state()).data;
  expect(payment_method.expires).toBe('2026-02');
  const last = plan.installments.at(-1).due_date;
  expect(management.card_ends_before).toBe(last);
  await tenant.pay(testCard);
  expect((await tenant.state()).data.management.card_ends_before).toBeNull();
});

test.each([
  ['card', 'R01', 'insufficient_funds', 2],
  ['card', 'processing_error', 'processing_error', 2],
  ['card', 'lost_or_stolen', 'lost_or_stolen', 0],
  ['bank account', 'expired_card', 'R02', 0],
])(
  'a %s payment simulated to fail with %s fails with %s',
  async (kind, requested, code, retries) => {
    const externalId = `t-${requested}-${code}`;
    const tenant = await paying(externalId, kind === 'card' ? testCard : testAccount);
    for (let turn = 0; turn < 3; turn += 1) {
      await tenant.simulate('fail_next_payment', { return_code: requested });
    }
    await tenant.simulate('advance_clock', { by: 'P15D' });
    const failures = await bodiesOf(externalId, 'installment.failed');
    const ofSecond = failures.filter(({ number }) => number === 2);
    expect(ofSecond.map((it) => it.return_code)).toEqual(Array(retries + 1).fill(code));
  },
);

test('a card with a revoked authorization turns autopay off', async () => {
  const tenant = await paying('t-revoked');
  await tenant.simulate('fail_next_payment', { return_code: 'authorization_revoked' });
  await tenant.simulate('advance_clock', { by: 'P10D' });
  expect((await tenant.state()).data.management.autopay).toBe(false);
});

test('refunds of card payments go to the card', async () => {
  const tenant = await paying('t-refund');
  const ids = tenant.plan.installments.map((it: { id: string }) => it.id);
  await tenant.change('pay', { installment_ids: ids });
  const { settlement_id: id } = await tenant.read();
  const { key } = partner;
  await svc.call('PATCH', `/settlements/${id}`, { key, body: { status: 'verified' } });
  const body = { amount_in_cents: 2_000 };
  const { data } = await svc.call('POST', `/settlements/${id}/refunds`, { key, body });
  expect(data.paid_back_in_cents).toBe(2_000);
  const back = await oneRowOf(
    svc.db,
    sql`
    select e.amount_in_cents, m.type from processor_entry e
    join payment_method m on m.partner_id = e.partner_id and m.id = e.payment_method_id where e.source_id = ${data.id}`,
  );
  expect(back).toEqual({ amount_in_cents: -2_000, type: 'card' });
});
