import type { QuotesOutput } from '@svc/contract';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import type { TenantExport } from '../../src/domain/privacy/export-tenant.ts';
import { ada, useService } from '../harness.ts';
import { playTenant } from './play-tenant.ts';

// Rent of 1,520.12 is due on Sunday, 2026-02-01, and split on that day.
const svc = await useService();
const partner = await svc.newPartner();
const { key, pms } = partner;

/** A tenant who chooses one of the plans. */
async function open(externalId: string) {
  const simulate = (call: string, body: object = {}) =>
    svc.call('POST', `/simulation/${externalId}/${call}`, { key, body });
  const report = (body: object = ada) =>
    svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
  await simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, (await report()).data.token, who);
  await tenant.apply();
  await tenant.pay();
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  const choose = (paydays: unknown) =>
    svc.call('POST', '/experience/paydays', { headers, body: { paydays } });
  return { ...tenant, simulate, report, choose };
}

const everyOtherFriday = { frequency: 'biweekly', payday: '2026-02-06' };

function daysOf({ items }: QuotesOutput): Record<number, string[]> {
  return Object.fromEntries(
    items.map((it) => [it.installment_count, it.installments.map(({ due_date }) => due_date)]),
  );
}

async function exported(external_id: string): Promise<TenantExport> {
  const answer = await svc.administer({ command: 'tenant export', pms, external_id });
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as TenantExport;
}

test('a plan is paid on the tenant’s paydays, and the next rent starts with them', async () => {
  const tenant = await open('t-paydays');
  const { data: standard } = await tenant.quotes();
  expect(standard).toMatchObject({ paydays: null, not_offered: [] });
  const { data: matched } = await tenant.choose(everyOtherFriday);
  expect(daysOf(matched)).toEqual({
    2: ['2026-02-01', '2026-02-20'],
    3: ['2026-02-01', '2026-02-06', '2026-02-20'],
  });
  expect(matched.not_offered).toEqual([
    {
      installment_count: 4,
      code: 'too_few_paydays',
      message:
        '4 payments need 3 paydays after today, within 30 days and before the next rent cycle. There are fewer.',
    },
  ]);
  expect((await tenant.quotes()).data).toEqual(matched);
  // Stored encrypted.
  const [{ stored } = { stored: '' }] = await rowsOf<{ stored: string }>(
    svc.db,
    sql`select encode(paydays_sealed, 'escape') as stored from tenant where external_id = 't-paydays'`,
  );
  expect(stored).not.toContain('biweekly');
  expect((await exported('t-paydays')).tenant.paydays).toEqual(everyOtherFriday);

  // What was on screen before is no longer on offer.
  const old = await tenant.accept(standard.items[1]);
  expect(old).toMatchObject({ status: 404, error: { code: 'quote_not_found' } });
  const [, quote] = matched.items;
  expect(await tenant.accept(quote)).toMatchObject({ status: 200 });
  const { plan } = (await tenant.state()).data;
  expect(plan).toMatchObject({ apr_bps: quote.apr_bps });
  expect(plan.installments.map((it: { due_date: string }) => it.due_date)).toEqual(
    daysOf(matched)[3],
  );
  // The plan is made: its payments are moved there.
  expect(await tenant.choose(null)).toMatchObject({
    status: 409,
    error: { code: 'step_not_allowed' },
  });

  await tenant.simulate('advance_clock', { to: '2026-02-28T18:00:00Z' });
  const charge = { id: 'C-2', type: 'rent', due_date: '2026-03-01', amount_in_cents: 150_000 };
  await tenant.report({ ...ada, charges: [charge] });
  await tenant.applyAgain();
  const { data: next } = await tenant.quotes();
  expect(next.paydays).toEqual(everyOtherFriday);
  expect(daysOf(next)[3]).toEqual(['2026-02-28', '2026-03-06', '2026-03-20']);
});

test('the standard dates come back when the tenant wants them, and after a reset', async () => {
  const tenant = await open('t-back');
  const { data: standard } = await tenant.quotes();
  // No payday comes before the next rent.
  const { data: none } = await tenant.choose({ frequency: 'monthly', day: 1 });
  expect(none.items).toEqual([]);
  expect(none.not_offered.map((it: { installment_count: number }) => it.installment_count)).toEqual(
    [2, 3, 4],
  );
  expect((await tenant.state()).data.step).toBe('plan_choice');
  expect((await tenant.choose(null)).data).toEqual(standard);
  expect((await tenant.quotes()).data).toEqual(standard);
  await tenant.choose(everyOtherFriday);
  await tenant.simulate('reset');
  expect((await exported('t-back')).tenant.paydays).toBeNull();
});

test('erasing a tenant deletes the paydays', async () => {
  const tenant = await open('t-erase');
  await tenant.choose(everyOtherFriday);
  const erased = await svc.administer({ command: 'tenant erase', pms, external_id: 't-erase' });
  if (!erased.ok) throw new Error(erased.message);
  const { external_id } = erased.result as { external_id: string };
  expect((await exported(external_id)).tenant.paydays).toBeNull();
});

test.each([
  [5, 'paydays', 'must be weekly'],
  [{}, 'paydays.frequency', 'must be weekly, biweekly, semimonthly or monthly'],
  [{ frequency: 'daily' }, 'paydays.frequency', 'must be weekly, biweekly, semimonthly or monthly'],
  [{ frequency: 'weekly', weekday: 0 }, 'paydays.weekday', 'must be a weekday from 1 (Monday)'],
  [{ frequency: 'weekly' }, 'paydays.weekday', 'is required'],
  [{ frequency: 'biweekly', payday: '2026-02-30' }, 'paydays.payday', 'must be a real date'],
  [
    { frequency: 'biweekly', payday: '2027-02-05' },
    'paydays.payday',
    'must be within 31 days of today, 2026-02-01: pass the next payday',
  ],
  [{ frequency: 'semimonthly', days: [15, 15] }, 'paydays.days', 'must be two different days'],
  [{ frequency: 'semimonthly', days: [15] }, 'paydays.days', 'must be the two days'],
  [
    { frequency: 'semimonthly', days: [1, 32] },
    'paydays.days[1]',
    'must be a day of the month from 1 to 31, where 31 is the last day',
  ],
  [{ frequency: 'monthly', day: 1.5 }, 'paydays.day', 'must be a day of the month'],
  [{ frequency: 'monthly', day: 1, weekday: 5 }, 'paydays.weekday', 'is not a field'],
])('paydays %j are refused with what is wrong', async (paydays, param, message) => {
  const tenant = await open(`t-wrong-${param}-${JSON.stringify(paydays).length}`);
  const { status, error } = await tenant.choose(paydays);
  expect([status, error?.code]).toEqual([422, 'validation_failed']);
  expect(error?.errors).toEqual([
    expect.objectContaining({ param, message: expect.stringContaining(message) }),
  ]);
  expect((await tenant.quotes()).data.paydays).toBeNull();
});
