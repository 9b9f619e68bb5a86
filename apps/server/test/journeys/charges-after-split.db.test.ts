import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { ada, useService } from '../harness.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { key } = partner;

const rent = { id: 'C-1', type: 'rent', due_date: '2026-02-01', amount_in_cents: 152_012 };
const parking = { id: 'C-2', type: 'fee', due_date: rent.due_date, amount_in_cents: 8_000 };
const credit = { id: 'C-3', type: 'credit', due_date: rent.due_date, amount_in_cents: -2_000 };
const nextMonth = { id: 'C-9', due_date: '2026-03-01', amount_in_cents: 90_000 };

function report(externalId: string, charges: readonly object[]) {
  const body = { ...ada, charges };
  return svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body });
}

function settle(id: string, status: string) {
  return svc.call('PATCH', `/settlements/${id}`, { key, body: { status } });
}

async function driftsOf(externalId: string): Promise<object[]> {
  const rows = await rowsOf<{ data: object }>(
    svc.db,
    sql`
    select body::json -> 'data' as data from webhook_messages
    where subject = ${externalId} and type = 'charge.drift_detected' order by id`,
  );
  return rows.map(({ data }) => data);
}

const settlementOf = async (planned: Awaited<ReturnType<typeof withPlan>>): Promise<string> =>
  (await planned.read()).settlement_id;

test.each([
  ['drops it', []],
  ['drops it and bills the next month', [nextMonth]],
  ['gives its id to the next month', [{ ...rent, due_date: '2026-03-01' }]],
  ['reports it as paid', [{ ...rent, amount_paid_in_cents: rent.amount_in_cents }]],
  ['reports an open amount of zero', [{ ...rent, amount_in_cents: 0 }]],
])('a portal whose charge our settlement pays and that %s has no drift', async (name, charges) => {
  for (const status of ['unsettled', 'unverified', 'verified'] as const) {
    const externalId = `t-${name.replaceAll(' ', '-')}-${status}`;
    const tenant = await withPlan(svc, partner, externalId);
    if (status !== 'unsettled') await settle(await settlementOf(tenant), status);
    const { data } = await report(externalId, charges);
    expect(data.eligibility.state).toBe('has_plan');
    expect(await driftsOf(externalId)).toEqual([]);
    expect((await tenant.read()).state).toBe('active');
  }
});

test('a charge that a credit has reduced may be dropped, or left at the credit', async () => {
  for (const [externalId, after] of [
    ['t-credit-dropped', []],
    ['t-credit-left', [{ ...rent, amount_in_cents: 2_000 }, credit]],
  ] as const) {
    const tenant = await withPlan(svc, partner, externalId, { charges: [rent, credit] });
    await settle(await settlementOf(tenant), 'verified');
    await report(externalId, after);
    expect(await driftsOf(externalId)).toEqual([]);
  }
});

test('only the charge that was changed is reported, when the others were dropped as paid', async () => {
  const tenant = await withPlan(svc, partner, 't-one-of-two', { charges: [rent, parking] });
  await settle(await settlementOf(tenant), 'verified');
  await report('t-one-of-two', [{ ...parking, amount_in_cents: 6_000 }]);
  expect(await driftsOf('t-one-of-two')).toMatchObject([
    { charge_id: 'C-2', known_amount_in_cents: 8_000, new_amount_in_cents: 6_000 },
  ]);
});

test('a charge that is dropped while its settlement has failed or was returned is reported', async () => {
  for (const status of ['failed', 'returned'] as const) {
    const externalId = `t-dropped-${status}`;
    const tenant = await withPlan(svc, partner, externalId);
    const id = await settlementOf(tenant);
    if (status === 'failed') await settle(id, 'failed');
    else {
      await settle(id, 'verified');
      await svc.call('POST', `/settlements/${id}/return`, { key, body: { reason: 'R02' } });
    }
    await report(externalId, []);
    expect(await driftsOf(externalId)).toMatchObject([
      { charge_id: rent.id, new_amount_in_cents: 0, outcome: 'plan_unchanged' },
    ]);
  }
});
