import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, type Running, startRunning } from '../harness.ts';
import { playTenant } from './play-tenant.ts';

let svc: Running;
let partner: Awaited<ReturnType<Running['newPartner']>>;
beforeAll(async () => {
  svc = await startRunning();
  partner = await svc.newPartner();
});
afterAll(() => svc.close());

/** A tenant with four payments, and how they read a plan. */
async function withPlan(externalId: string) {
  const { key, pms } = partner;
  await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  const { plan } = (await tenant.accept(items.at(-1))).data.state;
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  const read = (id: string) => svc.call('GET', `/experience/plan/${id}`, { headers });
  const pay = (ids: string[]) =>
    svc.call('POST', `/experience/plan/${plan.id}/pay`, {
      body: { installment_ids: ids },
      headers,
    });
  return { plan, read, pay };
}

test('a tenant reads their own plan with its papers, also when it is paid in full', async () => {
  const { plan, read, pay } = await withPlan('t-own');
  expect((await read(plan.id)).data.plan.state).toBe('active');
  await pay(plan.installments.slice(1).map(({ id }: { id: string }) => id));
  const own = (await read(plan.id)).data;
  expect(own.plan.state).toBe('completed');
  expect(own.management.receipts).toHaveLength(4);
  expect(own.management.agreement.text).toContain('ANNUAL PERCENTAGE RATE');
});

test('another tenant’s plan is as good as absent', async () => {
  const first = await withPlan('t-first');
  const second = await withPlan('t-second');
  const answer = await second.read(first.plan.id);
  expect([answer.status, answer.error?.code]).toEqual([404, 'plan_not_found']);
  expect((await second.read('pln_none')).status).toBe(404);
});
