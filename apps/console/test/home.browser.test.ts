import { expect, test } from 'vitest';
import { ago } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';
import { nobody } from './scenes/scene.ts';

const stage = stageForFile();

test('home lists what needs attention, and each line leads to it', async () => {
  const page = await stage.open();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('link', { name: /^Endpoint disabled/ }).waitFor();
  await attention.getByRole('link', { name: /^Overdue reports/ }).click();
  await page.waitForURL(/\/settlements\?is_stale=true/);
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await attention.getByRole('link', { name: /^Payout failed.*R03: no account/ }).click();
  await page.waitForURL(/\/payouts\?status=failed/);
  await page.getByRole('link', { name: 'Console home' }).click();
  await attention
    .getByRole('link', { name: /^Endpoint/ })
    .first()
    .click();
  await page.waitForURL(/\/endpoints\/ep_/);
  await page.context().close();
});

test('a new partner reads the first steps and the way to the docs', async () => {
  stage.service.state.partner = structuredClone(nobody);
  const page = await stage.open();
  await page.getByText('Nothing needs your attention.').waitFor();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect.poll(() => steps.getByRole('listitem').count()).toBe(6);
  const start = steps.getByRole('link', { name: 'Report the first tenant' });
  expect(await start.getAttribute('href')).toBe('/docs/start');
  const docs = page.getByRole('region', { name: 'Docs' });
  expect(await docs.getByRole('link', { name: 'Go live' }).getAttribute('href')).toBe(
    '/docs/go-live',
  );
  await steps.getByRole('link', { name: 'Receive webhooks' }).click();
  await page.getByLabel('URL').waitFor();
  await page.context().close();
});

test('home of a session for webhooks reads nothing of the scope admin', async () => {
  const page = await stage.open({ scope: 'webhooks' });
  await page.getByRole('link', { name: /^Endpoint disabled/ }).waitFor();
  expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0);
  const calls = stage.service.calls.map(({ call }) => call);
  expect(calls.filter((call) => /settlements|payouts|tenants|go_live|origins/.test(call))).toEqual(
    [],
  );
  await page.context().close();
});

test('a failed payout needs no attention once a later one was paid', async () => {
  const { payouts } = stage.service.state.partner;
  for (const payout of payouts) {
    if (payout.status === 'failed') payout.ended_at = ago(7_200);
  }
  const page = await stage.open();
  await page.getByRole('link', { name: /^Overdue reports/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Payout (failed|returned)/ }).count()).toBe(0);
  await page.context().close();
});

test('home says why it cannot tell what needs attention', async () => {
  stage.service.faults.set('GET /webhooks/endpoints/health', 'drop');
  const page = await stage.open();
  await page.getByText('What needs attention could not be loaded').waitFor();
  expect(await page.getByText('Nothing needs your attention.').count()).toBe(0);
  await page.context().close();
});
