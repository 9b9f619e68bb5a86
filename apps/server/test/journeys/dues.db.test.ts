import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { wordsOfRent } from '../../../../scripts/test/words-of-rent.ts';
import { ada, useService } from '../harness.ts';
import { downloadDocument } from '../support/download-document.ts';
import { readPdf } from '../support/read-pdf.ts';
import { playTenant } from './play-tenant.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { key, pms } = partner;

const due = (id: string, due_date: string, amount_in_cents: number, type = 'hoa_dues') => ({
  id,
  type,
  due_date,
  amount_in_cents,
});

interface Owner {
  charges: readonly object[];
  /** Null: the portal names no variant, only the widget does. */
  product_variant?: 'hoa' | 'rent' | null;
  rent_cycle_date?: string;
  underwriting_result?: string;
}

/** Reports an owner, whose clock stands on the due date. */
async function reportOwner(externalId: string, owner: Owner) {
  const { charges, product_variant = 'hoa' } = owner;
  const { rent_cycle_date = '2026-02-01', underwriting_result = 'WILL_BE_APPROVED' } = owner;
  const simulate = (call: string, body: object) =>
    svc.call('POST', `/simulation/${externalId}/${call}`, { key, body });
  await simulate('set_underwriting_result', { underwriting_result, rent_cycle_date });
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key,
    body: { ...ada, charges, ...(product_variant === null ? {} : { product_variant }) },
  });
  expect(info.status).toBe(200);
  const enter = () =>
    playTenant(svc, info.data.token, { pms, apiKey: key, externalId, productVariant: 'hoa' });
  return { info: info.data, enter, simulate };
}

async function split({ enter }: Pick<Awaited<ReturnType<typeof reportOwner>>, 'enter'>) {
  const tenant = await enter();
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  const accepted = await tenant.accept(items.at(-1));
  const { session } = tenant.exchanged.data;
  return { ...tenant, session, items, accepted: accepted.data, plan: accepted.data.state.plan };
}

test('association dues are split with their own wording, together with an assessment', async () => {
  const owner = await reportOwner('o-1', {
    charges: [
      { id: 'D-1', due_date: '2026-02-01', amount_in_cents: 30_000 },
      due('D-2', '2026-02-01', 20_000, 'hoa_assessment'),
    ],
  });
  expect(owner.info.rent_cycle.amount_due_in_cents).toBe(50_000);
  const { items, accepted } = await split(owner);
  const { disclosure } = items.at(-1);
  expect(disclosure.text).toContain('association dues');
  for (const { text } of [disclosure, ...disclosure.translations]) {
    expect(wordsOfRent(text)).toEqual([]);
  }
  expect(accepted.settlement.charges_paid).toEqual(['D-1', 'D-2']);
});

test('an owner of whom only the widget says so is an owner, also in mails and for the partner', async () => {
  const owner = await reportOwner('o-widget', {
    charges: [{ id: 'D-1', due_date: '2026-02-01', amount_in_cents: 60_000 }],
    product_variant: null,
  });
  const { plan, state } = await split(owner);
  expect(plan.product_variant).toBe('hoa');
  expect((await state()).data.charges[0].type).toBe('hoa_dues');
  const mails = await rowsOf<{ variant: string }>(
    svc.db,
    sql`select distinct m.product_variant as variant
      from mail m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
      where m.partner_id = ${partner.id} and t.external_id = 'o-widget'`,
  );
  expect(mails).toEqual([{ variant: 'hoa' }]);
  const { data } = await svc.call('GET', '/tenants/o-widget', { key });
  expect(data.product_variant).toBe('hoa');
});

test('a variant that the portal has named is never replaced by the widget’s', async () => {
  const renter = { charges: ada.charges, product_variant: 'rent' as const };
  await reportOwner('o-renter', renter);
  const { enter } = await reportOwner('o-renter', { ...renter, product_variant: null });
  await (await enter()).apply();
  const { data } = await svc.call('GET', '/tenants/o-renter', { key });
  expect(data.product_variant).toBe('rent');
});

test.each([
  ['quarterly', 90_000, '2026-01-01', '2026-07-01'],
  ['annual', 240_000, '2025-04-01', '2027-04-01'],
])('%s dues are split like monthly ones', async (name, amount, before, after) => {
  const day = '2026-04-01';
  const paid = { ...due('past', before, amount), amount_paid_in_cents: amount };
  const owner = await reportOwner(`o-${name}`, {
    charges: [paid, due('now', day, amount), due('next', after, amount)],
    rent_cycle_date: day,
  });
  expect(owner.info.rent_cycle).toMatchObject({ due_date: day, amount_due_in_cents: amount });
  const { items, plan, accepted, state } = await split(owner);
  expect(accepted.settlement.charges_paid).toEqual(['now']);
  expect(plan.installments.at(-1).due_date < '2026-05-01').toBe(true);
  // The agreement says how far a payment can move, whenever the next dues are.
  const { management } = (await state()).data;
  const days = management.installments.at(-1).reschedule_days;
  expect(days.at(-1) < '2026-05-01').toBe(true);
  const { text, translations } = items.at(-1).disclosure;
  expect(text).toContain('less than one month after the due date of your association dues');
  expect(translations[0].text).toContain('menos de un mes después del vencimiento de tus cuotas');
});

