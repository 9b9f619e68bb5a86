import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });
}

test('keyboard only: from the list to a message and back', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.locator('.message-row').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toContain('plan.created');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByText('Delivered to 1 of 3').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Delivered to 1 of 3').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toContain('plan.created');
  await page.context().close();
});

test('keyboard only: create an endpoint', async () => {
  const page = await stage.open({ path: '/endpoints/new' });
  await page.getByLabel('URL').focus();
  await page.keyboard.type('https://hooks.example/keys');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'https://hooks.example/keys' }).waitFor();
  expect(stage.service.state.partner.endpoints.at(-1)?.event_types).toBeNull();
  await page.context().close();
});

test('a menu focuses its first item, moves with arrows and letters, and returns focus', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.locator('.message-row').first().waitFor();
  const facet = page.getByRole('button', { name: 'State' });
  await facet.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Retrying or failed');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Failed');
  await page.keyboard.press('h');
  await expect.poll(() => focused(page)).toBe('Held');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await expect.poll(() => focused(page)).toBe('Delivered');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('State');
  expect(new URL(page.url()).search).toBe('');
  await page.locator('[role="menu"]:popover-open').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Retrying or failed');
  await page.keyboard.press('Enter');
  await page.waitForURL(/state=failed/);
  await page.context().close();
});

test('shortcuts are ignored while typing and while a dialog is open', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByLabel('Search messages').focus();
  await page.keyboard.type('gejk?');
  expect(await page.getByLabel('Search messages').inputValue()).toBe('gejk?');
  await page.goto(`${stage.service.origin}/portal/endpoints/ep_01sample1`);
  await page.getByRole('button', { name: 'Rotate' }).click();
  await focusIsIn(page, '[role="alertdialog"]');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(page.url()).toContain('/endpoints/ep_01sample1');
  await page.context().close();
});

test('keyboard only: start a replay and cancel it', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByText('9,210 of 18,400').waitFor();
  await tabTo(page, 'Replay messages');
  await page.keyboard.press('Enter');
  await page.getByLabel('Endpoint', { exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await tabTo(page, '');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.getByLabel('7 days').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Send 2 messages again' }).waitFor();
  await tabTo(page, 'Send 2 messages again');
  await page.keyboard.press('Enter');
  await page.getByText(/of 2 messages/).waitFor();
  await page.keyboard.press('Escape');
  // The cached list renders first, and the new replay appears on top after it reloads.
  await page.getByText(/^\d of 2$/).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await tabTo(page, 'Cancel replay');
  await page.keyboard.press('Enter');
  await focusIsIn(page, '[role="alertdialog"]');
  await tabTo(page, 'Cancel replay');
  await page.keyboard.press('Enter');
  await page.getByText('were not sent again').waitFor();
  await page.context().close();
});

test('Ctrl+K goes to a section by its name, and to a tenant by its id', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  await page.keyboard.press('Control+k');
  await focusIsIn(page, '.quick input');
  await page.keyboard.type('setTLE');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Settlements', level: 1 }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await focusIsIn(page, '.quick input');
  await page.keyboard.type('t-101');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 't-101' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await focusIsIn(page, '.quick input');
  await page.keyboard.type('evt_01sample0002');
  await page.keyboard.press('Enter');
  await page.getByText('Delivered to 1 of 3').waitFor();
  await page.context().close();
});

async function focusIsIn(page: Page, selector: string): Promise<void> {
  await page.locator(`${selector} :focus, ${selector}:focus`).waitFor();
}

/** Presses Tab until the element with this name has focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).trim() === name) return;
  }
  throw new Error(`Tab never reached “${name}”`);
}

test('the focus ring is visible in forced colors', async () => {
  const page = await stage.open({ path: '/activity', browser: { forcedColors: 'active' } });
  await page.getByRole('img', { name: 'Attempts' }).focus();
  const ring = () => getComputedStyle(document.activeElement ?? document.body).outlineStyle;
  expect(await page.evaluate(ring)).toBe('solid');
  await page.context().close();
});

test('the first Tab focuses the skip link', async () => {
  const page = await stage.open({ path: '/endpoints' });
  await page.getByText('Resident ledger').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await focusIsIn(page, 'main');
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toContain('Add endpoint');
  await page.context().close();
});
