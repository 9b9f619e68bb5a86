import type { AppearanceMessage } from '@svc/contract/frame';
import { experiencePage } from '@svc/core/testing';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { wordsOfRent } from '../../../scripts/test/words-of-rent.ts';
import type { Activity } from '../backend/answers.ts';
import { portalOf, type Stage, startStage } from './fixture/stage.ts';
import { clean } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
beforeEach(() => clean(stage));
afterAll(() => stage.close());

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };
const greeting = (page: Page | FrameLocator, name: string) =>
  page.getByRole('heading', { level: 1, name: `Hello, ${name}` }).waitFor();

async function openDemo(path: string, options: Parameters<Stage['open']>[1] = wide) {
  const { page } = await stage.open(path, options);
  const portal = portalOf(page);
  const activity = page.locator('.panel--activity');
  return { page, portal, widget: portal.locator('.widget'), activity };
}

async function sdkEvents(tenantId: string): Promise<string[]> {
  const response = await fetch(`${stage.demo.origin}/api/activity`);
  const { items } = (await response.json()) as { items: Activity[] };
  return items.flatMap((item) =>
    item.kind === 'sdk' && item.tenant_id === tenantId ? [item.type] : [],
  );
}

test('a verified settlement updates the widget and the ledger live', async () => {
  const { page, portal, widget, activity } = await openDemo('/?tenant=res-1042');
  await greeting(portal, 'Ada');
  await widget.getByText('$1,520.12').waitFor();
  await stage.sendForgery();
  await activity.getByText('Not verified: mismatch').waitFor();
  expect(await portal.getByText('Paid by Svc').count()).toBe(0);
  await stage.paySettlement();
  await widget.getByText('$0.00').waitFor();
  await portal.getByRole('row', { name: /Paid by Svc.*−\$1,520\.12/ }).waitFor();
  await activity.getByText('settlement.created').waitFor();
  await page.context().close();
});

test('a translated page and its widget show the balance that a settlement leaves', async () => {
  const translated = await stage.open('/portal?tenant=own-2210', { isTranslated: true });
  await greeting(translated.page, 'Carol');
  const plain = await stage.open('/portal?tenant=own-2210');
  await greeting(plain.page, 'Carol');
  const textOf = async (it: Page) => {
    const parts = await it.locator('header, main').allInnerTexts();
    return parts.join(' ').replaceAll(/\s+/g, ' ');
  };
  // "Lease" follows an icon and becomes "Property" in place, which React's own JSX runtime misses.
  expect(await textOf(plain.page)).toContain('Property');
  await expect.poll(() => textOf(translated.page)).toBe(await textOf(plain.page));

  const { page } = await stage.open('/portal?tenant=res-1042', { isTranslated: true });
  const widget = page.locator('.widget');
  await widget.locator('font', { hasText: '$1,520.12' }).first().waitFor();
  await stage.paySettlement();
  await widget.getByText('$0.00').waitFor();
  expect(await widget.getByText('$1,520.12').count()).toBe(0);
  for (const it of [translated, plain, { page }]) await it.page.context().close();
});

test('starting over restores the balance and clears the activity', async () => {
  const { page, portal, widget, activity } = await openDemo('/?tenant=res-1042');
  await greeting(portal, 'Ada');
  await stage.paySettlement();
  await widget.getByText('$0.00').waitFor();
  await page.getByRole('button', { name: 'Start over' }).click();
  await widget.getByText('$1,520.12').waitFor();
  const booked = activity.getByText('settlement.created');
  await expect.poll(() => booked.count()).toBe(0);
  await page.context().close();
});

test('switches tenants, and the back button switches back', async () => {
  const { page, portal, widget } = await openDemo('/');
  await greeting(portal, 'Ada');
  await page
    .getByLabel('Signed in as')
    .selectOption({ label: 'Carol Whitfield · Association dues' });
  await greeting(portal, 'Carol');
  await widget.getByText('Association dues').waitFor();
  expect(wordsOfRent(await portal.locator('body').innerText())).toEqual([]);
  expect(new URL(page.url()).searchParams.get('tenant')).toBe('own-2210');
  await page.goBack();
  await greeting(portal, 'Ada');
  await page.reload();
  await greeting(portal, 'Ada');
  await page.context().close();
});

