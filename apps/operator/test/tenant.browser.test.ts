import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

test('what happens next, its reason and who paused it are on top', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split' });
  await page.getByRole('heading', { name: 'Payment 2 of 4, $380.03, will be charged' }).waitFor();
  const position = page.getByRole('region', { name: /Payment 2 of 4/ });
  const words = await position.innerText();
  expect(words).toContain('paused by Ada Ortiz');
  expect(words).toContain('Disputes the late fee, ticket 4821');
  expect(await position.getByRole('listitem').filter({ hasText: '$380.03' }).count()).toBe(4);
  await page.context().close();
});

test('the name of a tenant does not reach the browser’s history', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split' });
  await page.getByRole('heading', { name: 'Ada Lane' }).waitFor();
  expect(await page.title()).toBe('Tenant t-split · Operator');
  await page.context().close();
});

test('the timeline is filtered by the kinds in the address', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split' });
  await page.getByText('The tenant agreed to the plan.').waitFor();
  await page.getByRole('button', { name: 'Kinds' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Payments' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?kinds=payment');
  await expect.poll(() => page.locator('.entry').count()).toBe(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Tenant time').first().waitFor();
  await page.context().close();
});

test('support sees personal data masked, and in clear with a reason', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split', role: 'support' });
  await page.getByRole('heading', { name: 'A••• L•••' }).waitFor();
  await page.getByRole('button', { name: 'Show data' }).click();
  const show = page.getByRole('button', { name: 'Show for 15 minutes' });
  expect(await show.isDisabled()).toBe(true);
  await page.getByLabel('Why do you need it?').fill('Ticket 4821');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ada Lane' }).waitFor();
  const { body } =
    stage.service.calls.find(({ call }) => call === 'POST /tenants/maple/t-split/unmask') ?? {};
  expect(body).toEqual({ reason: 'Ticket 4821' });
  await page.context().close();
});

test('the facts of a decision are rows with units', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split' });
  const decision = page.locator('.entry', { hasText: 'approved by the policy 12' });
  await decision.locator('summary').click();
  const facts = await decision.locator('.entry__facts').innerText();
  for (const row of ['Amount\n$1,520.12', 'Age\n31 years', 'Lease age\n200 days']) {
    expect(facts).toContain(row);
  }
  expect(facts).not.toContain('{');
  await page.context().close();
});

test('a tenant that does not exist says so', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-none' });
  await page.getByText('The tenant could not be loaded').waitFor();
  await page.context().close();
});
