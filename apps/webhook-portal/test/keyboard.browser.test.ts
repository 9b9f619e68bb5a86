import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });
}

test('from the list to an attempt and back by keys alone', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.locator('.message-row').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused(page)).toContain('plan.created');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByText('Delivered to 1 of 3').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Delivered to 1 of 3').waitFor({ state: 'detached' });
  expect(await focused(page)).toContain('plan.created');
  await page.context().close();
});

test('an endpoint is made by keys alone', async () => {
  const page = await stage.open({ path: '/endpoints/new' });
  await page.getByLabel('URL').focus();
  await page.keyboard.type('https://hooks.example/keys');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'https://hooks.example/keys' }).waitFor();
  expect(stage.service.state.partner.endpoints.at(-1)?.event_types).toBeNull();
  await page.context().close();
});

test('a menu opens on its first item, is walked by arrows and letters, and gives the focus back', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.locator('.message-row').first().waitFor();
  const facet = page.getByRole('button', { name: 'State' });
  await facet.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page), { timeout: 10_000 }).toBe('Retrying or failed');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Failed');
  await page.keyboard.press('h');
  expect(await focused(page)).toBe('Held');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  expect(await focused(page)).toBe('Delivered');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page), { timeout: 10_000 }).toBe('State');
  expect(new URL(page.url()).search).toBe('');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page), { timeout: 10_000 }).toBe('Retrying or failed');
  await page.keyboard.press('Enter');
  await page.waitForURL(/state=failed/);
  await page.context().close();
});

test('keys of the page rest while someone types or answers a dialog', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByLabel('Search messages').focus();
  await page.keyboard.type('gejk?');
  expect(await page.getByLabel('Search messages').inputValue()).toBe('gejk?');
  await page.goto(`${stage.service.origin}/portal/endpoints/ep_01sample1`);
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(page.url()).toContain('/endpoints/ep_01sample1');
  await page.context().close();
});

test('the first Tab offers to skip to the content', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toContain('Add endpoint');
  await page.context().close();
});
