import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();
const bodiesOf = (name: string) =>
  stage.service.calls
    .filter(({ call }) => call === `POST /commands/${name}`)
    .map(({ body }) => body as Record<string, unknown>);

test('a partner is created, and its key handed over by a link that the page forgets', async () => {
  const page = await stage.open({ path: '/partners' });
  await page.getByRole('button', { name: 'New partner' }).click();
  await page.getByLabel('Portal name').fill(' willow ');
  await page.getByLabel('Reason').fill('Contract of March 3');
  await page.getByRole('button', { name: 'Create partner' }).click();
  await page.getByRole('dialog', { name: 'Send this link to the partner’s developer' }).waitFor();
  expect(bodiesOf('partner-create')).toEqual([
    { input: { pms: 'willow', link: true }, reason: 'Contract of March 3' },
  ]);
  await page.getByRole('button', { name: 'Copy the link' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^https:\/\/pay\.example\.com\/portal#svc_kl_\w{43}$/);
  await page.getByRole('button', { name: 'Done, I have the link' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('svc_kl_');
  expect(page.url()).not.toContain('svc_kl_');
  await page.context().close();
});

test('a key can be shown instead, and in production a second person gets the link', async () => {
  const page = await stage.open({ path: '/partners/maple' });
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('radio', { name: 'Show the key here' }).check();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog', { name: 'Store the key now' }).waitFor();
  expect(bodiesOf('key-create')).toEqual([{ input: { pms: 'maple' } }]);
  await page.getByRole('button', { name: 'Done, it is stored' }).click();
  stage.service.state.needsApproval = true;
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog', { name: 'Waits for a second person' }).waitFor();
  await page.context().close();
});

test('who may not change keys and money sees their state and no buttons', async () => {
  const page = await stage.open({ path: '/partners/maple', role: 'auditor' });
  await page.getByText('hooks.maple.example').waitFor();
  await page.getByText('Its link was not opened yet').waitFor();
  for (const name of ['New key', 'Revoke…', 'Stop all money…']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
  await page.context().close();
});

test('terms are compared, applied with a reason, and wait for a second person', async () => {
  const page = await stage.open({ path: '/terms/new' });
  const editor = page.getByLabel('The document, as JSON');
  const terms = (await editor.inputValue()).replace('"fee_in_cents": 3000', '"fee_in_cents": 4500');
  await editor.fill(terms);
  await page.getByRole('textbox', { name: 'State' }).fill('tx');
  await page.getByLabel('In force from').fill('2027-01-01');
  await page.getByRole('button', { name: 'Compare' }).click();
  const fee = page.getByRole('row').filter({ hasText: 'Fee' });
  await fee.waitFor();
  expect(await fee.getByRole('cell').allInnerTexts()).toEqual(['$30.00', '$45.00']);
  const input = { terms, effective: '2027-01-01', state: 'TX' };
  expect(bodiesOf('terms-preview')).toEqual([{ input: { ...input, amount_in_cents: 150_000 } }]);
  stage.service.state.needsApproval = true;
  await page.getByRole('button', { name: 'Apply these terms…' }).click();
  await page.getByText('All partners in TX, from Jan 1, 2027').waitFor();
  await page.getByLabel('Reason').fill('TX-2027-3');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByRole('dialog', { name: 'Waits for a second person' }).waitFor();
  expect(bodiesOf('terms-apply')).toEqual([{ input, reason: 'TX-2027-3' }]);
  await page.context().close();
});

test('a mistake leads to its line, and an edit asks for another comparison', async () => {
  stage.service.state.mistakes = [
    { param: 'fee_in_cents', code: 'invalid_value', message: 'must be a whole number of cents' },
  ];
  const page = await stage.open({ path: '/terms/new' });
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'Line 2' }).click();
  const selected = await page.evaluate(() => document.getSelection()?.toString());
  expect(selected).toContain('"fee_in_cents": 3000');
  stage.service.state.mistakes = [];
  await page.getByRole('button', { name: 'Compare' }).click();
  const apply = page.getByRole('button', { name: 'Apply these terms…' });
  await apply.waitFor();
  await page.getByRole('textbox', { name: 'State' }).fill('NY');
  expect(await apply.count()).toBe(0);
  await page.context().close();
});
