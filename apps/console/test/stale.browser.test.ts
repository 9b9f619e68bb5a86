import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { now } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

/** Pages that poll, with a text that each of them shows. */
const livePages = {
  '/endpoints': 'Resident ledger',
  '/endpoints/ep_01sample2': 'Recent messages',
  '/messages': 'Published',
  '/messages/evt_01sample0002': 'database is locked',
  '/replays': 'Completed',
  '/activity': 'Show as a table',
  '/activity?view=audit-log': 'Viewed the signing secret',
  '/activity?view=sessions': 'Opened',
};

test('every live page reports stale data and its age while the service is unreachable', async () => {
  await Promise.all(
    Object.entries(livePages).map(async ([path, shown]) => {
      const page = await stage.open({ path });
      await page.getByText(shown).first().waitFor();
      const notice = page.locator('.stale');
      expect(await notice.count()).toBe(0);
      await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
      await lookAgainLater(page);
      await notice.getByText('Can’t reach the service, showing data from').waitFor();
      const since = await notice.getByRole('time').textContent();
      expect(since, path).toMatch(/^9:04:05 AM CST$/);
      expect(await page.getByText(shown).first().isVisible()).toBe(true);
      await page.unroute('**/v1/**');
      // It retries within 5 s.
      await notice.waitFor({ state: 'detached' });
      await page.context().close();
    }),
  );
});

test('a page that cannot be refreshed says so and retries', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByText('Published').first().waitFor();
  stage.service.faults.set('GET /webhooks/messages', 'internal_error');
  await lookAgainLater(page);
  await page.locator('.stale').getByText('This page can’t be refreshed').waitFor();
  await page.getByRole('button', { name: 'Retry now' }).click();
  expect(await page.locator('.stale').isVisible()).toBe(true);
  stage.service.faults.clear();
  await page.locator('.stale').waitFor({ state: 'detached' });
  await page.context().close();
});

/** Advances the clock by a minute and triggers a refetch, as when the user returns to the tab. */
async function lookAgainLater(page: Page): Promise<void> {
  await page.clock.setFixedTime(now + 60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}