test('a scenario is chosen in the guide or with the next button, and a reload keeps it', async () => {
  const { page, portal, activity } = await openDemo('/?tenant=res-1077');
  await greeting(portal, 'Ben');
  await page.getByRole('button', { name: 'Past due' }).click();
  await page.getByRole('status').getByText('Nothing was paid for 30 days.').waitFor();
  await greeting(portal, 'Ben');
  await activity.getByText('The portal took this tenant to the scenario').waitFor();
  await page.getByRole('button', { name: 'Next: Refunded' }).click();
  await page.getByRole('button', { name: 'Next: Disputed' }).waitFor();
  await page.reload();
  const current = page.getByRole('button', { name: /^Refunded/ });
  expect(await current.getAttribute('aria-current')).toBe('step');
  await page.goBack();
  await page.getByRole('button', { name: 'Next: Refunded' }).waitFor();
  await page.context().close();
});

test('keeps the tenant when navigating between pages', async () => {
  const { page } = await stage.open('/portal?tenant=res-1077', wide);
  await greeting(page, 'Ben');
  const nav = page.getByRole('navigation', { name: 'Portal' });
  await nav.getByRole('link', { name: 'Payments' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  expect(await nav.getByRole('link', { name: 'Payments' }).getAttribute('aria-current')).toBe(
    'page',
  );
  await nav.getByRole('link', { name: 'Lease' }).click();
  await page.locator('main').getByText('ben.ortiz@example.com').waitFor();
  await page.context().close();
});

test('requests a token on click, or on load if it is preloaded', async () => {
  const tokens = () => stage.service.calls.filter(({ name }) => /portal_info/.test(name)).length;
  const before = tokens();
  const ada = await openDemo('/?tenant=res-1042');
  await greeting(ada.portal, 'Ada');
  await ada.activity.getByText('WIDGET_READY').last().waitFor();
  expect(tokens() - before).toBe(1);
  await ada.portal.getByRole('button', { name: /see my options/i }).click();
  await ada.activity.getByText('WIDGET_CLICKED').waitFor();
  await expect.poll(() => tokens() - before).toBe(2);
  await ada.page.context().close();

  const dev = await openDemo('/?tenant=res-1103');
  await greeting(dev.portal, 'Dev');
  await expect.poll(() => tokens() - before).toBe(4);
  await dev.page.context().close();
});

test('reports SDK events to its backend in order', async () => {
  const { page, portal } = await openDemo('/?tenant=res-1077');
  await greeting(portal, 'Ben');
  await portal.getByRole('button', { name: /see my options/i }).click();
  await expect
    .poll(async () => (await sdkEvents('res-1077')).slice(-3))
    .toEqual(['WIDGET_READY', 'WIDGET_CLICKED', 'EXPERIENCE_OPENED']);
  await page.context().close();
});

test('the activity stays live and usable next to the open experience', async () => {
  const { page, portal, activity } = await openDemo('/?tenant=res-1042');
  await portal.getByRole('button', { name: /see my options/i }).click();
  await activity.getByText('EXPERIENCE_OPENED').waitFor();
  await stage.paySettlement();
  const item = activity.getByRole('listitem').filter({ hasText: 'settlement.created' });
  await item.getByText('Data').click();
  await item.getByText('"settlement_id"').waitFor();
  const dialog = portal.getByRole('dialog');
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
  await page.context().close();
});

test('the hint points at the widget until the first click, also after a reload', async () => {
  const { page, portal } = await openDemo('/?tenant=res-1042');
  const hint = portal.getByText('Start here.');
  await hint.waitFor();
  await page.reload();
  await hint.waitFor();
  await portal.getByRole('button', { name: /see my options/i }).click();
  await hint.waitFor({ state: 'detached' });
  await page.reload();
  await greeting(portal, 'Ada');
  expect(await hint.count()).toBe(0);
  await page.context().close();
});

test('the bar changes language, brand, theme and device of the open page in place', async () => {
  const { page, portal, activity } = await openDemo('/?tenant=res-1042', {
    ...wide,
    colorScheme: 'light',
  });
  await greeting(portal, 'Ada');
  await activity.getByText('WIDGET_READY').last().waitFor();
  const loads = (await sdkEvents('res-1042')).length;
  const root = portal.locator('html');
  const accent = () =>
    root.evaluate((element) => getComputedStyle(element).getPropertyValue('--svc-brand-accent'));
  const choose = (name: string) => page.getByRole('radio', { name, exact: true }).check();

  await choose('Español');
  await portal.getByRole('heading', { level: 1, name: 'Hola, Ada' }).waitFor();
  await portal.getByRole('button', { name: 'Ver mis opciones' }).waitFor();
  await activity.getByText('El widget apareció').waitFor();
  expect(await root.getAttribute('lang')).toBe('es');
  await choose('Citrus');
  await expect.poll(accent).toBe('#ffd60a');
  await choose('Oscuro');
  await expect.poll(() => root.evaluate((it) => getComputedStyle(it).colorScheme)).toBe('dark');
  await choose('En un teléfono');
  await expect.poll(() => root.evaluate(() => window.innerWidth)).toBe(390);
  expect((await sdkEvents('res-1042')).length).toBe(loads);

  await page.reload();
  await portal.getByRole('button', { name: 'Ver mis opciones' }).waitFor();
  expect(await accent()).toBe('#ffd60a');
  expect(await page.getByRole('radio', { name: 'Oscuro' }).isChecked()).toBe(true);
  await page.context().close();
});

test('the open experience follows a changed brand, theme and language', async () => {
  const { page, portal } = await openDemo('/?tenant=res-1042', { ...wide, colorScheme: 'light' });
  const choose = (name: string) => page.getByRole('radio', { name, exact: true }).check();
  await page.route(`${stage.service.origin}/experience/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: experiencePage() }),
  );
  for (const build of ['React', 'Plain JavaScript']) {
    if (build !== 'React') await page.getByRole('button', { name: build }).click();
    await greeting(portal, 'Ada');
    await portal.getByRole('button', { name: /see my options/i }).click();
    const experience = portal.frameLocator('dialog iframe');
    await experience.getByRole('button', { name: 'Split it' }).waitFor();
    const look = () =>
      experience.locator('html').evaluate(() => {
        const { received } = window as unknown as { received: AppearanceMessage[] };
        const { theme, locale, appearance } = received.at(-1) ?? {};
        return [appearance?.accent, theme, locale?.slice(0, 2)];
      });
    await choose('Citrus');
    await choose('Dark');
    await choose('Español');
    await expect.poll(look).toEqual(['#ffd60a', 'dark', 'es']);
    await choose('Maple');
    await choose('Claro');
    await choose('English');
    await expect.poll(look).toEqual(['#9a3412', 'light', 'en']);
  }
  await page.context().close();
});

test('the same tenant is shown by a page without a framework', async () => {
  const { page, portal, widget } = await openDemo('/?tenant=own-2210');
  await greeting(portal, 'Carol');
  await page.getByRole('button', { name: 'Plain JavaScript' }).click();
  await portal.getByText('no framework').waitFor();
  await greeting(portal, 'Carol');
  await widget.getByText('Association dues').waitFor();
  await page.context().close();
});

test('shows guide and activity in sheets on phones and returns focus', async () => {
  const { page, portal } = await openDemo('/?tenant=res-1042', phone);
  await greeting(portal, 'Ada');
  const bar = await page.getByRole('banner').boundingBox();
  expect(bar?.height).toBeLessThan(56);
  const button = page.getByRole('button', { name: /^Activity/ });
  await button.click();
  const sheet = page.getByRole('dialog', { name: 'Activity' });
  await sheet.getByText('WIDGET_READY').last().waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await expect
    .poll(() => button.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await page.getByRole('button', { name: 'Guide: From the start' }).click();
  const guide = page.getByRole('dialog', { name: 'Guide' });
  await guide.getByRole('button', { name: 'Paid off' }).click();
  await guide.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Guide: Paid off' }).waitFor();
  await greeting(portal, 'Ada');
  await page.context().close();
});

test('links each activity to the service’s docs', async () => {
  const { page, portal } = await openDemo('/?tenant=res-1042');
  await greeting(portal, 'Ada');
  await stage.paySettlement();
  const link = page.getByRole('link', { name: 'Docs: settlement.created' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(
    `${stage.service.origin}/docs/events#settlement.created`,
  );
  await page.context().close();
});

test.each([
  [320, 700],
  [1280, 800],
])(
  'in a window of %i px the widget’s container is at least 320 by 250 px',
  async (width, height) => {
    const { page, widget, portal } = await openDemo('/?tenant=res-1042', {
      viewport: { width, height },
    });
    await greeting(portal, 'Ada');
    const box = await widget.boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(320);
    expect(box?.height).toBeGreaterThanOrEqual(250);
    await page.context().close();
  },
);
