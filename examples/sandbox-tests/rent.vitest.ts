// npx vitest run --dir . rent.vitest.ts
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 60_000);
afterAll(() => sandbox.stop());

test('the second payment is collected on its day', async () => {
  const { plan } = await sandbox.scenario('t-300', 'split', { installment_count: 2 });
  expect(plan?.installments).toHaveLength(2);
  const next = plan?.installments[1]?.due_date ?? '';

  await sandbox.advanceClock('t-300', { to: `${next}T18:00:00Z` });
  const first = await sandbox.nextWebhook('installment.paid', { externalId: 't-300' });
  const second = await sandbox.nextWebhook('installment.paid', { externalId: 't-300' });
  expect([first.data.plan_id, second.data.plan_id]).toEqual([plan?.id, plan?.id]);
});

test('each test can have its own sandbox', async () => {
  await using other = await startSandbox();
  expect(other.apiKey).not.toBe(sandbox.apiKey);
  expect(await other.client.tenants.list().toArray()).toEqual([]);
});
