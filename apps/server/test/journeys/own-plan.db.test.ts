import { expect, test } from 'vitest';
import { useService } from '../harness.ts';
import { withPlan } from './with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();

/** Creates a tenant with a plan, and a function by which the tenant reads a plan. */
async function ownPlan(externalId: string) {
  const { exchanged, plan, change } = await withPlan(svc, partner, externalId);
  const headers = { authorization: `Bearer ${exchanged.data.session}` };
  const read = (id: string) => svc.call('GET', `/experience/plan/${id}`, { headers });
  return { plan, read, change };
}

test('a tenant reads their own plan with its documents, also after it is paid in full', async () => {
  const { plan, read, change } = await ownPlan('t-own');
  expect((await read(plan.id)).data.plan.state).toBe('active');
  const installment_ids = plan.installments.slice(1).map(({ id }: { id: string }) => id);
  await change('pay', { installment_ids });
  const own = (await read(plan.id)).data;
  expect(own.plan.state).toBe('completed');
  expect(own.management.receipts).toHaveLength(4);
  expect(own.management.agreement.text).toContain('ANNUAL PERCENTAGE RATE');
});

test('another tenant’s plan is not found', async () => {
  const first = await ownPlan('t-first');
  const second = await ownPlan('t-second');
  const answer = await second.read(first.plan.id);
  expect([answer.status, answer.error?.code]).toEqual([404, 'plan_not_found']);
  expect((await second.read('pln_none')).status).toBe(404);
});