test('unpaid dues of an earlier quarter block a split, and those of a later one do not', async () => {
  const charges = [due('Q1', '2026-01-01', 90_000), due('Q2', '2026-04-01', 90_000)];
  const late = await reportOwner('o-late', { charges, rent_cycle_date: '2026-04-01' });
  expect(late.info.eligibility).toEqual({ state: 'blocked', reason: 'past_due_balance' });
  const first = await reportOwner('o-first', { charges, rent_cycle_date: '2026-01-01' });
  expect(first.info.eligibility.state).toBe('can_apply');
});

test.each([
  ['too much for a year', [due('Y', '2026-02-01', 600_000)], 'amount_above_cap'],
  ['too little for a month', [due('M', '2026-02-01', 12_000)], 'amount_below_minimum'],
  ['only an assessment', [due('A', '2026-02-01', 60_000, 'hoa_assessment')], 'not_monthly'],
  [
    'an assessment, with dues of another month',
    [due('A', '2026-02-01', 60_000, 'hoa_assessment'), due('B', '2026-04-01', 90_000)],
    'not_monthly',
  ],
])('what can’t be split is blocked: %s', async (name, charges, reason) => {
  const { info, enter } = await reportOwner(`o-${name.replaceAll(/\W+/g, '-')}`, { charges });
  expect(info.eligibility).toEqual({ state: 'blocked', reason });
  const tenant = await enter();
  expect((await tenant.state()).data.step).toBe('blocked');
  expect((await tenant.apply()).error?.code).toBe('step_not_allowed');
});

test('a charge of the other variant is a warning that says what to send', async () => {
  const report = async (product_variant: 'hoa' | 'rent' | null, type: string) => {
    const charges = [due('C', '2026-02-01', 60_000, type)];
    const { info } = await reportOwner(`o-mixed-${product_variant}`, { charges, product_variant });
    return info.warnings.filter((it: { code: string }) => it.code === 'charge_of_other_variant');
  };
  expect(await report('hoa', 'rent')).toEqual([
    expect.objectContaining({
      param: 'charges.0.type',
      message: expect.stringContaining('Send hoa_dues, or no type.'),
    }),
  ]);
  for (const variant of ['rent', null] as const) {
    expect(await report(variant, 'hoa_assessment')).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('Send "product_variant": "hoa"'),
      }),
    ]);
    expect(await report(variant, 'rent')).toEqual([]);
  }
  for (const type of ['hoa_dues', 'hoa_assessment', 'late_fee']) {
    expect(await report('hoa', type)).toEqual([]);
  }
});

test('no document that an owner saves has a word for rent', async () => {
  const charges = [due('D', '2026-02-01', 60_000)];
  const owner = await reportOwner('o-papers', { charges });
  const { session, plan, state } = await split(owner);
  const headers = { authorization: `Bearer ${session}` };
  const settlement = `/settlements/${plan.settlement_id}`;
  await svc.call('PATCH', settlement, { key, body: { status: 'verified' } });
  await svc.call('POST', `${settlement}/refunds`, { key, body: { amount_in_cents: 5_000 } });
  const { management } = (await state()).data;
  const open = management.installments.filter((it: { may_pay: boolean }) => it.may_pay);
  await svc.call('POST', `/experience/plan/${plan.id}/pay`, {
    headers,
    body: { installment_ids: open.map(({ id }: { id: string }) => id) },
  });
  await owner.simulate('advance_clock', { by: 'P360D' });
  const { data: own } = await svc.call('GET', `/experience/plan/${plan.id}`, { headers });
  expect(own.management.history.map((it: { kind: string }) => it.kind)).toContain('credited');

  const declined = await reportOwner('o-declined', {
    charges,
    underwriting_result: 'WILL_BE_DECLINED',
  });
  const other = await declined.enter();
  await other.apply();
  const { application } = (await other.state()).data;
  const papers: [string, string][] = [
    [session, `agreement/${plan.id}`],
    [session, `receipt/${own.management.receipts[0].id}`],
    [session, `payoff/${plan.id}`],
    [session, 'statement/2026'],
    [other.exchanged.data.session, `notice/${application.id}`],
  ];
  for (const [bearer, path] of papers) {
    for (const locale of ['en', 'es']) {
      const document = `${path}?locale=${locale}`;
      const { status, bytes } = await downloadDocument({
        url: svc.url,
        session: bearer,
        document,
      });
      expect(status, path).toBe(200);
      const { text } = readPdf(bytes);
      expect(wordsOfRent(text.replaceAll('\n', ' ')), `${path} ${locale}`).toEqual([]);
    }
  }
});
