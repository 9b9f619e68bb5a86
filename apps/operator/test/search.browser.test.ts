import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

async function openSearch(page: Page, words: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(words);
}

test('a tenant is found by name with the keyboard only', async () => {
  const page = await stage.open();
  await openSearch(page, 'ada lane');
  await page.getByText('3 results').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Payment 2 of 4, $380.03, will be charged' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/operator/tenants/maple/t-split');
  await page.context().close();
});

test('a slash opens the search on a page without a filter', async () => {
  const page = await stage.open();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.getByRole('combobox').waitFor();
  await page.context().close();
});

test('the words stand in no address, no history, no title and no storage', async () => {
  const page = await stage.open();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await openSearch(page, 'ada lane');
  await page.getByText('3 results').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Maple Court').waitFor();
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.title,
      history.state,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
    ]),
  );
  for (const text of [kept, ...addresses]) expect(text.toLowerCase()).not.toContain('lane');
  await page.context().close();
});

test('a search runs once the typing pauses, and not for each key', async () => {
  const page = await stage.open();
  await openSearch(page, '');
  await page.getByRole('combobox').pressSequentially('ada lane');
  await page.getByText('3 results').waitFor();
  const searches = stage.service.calls.filter(({ call }) => call === 'POST /search');
  expect(searches.length).toBeLessThan('ada lane'.length / 2);
  expect(searches.at(-1)?.body).toEqual({ query: 'ada lane' });
  await page.context().close();
});

test('a payment leads to its entry in the tenant’s timeline', async () => {
  const page = await stage.open();
  await openSearch(page, 'pay_01sample2');
  await page.getByText('1 result').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.entry[data-about="true"] details[open]').waitFor();
  expect(new URL(page.url()).search).toBe('?about=pay_01sample2');
  await page.context().close();
});

test('tenants that were open are offered again until the person signs out', async () => {
  const page = await stage.open({ path: '/tenants/maple/t-split' });
  await page.getByText('Maple Court').waitFor();
  await openSearch(page, '');
  await page.getByRole('group', { name: 'Recent tenants' }).getByText('t-split').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.context().close();
});

test('a failed search says why', async () => {
  stage.service.faults.set('POST /search', 'rate_limited');
  const page = await stage.open();
  await openSearch(page, 'ada lane');
  await page
    .getByRole('alert')
    .getByText('There were too many requests. Try again in 7 seconds.')
    .waitFor();
  await page.context().close();
});
