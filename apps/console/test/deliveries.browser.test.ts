import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { attempt, message } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

const rows = (page: Page) => page.locator('.delivery-row');
const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('deliveries are filtered by result, and the filters are in the URL', async () => {
  const page = await stage.open({ path: '/deliveries' });
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: '3xx: redirect' }).click();
  await expect.poll(() => rows(page).count()).toBe(8);
  await expect.poll(() => rows(page).first().textContent()).toContain('8 of 8');
  await page.getByRole('button', { name: 'Remove filter Status' }).click();
  await page.getByRole('button', { name: 'Error' }).click();
  await page.getByRole('menuitemradio', { name: 'Timed out' }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
  const text = await rows(page).first().textContent();
  for (const part of ['Timed out', 'plan.created', '1 of 8', '15.0 s', 't-100']) {
    expect(text).toContain(part);
  }
  expect(search(page)).toEqual({ error_class: 'timeout' });
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Remove filter Error' }).click();
  await page.getByRole('button', { name: 'Order' }).click();
  await page.getByRole('menuitemradio', { name: 'Failures first' }).click();
  await page.waitForURL(/order=failures_first/);
  await expect
    .poll(() => page.locator('.delivery-row .tone-bad').count())
    .toBe(stage.service.state.partner.attempts.filter(({ succeeded }) => !succeeded).length);
  await expect.poll(() => rows(page).first().textContent()).toContain('500');
  await page.context().close();
});

test('attempts of one message read as a group', async () => {
  const page = await stage.open({ path: '/deliveries' });
  await page.getByText('Attempts of one message are together, the newest message first.').waitFor();
  await rows(page).first().waitFor();
  const messages = await rows(page).evaluateAll((links) =>
    links.map((link) => ({
      id: link.getAttribute('href')?.split('/')[3],
      follows: link.parentElement?.classList.contains('delivery-row__follows'),
    })),
  );
  expect(messages.some(({ follows }) => follows)).toBe(true);
  expect(messages.map(({ follows }) => follows)).toEqual(
    messages.map(({ id }, index) => id === messages[index - 1]?.id),
  );
  await page.context().close();
});

test('a delivery opens next to the list, links to its message, and closes with Escape', async () => {
  const page = await stage.open({ path: '/deliveries?status_class=5xx' });
  await rows(page).first().click();
  await page.getByText('database is locked').waitFor();
  await page.getByRole('link', { name: 'evt_01sample0002' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('database is locked').waitFor({ state: 'detached' });
  expect(search(page)).toEqual({ status_class: '5xx' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.classList.contains('delivery-row')))
    .toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'evt_01sample0002' }).click();
  await page.waitForURL(/messages\/evt_01sample0002\?attempt=/);
  await page.context().close();
});

test('new deliveries appear while the page is open', async () => {
  const page = await stage.open({ path: '/deliveries?external_id=t-live' });
  await page.getByText('No deliveries match').waitFor();
  const { partner } = stage.service.state;
  const [to] = partner.endpoints;
  if (!to) throw new Error('the sample partner has no endpoint');
  const made = message(7000, 'plan.created', 0, { external_id: 't-live' });
  partner.messages.unshift(made);
  partner.attempts.push(attempt(made, to, 1, made.created_at));
  await expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(1);
  await page.context().close();
});

test('the filter is replayed with a preview count, and only what it names', async () => {
  const page = await stage.open({
    path: '/deliveries?status_class=3xx&external_id=t-102&endpoint_id=ep_01sample2',
  });
  await page.getByRole('link', { name: 'Replay these' }).click();
  await page.getByRole('button', { name: 'Send 1 message again' }).click();
  await page.getByText(/of 1 message/).waitFor();
  const [body] = stage.service
    .writes()
    .map((each) => each.body as { dry_run?: boolean; filter: object })
    .filter(({ dry_run }) => dry_run !== true);
  expect(body).toMatchObject({
    endpoint_id: 'ep_01sample2',
    filter: { states: ['failed'], status_class: '3xx', external_id: 't-102' },
  });
  await page.getByText('last status 3xx, tenant t-102').waitFor();
  await page.context().close();
});

test('the export links carry the filters', async () => {
  const page = await stage.open({ path: '/deliveries?status_class=5xx&channel=building-7' });
  await page.getByRole('button', { name: 'Export' }).click();
  const link = page.getByRole('menuitem', { name: /CSV/ });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(
    '/v1/webhooks/deliveries/export.csv?status_class=5xx&channel=building-7',
  );
  expect(await page.getByRole('menuitem', { name: /JSON/ }).getAttribute('href')).toContain(
    'export.json?',
  );
  await page.context().close();
});
