import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';

const svc = await useService({ decisionNeedsAccount: true }, '2026-02-01T18:00:00Z');
const partner = await svc.newPartner();

test('where the decision needs an account, it is asked for before the decision', async () => {
  const { key, pms } = partner;
  const info = await svc.call('POST', '/tenant/portal_info/t-1', { key, body: ada });
  const who = { pms, apiKey: key, externalId: 't-1', productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  const apply_steps = ['application', 'payment_method', 'plan_choice', 'consent'];
  const submitted = {
    step: 'payment_method',
    application: { state: 'submitted' },
    apply_steps,
  };
  expect((await tenant.apply()).data).toMatchObject(submitted);
  expect((await tenant.apply()).data).toMatchObject(submitted);
  const step = 'plan_choice';
  expect((await tenant.pay()).data).toMatchObject({ step, apply_steps });
  const [quote] = (await tenant.quotes()).data.items;
  expect((await tenant.accept(quote)).data.state.step).toBe('done');
});
