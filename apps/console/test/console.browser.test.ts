import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

test('a session for webhooks sees no admin page, and an address of one explains itself', async () => {
  const page = await stage.open({ path: '/settlements', scope: 'webhooks' });
  await page.getByRole('heading', { name: 'Your link reaches webhooks only' }).waitFor();
  await page.getByText('webhook_portal_url?scope=admin').waitFor();
  const groups = page.getByRole('navigation').getByRole('group');
  expect(await groups.count()).toBe(2);
  expect(await page.getByRole('link', { name: 'Tenants' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Appearance' }).count()).toBe(1);
  await page.keyboard.press('?');
  await page.getByText('Go to Deliveries').waitFor();
  await page.getByText('Go to Home').waitFor();
  expect(await page.getByText('Go to Settlements').count()).toBe(0);
  expect(stage.service.calls.some(({ call }) => call.includes('/settlements'))).toBe(false);
  expect(await page.getByRole('link', { name: 'Doctor' }).count()).toBe(0);
  await page.goto(`${stage.service.origin}/portal/doctor`);
  await page.getByRole('heading', { name: 'Your link reaches webhooks only' }).waitFor();
  expect(stage.service.calls.some(({ call }) => call.includes('/go_live'))).toBe(false);
  await page.context().close();
});

test('a session with the scope admin sees every group', async () => {
  const page = await stage.open({ path: '/tenants', scope: 'admin' });
  await page.getByRole('heading', { name: 'Tenants', level: 1 }).waitFor();
  const names = await page
    .getByRole('navigation')
    .getByRole('group')
    .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label')));
  expect(names).toEqual(['Webhooks', 'Integration', 'Business']);
  await page.context().close();
});

test('on a phone the other groups are in the menu “More”', async () => {
  const page = await stage.open({
    path: '/endpoints',
    browser: { viewport: { width: 390, height: 844 } },
  });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('group', { name: 'Business' }).waitFor();
  await page.getByRole('menuitemradio', { name: 'Settlements' }).click();
  await page.getByRole('heading', { name: 'Settlements', level: 1 }).waitFor();
  await page.context().close();
});

test('a tenant’s clock is advanced, a scenario creates a plan, and a reset asks first', async () => {
  const page = await stage.open({ path: '/tenants' });
  await page.getByRole('link', { name: /^t-101/ }).click();
  await page.getByRole('heading', { name: 't-101' }).waitFor();
  await page.getByRole('button', { name: 'Advance 7 days' }).click();
  await page.getByText(/It is now Mon, Mar 9, 2026/).waitFor();
  await page.getByLabel('Take the tenant to').selectOption('installment_failed');
  await page.getByLabel('Payments').selectOption('3');
  await page.getByLabel('Failure code').fill('R02');
  await page.getByRole('button', { name: 'Run scenario' }).click();
  await page.getByRole('region', { name: 'Scenario' }).getByText('plan.created').waitFor();
  await page.getByRole('region', { name: 'Plan', exact: true }).getByText('Active').waitFor();
  await page.getByLabel('An application will be').selectOption('WILL_BE_DECLINED');
  await page.getByRole('button', { name: 'Set result' }).click();
  await page.getByText('Saved').waitFor();
  await page.getByRole('button', { name: 'Reset the tenant' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await page.getByText('back in real time').waitFor();
  expect(stage.service.writes().map(({ call, body }) => [call, body])).toEqual([
    ['POST /simulation/t-101/advance_clock', { by: 'P7D' }],
    [
      'POST /simulation/t-101/scenario',
      { scenario: 'installment_failed', installment_count: 3, failure_code: 'R02' },
    ],
    ['POST /simulation/t-101/set_underwriting_result', { underwriting_result: 'WILL_BE_DECLINED' }],
    ['POST /simulation/t-101/reset', undefined],
  ]);
  await page.context().close();
});

test('what a tenant pays is chosen in a scenario until the portal has reported the tenant', async () => {
  const page = await stage.open({ path: '/tenants/t-106' });
  await page.getByLabel('The tenant pays').selectOption('Association dues');
  await page.getByRole('button', { name: 'Run scenario' }).click();
  await page.getByRole('region', { name: 'Scenario' }).getByText('plan.created').waitFor();
  await page.getByLabel('The tenant pays').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Run scenario' }).click();
  const runs = () => stage.service.writes().map(({ body }) => body);
  await expect
    .poll(runs)
    .toEqual([{ scenario: 'split', product_variant: 'hoa' }, { scenario: 'split' }]);
  await page.context().close();
});

test('in production a tenant has no simulation, and a read-only session changes nothing', async () => {
  stage.service.state.environment = 'production';
  const page = await stage.open({ path: '/tenants/t-100' });
  await page.getByRole('region', { name: 'Plan', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /Advance/ }).count()).toBe(0);
  expect(stage.service.calls.some(({ call }) => call.includes('/simulation'))).toBe(false);
  await page.context().close();
  stage.service.state.environment = 'sandbox';
  const reader = await stage.open({ path: '/tenants/t-100', readOnly: true });
  await reader.getByText('Your session is read-only').waitFor();
  expect(await reader.getByRole('button', { name: /Advance/ }).count()).toBe(0);
  await reader.context().close();
});

test('payouts are listed by status, each with its statement to download', async () => {
  const page = await stage.open({ path: '/settlements' });
  await page.getByRole('link', { name: 'Payouts' }).click();
  await page.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor();
  const files = page.getByRole('link', { name: /^Statement of/ });
  await expect.poll(() => files.count()).toBe(4);
  expect(await files.first().getAttribute('href')).toBe('/v1/payouts/pyt_01sample2/statement.csv');
  await page.getByRole('button', { name: /Status/ }).click();
  await page.getByRole('menuitemradio', { name: 'Failed' }).click();
  await expect.poll(() => files.count()).toBe(2);
  await page.getByText('R03: no account').waitFor();
});

test('a settlement is marked as verified with the id of the debit', async () => {
  const page = await stage.open({ path: '/settlements?status=unsettled' });
  await page.locator('.settlement-row').first().click();
  await page.getByRole('heading', { name: '$1,500.00' }).waitFor();
  await page.getByText('rent-march').waitFor();
  const outcomes = page.locator('.settlement__actions').getByRole('button');
  expect(await outcomes.allTextContents()).toEqual(['Debit sent', 'Money arrived', 'Debit failed']);
  await page.getByRole('button', { name: 'Money arrived' }).click();
  await page.getByLabel('Your debit’s id').fill('tr_42');
  await page.getByRole('button', { name: 'Mark as verified' }).click();
  await page.getByText('The settlement is verified').waitFor();
  expect(stage.service.writes().map(({ call, body }) => [call, body])).toEqual([
    ['PATCH /settlements/stl_01sample1', { status: 'verified', processor_transaction_id: 'tr_42' }],
  ]);
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Money arrived' }).count()).toBe(0);
  await page.context().close();
});

test('the daily report is downloaded for the chosen day', async () => {
  const page = await stage.open({ path: '/settlements' });
  await page.getByRole('button', { name: 'Daily report' }).click();
  await page.getByLabel('Day (UTC)').fill('2026-02-28');
  const link = page.getByRole('link', { name: 'Download CSV' });
  expect(await link.getAttribute('href')).toBe('/v1/settlements/report.csv?date=2026-02-28');
  expect(await link.getAttribute('download')).toBe('settlements-2026-02-28.csv');
  await page.context().close();
});

test('the account to debit is read when asked for, and forgotten when its panel closes', async () => {
  const page = await stage.open({ path: '/settlements' });
  await page.locator('.settlement-row').first().waitFor();
  const read = () =>
    stage.service.calls.filter(({ call }) => call === 'GET /partner/debit_account').length;
  expect(read()).toBe(0);
  await page.getByRole('button', { name: 'Account to debit' }).click();
  const panel = page.getByRole('dialog', { name: 'Account to debit' });
  await panel.getByText('000123456789').waitFor();
  await panel.getByText('Debit agreement of January 5, 2026').waitFor();
  const docs = panel.getByRole('link', { name: 'Which account to debit' });
  expect(await docs.getAttribute('href')).toBe('/docs/account-to-debit');
  await page.keyboard.press('Escape');
  await page.getByText('000123456789').waitFor({ state: 'detached' });
  stage.service.faults.set('GET /partner/debit_account', 'fresh_link_required');
  await page.getByRole('button', { name: 'Account to debit' }).click();
  await panel.getByText('need a fresh link').waitFor();
  expect(await page.getByText('000123456789').count()).toBe(0);
  expect(read()).toBe(2);
  await page.context().close();
});

test('an added origin has the focus, and removing it leaves the focus in the form', async () => {
  const page = await stage.open({ path: '/origins' });
  const add = page.getByRole('button', { name: 'Add origin' });
  await add.click();
  const fields = page.getByRole('textbox', { name: /^Origin/ });
  const last = (await fields.count()) - 1;
  await expect.poll(() => isFocused(fields.nth(last))).toBe(true);
  await page.getByRole('button', { name: `Remove origin ${last + 1}` }).click();
  await expect.poll(() => isFocused(add)).toBe(true);
  await page.context().close();
});

test('an app scheme is saved with the origins, and a wrong one says why', async () => {
  const page = await stage.open({ path: '/origins' });
  await page.getByRole('button', { name: 'Add app scheme' }).click();
  const field = page.getByRole('textbox', { name: 'App scheme 2' });
  await field.fill('javascript');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await field.fill('com.maple.owners');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the allowed origins').waitFor();
  await page.reload();
  expect(await field.inputValue()).toBe('com.maple.owners');
  expect(await page.getByRole('textbox', { name: 'Origin 1' }).inputValue()).toBe(
    'https://portal.maple.example',
  );
  await page.context().close();
});

test('a tenant without charges may still owe a plan, and the list says so', async () => {
  const page = await stage.open({ path: '/tenants' });
  await page.getByRole('link', { name: /103.*No charges due/ }).waitFor();
  const owing = page.getByRole('link', { name: /t-105.*Charged off/ });
  expect(await owing.innerText()).not.toContain('Paid');
  await owing.click();
  await page.getByRole('article').getByText('pln_01sample5').waitFor();
  await page.context().close();
});

test('a logo is uploaded with its button, is in the preview, and is removed', async () => {
  const page = await stage.open({ path: '/appearance' });
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Choosing a plan').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose file: Logo' }).click(),
  ]);
  await chooser.setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: onePixel });
  await page.getByRole('button', { name: 'Replace file: Logo' }).waitFor();
  // The fixture has no such file, so the image is there but empty.
  await preview.locator('img').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Choose file: Logo' }).waitFor();
  await preview.locator('img').first().waitFor({ state: 'detached' });
  expect(stage.service.writes().map(({ call }) => call)).toEqual([
    'PUT /partner/appearance/logo',
    'DELETE /partner/appearance/logo',
  ]);
  await page.context().close();
});

