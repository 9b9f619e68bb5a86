import { expect, test } from 'vitest';
import { now } from './fixture/now.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

test('the home page has one quiet line while everything runs', async () => {
  const page = await stage.open();
  await page.getByRole('link', { name: 'All 15 parts of the service run.' }).click();
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  expect(await page.locator('.health-row[data-state="ok"]').count()).toBe(15);
  await page.context().close();
});

test('what does not run is on the home page, the worst first, with its runbook', async () => {
  stage.service.state.health = 'failed';
  const page = await stage.open();
  const strip = page.getByRole('region', { name: 'Health' });
  await strip.getByText('2 of 15 parts need you now, 2 to look at.').waitFor();
  expect(await strip.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^No backup/),
    expect.stringMatching(/^All money is stopped/),
    expect.stringMatching(/^2 notices/),
  ]);
  const runbook = strip.getByRole('link', { name: 'Runbook for Money' });
  expect(await runbook.getAttribute('href')).toMatch(/^https:.*\/docs\/operate\/alerts#money$/);
  await page.context().close();
});

test('health is reached by keyboard and refreshes without keeping the session open', async () => {
  const page = await stage.open({ role: 'auditor' });
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.getByText('Every day that has ended is closed.').waitFor();
  const next = page.waitForRequest('**/operator/v1/health');
  await page.clock.setFixedTime(now + 120_000);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  expect((await (await next).allHeaders())['svc-background']).toBe('1');
  await page.context().close();
});
