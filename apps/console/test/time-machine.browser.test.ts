import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

test('a tenant is copied from a webhook with a change, and both are compared', async () => {
  const page = await stage.open({ path: '/tenants/t-100' });
  const tenant = page.getByRole('article', { name: 'Tenant' });
  await tenant.getByRole('link', { name: 'Time machine' }).click();
  await page.getByRole('button', { name: 'Copy from here after settlement.created' }).click();
  await page.getByLabel('What is different').selectOption('The next payment fails');
  await page.getByLabel('Code').fill('R02');
  await page.getByRole('button', { name: 'Copy the tenant' }).click();
  await page.waitForURL(/tenant=t-100&copy=t-100(~|%7E)fork-1/);
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  await webhooks.getByText('5 webhooks are equal').waitFor();
  expect(await webhooks.getByText('First difference').count()).toBe(2);
  expect(await webhooks.getByRole('link', { name: 'installment.failed' }).isVisible()).toBe(true);
  const command = page.getByRole('region', { name: 'Export as test', exact: true });
  expect(await command.textContent()).toContain(
    'svc tenant fork t-100 --at evt_01forked0005a --fail-next-payment R01 --as vitest',
  );

  await page.getByRole('button', { name: 'Advance 7 days' }).click();
  await page.getByText(/^It is now/).waitFor();
  await page.getByRole('button', { name: 'Fail the next payment' }).click();
  await page.getByText('The next payment will fail with R01').waitFor();
  expect(stage.service.writes().map(({ call, body }) => [decodeURIComponent(call), body])).toEqual([
    [
      'POST /simulation/t-100/fork',
      {
        at: 'evt_01forked0005a',
        change: { fail_next_payment: 'R02' },
        deliver_webhooks: false,
      },
    ],
    ['POST /simulation/t-100~fork-1/advance_clock', { by: 'P7D' }],
    ['POST /simulation/t-100~fork-1/fail_next_payment', { return_code: 'R01' }],
  ]);
  await page.context().close();
});

test('a copy that did not come out like the tenant is shown with the difference', async () => {
  const page = await stage.open({ path: '/time-machine?tenant=t-100' });
  await page.getByRole('button', { name: 'Copy from here after settlement.created' }).click();
  await page.getByLabel('What is different').selectOption('The terms');
  await page.getByLabel('Version of the terms').fill('next');
  await page.keyboard.press('Enter');
  await page.getByText('The copy did not come out like the tenant').waitFor();
  await page.getByText('2 of 5 webhooks are equal.').waitFor();
  await page.getByText('First difference: fee_in_cents is 4000').waitFor();
  await page.context().close();
});

test('a read-only session compares, and changes nothing', async () => {
  const { tenants } = stage.service.state.partner;
  const [found] = tenants;
  if (found) tenants.push({ ...found, external_id: 't-100~fork-1' });
  const page = await stage.open({
    path: '/time-machine?tenant=t-100&copy=t-100~fork-1',
    readOnly: true,
  });
  await page.getByText('5 webhooks are equal').waitFor();
  await page.getByText('Your session is read-only').waitFor();
  expect(await page.getByRole('button', { name: /Advance|Fail/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Webhooks of t-100' }).click();
  await page.getByRole('link', { name: 'plan.activated' }).waitFor();
  expect(await page.getByRole('button', { name: /Copy from here/ }).count()).toBe(0);
  await page.context().close();
});