test('the preview shows a brand before it is saved, in the chosen scheme', async () => {
  const page = await stage.open({ path: '/appearance' });
  const button = page.locator('.sample__widget .svc-button');
  const color = () => button.evaluate((node) => getComputedStyle(node).backgroundColor);
  await button.waitFor();
  const before = await color();
  await page.getByRole('textbox', { name: 'Accent', exact: true }).fill('#1d4ed8');
  await expect.poll(color).not.toBe(before);
  const light = await color();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(color).not.toBe(light);
  await page.getByRole('radio', { name: 'Light' }).check();
  await expect.poll(color).toBe(light);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(color).toBe(before);
  expect(stage.service.writes()).toEqual([]);
  await page.context().close();
});

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === document.activeElement);
}

test('a search of the request log loads further pages until it finds the oldest call', async () => {
  stage.service.state.searchedPerPage = 1;
  const { requests } = stage.service.state.partner;
  const oldest = requests.at(-1);
  const page = await stage.open({ path: `/requests?status=${oldest?.status}`, scope: 'admin' });
  const rows = page.locator('[data-row]');
  await rows.first().waitFor();
  await expect.poll(() => page.getByText('Searched back to').count()).toBe(0);
  expect(await rows.count()).toBe(1);
  const asked = stage.service.calls.filter(({ call }) => call === 'GET /partner/requests');
  expect(asked).toHaveLength(requests.length);
  await page.context().close();
});
