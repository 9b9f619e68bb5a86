import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();
const bodiesOf = (name: string) =>
  stage.service.calls
    .filter(({ call }) => call === `POST /commands/${name}`)
    .map(({ body }) => body as Record<string, unknown>);

test('a refund is previewed, and runs with an amount in cents, a reason and one key', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split?about=pay_01sample2' });
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByLabel('Amount').fill('lots');
  await page.getByText('This is not an amount.').waitFor();
  await page.getByLabel('Amount').fill('$100.50');
  await page.getByLabel('Reason').fill('Charged twice');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Our loss is $100.00').waitFor();
  await page.getByRole('button', { name: 'Refund a payment' }).click();
  await page.locator('.svc-toast').getByText('will be sent back').waitFor();
  const input = { payment_id: 'pay_01sample2', amount_in_cents: '10050' };
  expect(bodiesOf('payment-refund')).toEqual([
    { input, reason: 'Charged twice', dry_run: true },
    { input, reason: 'Charged twice', idempotency_key: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  await page.context().close();
});

test('a change of the form needs a new preview', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split?about=pay_01sample2' });
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByLabel('Amount').fill('100');
  await page.getByLabel('Reason').fill('Charged twice');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('If you go ahead').waitFor();
  await page.getByLabel('Amount').fill('200');
  await page.getByRole('button', { name: 'Preview' }).waitFor();
  expect(await page.getByText('If you go ahead').count()).toBe(0);
  await page.context().close();
});

test('an action is found by its words and filled in by the page that knows the rest', async () => {
  const page = await stage.open();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('pause coll');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Pause collections' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${stage.service.origin}/operator/tenants/maple/t-split`);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  // A tenant's pause has no property.
  expect(await page.getByLabel('Property').count()).toBe(0);
  await page.getByLabel('Reason').fill('Settled with the tenant');
  await page.getByRole('button', { name: 'Resume collections' }).click();
  await page.getByText('Done.').waitFor();
  expect(bodiesOf('collections-resume')).toEqual([
    { input: { pms: 'maple', tenant: 't-split' }, reason: 'Settled with the tenant' },
  ]);
  await page.context().close();
});

test('collections of a property are paused from the page of a tenant who lives there', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split' });
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Pause collections of the property' }).click();
  await page.getByLabel('Reason').fill('Water damage');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause collections' }).click();
  await page.getByText('Done.').waitFor();
  expect(bodiesOf('collections-pause')).toEqual([
    { input: { pms: 'maple', property: 'P-7' }, reason: 'Water damage' },
  ]);
  await page.context().close();
});

test('the pause of a property ends where it is listed', async () => {
  const page = await stage.open({ path: '/partners/maple' });
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByLabel('Reason').fill('The building is dry');
  await page.getByRole('button', { name: 'Resume collections' }).click();
  await page.getByText('Done.').waitFor();
  expect(bodiesOf('collections-resume')).toEqual([
    { input: { pms: 'maple', property: 'P-7' }, reason: 'The building is dry' },
  ]);
  await page.context().close();
});

test('people see the actions that their role allows', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split', role: 'support' });
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Erase personal data' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Resume collections' }).count()).toBe(0);
  await page.context().close();
});

test('an action that needs a second person says that it waits', async () => {
  const page = await stage.open({ path: '/queues/settlements' });
  await page.getByRole('button', { name: 'Reopen a settlement' }).first().click();
  await page.getByLabel('Reason').fill('New account');
  stage.service.state.needsApproval = true;
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('A second person must approve it before anything is done.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen a settlement' }).click();
  await page.getByRole('dialog', { name: 'Waits for a second person' }).waitFor();
  await page.getByText('waits for another person').waitFor();
  await page.context().close();
});

test('a refused action says why and keeps what was typed', async () => {
  stage.service.faults.set('POST /commands/settlement-reopen', 'settlement_transition_invalid');
  const page = await stage.open({ path: '/queues/settlements' });
  await page.getByRole('button', { name: 'Reopen a settlement' }).first().click();
  await page.getByLabel('Reason').fill('New account');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  expect(await page.getByLabel('Reason').inputValue()).toBe('New account');
  await page.context().close();
});

test('whoever approves a key with a link copies the link', async () => {
  const page = await stage.open({ path: '/actions' });
  await page.getByRole('button', { name: 'Approve a request' }).click();
  await page.getByRole('textbox', { name: 'Request' }).fill('apr_01sample1');
  await page.getByRole('button', { name: 'Approve a request', exact: true }).last().click();
  await page.getByRole('dialog', { name: 'Send this link' }).waitFor();
  await page.getByRole('button', { name: 'Copy the link' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/#svc_kl_\w{43}$/);
  await page.context().close();
});

test('reasons to decline are chosen by their words, in their order', async () => {
  const page = await stage.open({ path: '/actions' });
  await page.getByRole('button', { name: 'Decide an application' }).click();
  await page.getByRole('textbox', { name: 'Application' }).fill('app_01sample1');
  await page.getByRole('checkbox', { name: 'We couldn’t verify' }).check();
  await page.getByRole('checkbox', { name: 'Your income is too low' }).check();
  await page.getByRole('textbox', { name: 'Reason', exact: true }).fill('Papers do not match');
  await page.getByRole('button', { name: 'Decide an application' }).last().click();
  await page.getByText('Done.').waitFor();
  expect(bodiesOf('review-decide')[0]?.input).toEqual({
    application_id: 'app_01sample1',
    decline: 'unable_to_verify,income_too_low',
  });
  await page.context().close();
});
